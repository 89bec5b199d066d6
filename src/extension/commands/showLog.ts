import * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import type { CommandContext } from './commandContext.ts';

/** `showLog`: the log of the server whose row it was called from, else one that the user picks. */
export function registerShowLog({ logger, logs, servers }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.showLog, async row => {
    const picked = row ?? (await pickLog(servers.all));
    if (picked) {
      const channel = picked.server ? logs.forServer(picked.server.definition) : logs.extension;
      channel.show();
    }
  });
}

interface LogItem extends vscode.QuickPickItem {
  /** `undefined`: the log of the extension. */
  readonly server: Server | undefined;
}

async function pickLog(servers: readonly Server[]): Promise<LogItem | undefined> {
  const items: LogItem[] = [
    ...servers.map(server => ({ label: server.definition.label, server })),
    {
      label: vscode.l10n.t('MCP Roots'),
      description: vscode.l10n.t('what the extension itself says'),
      server: undefined,
    },
  ];
  const placeHolder = vscode.l10n.t('Show which log?');
  return vscode.window.showQuickPick(items, { placeHolder });
}

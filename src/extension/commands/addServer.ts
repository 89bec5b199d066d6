import * as vscode from 'vscode';
import { printable } from '../../domain/printable.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { Row } from '../views/rows.ts';
import { assertTrusted, noAdding } from './assertTrusted.ts';
import type { CommandContext } from './commandContext.ts';

/** `addServer`: asks step by step for a new server, and offers to start it. */
export function registerAddServer(context: CommandContext): vscode.Disposable {
  return registerCommand(context.logger, Command.addServer, async () => {
    assertTrusted(noAdding);
    const { addServer } = await import('./onDemand.ts');
    const name = await addServer(context);
    if (name !== undefined) {
      // Not awaited: the message stays until it is dismissed, and the command is done.
      void offerStart(name, context);
    }
  });
}

async function offerStart(name: string, { servers }: CommandContext): Promise<void> {
  const start = vscode.l10n.t('Start');
  const text = vscode.l10n.t('"{0}" was added. It was not started yet.', printable(name));
  if ((await vscode.window.showInformationMessage(text, start)) === start) {
    // Looked for only now: it may have been changed since.
    const server = servers.all.find(({ definition }) => definition.id === userServerId(name));
    const row: Row | undefined = server && { kind: 'server', server };
    await vscode.commands.executeCommand(Command.startServer, row);
  }
}

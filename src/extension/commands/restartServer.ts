import * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';
import { pickServer } from './pickServer.ts';

/** `restartServer`: stops a running server and starts it with what it may see now. */
export function registerRestartServer({ logger, servers }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.restartServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Restart which server?'),
      isWanted: ({ isLive }) => isLive,
      none: 'No server is running. Start one first.',
    });
    await server?.restart();
  });
}

import * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';
import { pickServer } from './pickServer.ts';
import { startServer } from './startServer.ts';

/** `restartServer`: stops a running server and starts it with what it may see now. */
export function registerRestartServer(context: CommandContext): vscode.Disposable {
  const { logger, servers } = context;
  return registerCommand(logger, Command.restartServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Restart which server?'),
      isWanted: ({ isLive }) => isLive,
      none: 'No server is running. Start one first.',
    });
    if (server) {
      await server.stop();
      await startServer(server, context);
    }
  });
}

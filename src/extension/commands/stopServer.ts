import * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';
import { pickServer } from './pickServer.ts';

/** `stopServer`: ends the server's process and all that it started. */
export function registerStopServer({ logger, servers }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.stopServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Stop which server?'),
      isWanted: ({ isLive, plan }) => isLive || plan.kind === 'waiting',
      none: 'No server is running.',
    });
    await server?.stop();
  });
}

import * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';
import { pickServer } from './pickServer.ts';

/** `reviewAccess`: all folders of one server in one list, to allow and to refuse. */
export function registerReviewAccess(context: CommandContext): vscode.Disposable {
  const { logger, servers, folders, consent } = context;
  return registerCommand(logger, Command.reviewAccess, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Review the folders of which server?'),
      isWanted: () => true,
      none: 'There is no server.',
    });
    if (server) {
      await folders.refresh();
      await consent.review(server);
    }
  });
}

import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';
import { pickServer } from './pickServer.ts';

/** `forgetSecrets`: removes what was entered for a server and what it was signed in with. */
export function registerForgetSecrets({
  logger,
  servers,
  secrets,
}: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.forgetSecrets, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Forget the secrets of which server?'),
      isWanted: () => true,
      none: 'There is no server.',
    });
    if (!server) {
      return;
    }
    const { label, id: serverId } = server.definition;
    if ((await secrets.forget(serverId)) === 0) {
      throw new HumanError('No secrets are kept for "{0}".', label);
    }
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The secrets of "{0}" are forgotten. You are asked again when it starts.',
        label,
      ),
    );
  });
}

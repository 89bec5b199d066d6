import { startsByItself } from '../../domain/consent/folderAccess.ts';
import { pickServer } from '../commands/pickServer.ts';
import type { ServerChoices } from '../consent/serverChoices.ts';
import { Command } from '../ids.ts';
import type { Commands } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** `offerToAgents` */
export function registerOfferToAgents(
  commands: Commands,
  servers: Servers,
  offers: ServerChoices,
): vscode.Disposable {
  return commands.register(Command.offerToAgents, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Offer which server to agents?'),
      isWanted: ({ isOffered }) => !isOffered,
      none: 'Every server is offered to agents already.',
    });
    if (!server) {
      return;
    }
    await offers.set(server, true);
    if (!startsByItself(server.access, server.isLaunchAllowed)) {
      void vscode.window.showInformationMessage(
        t(
          '"{0}" is there for agents once you have started it and allowed it a folder.',
          server.definition.label,
        ),
      );
    }
  });
}

/** `withdrawFromAgents`: agents lose it at once, with what they use it for at that moment. */
export function registerWithdrawFromAgents(
  commands: Commands,
  servers: Servers,
  offers: ServerChoices,
): vscode.Disposable {
  return commands.register(Command.withdrawFromAgents, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Withdraw which server from agents?'),
      isWanted: ({ isOffered }) => isOffered,
      none: 'No server is offered to agents.',
    });
    if (server) {
      await offers.set(server, false);
    }
  });
}

import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { Command } from '../ids.ts';
import { assertTrusted, type Commands } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type * as vscode from '../vscode.ts';
import { pickFolderToOffer } from './pickFolderToOffer.ts';
import { pickServer } from './pickServer.ts';

/** Offers folders on disk to one server, and asks the user about them. */
export type OfferFolders = (server: Server, paths: readonly string[]) => Promise<void>;

/** `offerFolder`: makes a folder a candidate of one server, or takes it back. */
export function registerOfferFolder(
  commands: Commands,
  servers: Servers,
  folders: CandidateFolders,
  offer: OfferFolders,
): vscode.Disposable {
  return commands.register(Command.offerFolder, async row => {
    assertTrusted(
      'In Restricted Mode no folder can be offered to a server. Trust this workspace first.',
    );
    const server = await pickServer(servers, row, {
      placeHolder: t('Offer a folder to which server?'),
    });
    if (!server) {
      return;
    }
    const choice = await pickFolderToOffer(server, folders, commands.logger);
    switch (choice?.kind) {
      case 'offer':
        return offer(server, choice.paths);
      case 'take-back':
        return folders.withdraw(server.definition, choice.path);
    }
  });
}

import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import type { Ruling } from '../../domain/folders/folderRules.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import type { Consent } from '../consent/consent.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { folderText } from '../folderText.ts';
import { Command } from '../ids.ts';
import { assertTrusted, registerCommand } from '../registerCommand.ts';
import type { Asked } from '../servers/asked.ts';
import type { Servers } from '../servers/servers.ts';
import { pickServer } from './pickServer.ts';

/** Offers folders on disk to one server, and asks the user about them. */
export type OfferFolders = (server: Asked, paths: readonly string[]) => Promise<void>;

/** `offerFolder`: makes a folder a candidate of one server, or takes it back. */
export function registerOfferFolder(
  logger: Logger,
  servers: Servers,
  folders: CandidateFolders,
  offer: OfferFolders,
): vscode.Disposable {
  return registerCommand(logger, Command.offerFolder, async row => {
    assertTrusted(
      'In Restricted Mode no folder can be offered to a server. Trust this workspace first.',
    );
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Offer a folder to which server?'),
    });
    if (!server) {
      return;
    }
    const { pickFolderToOffer } = await import('./onDemand.ts');
    const choice = await pickFolderToOffer(server, folders, logger);
    switch (choice?.kind) {
      case 'offer':
        return offer(server, choice.paths);
      case 'take-back':
        return folders.withdraw(server.definition, choice.path);
    }
  });
}

/**
 * Offers folders on disk to one server and asks about those that then wait for an answer, without
 * waiting for it. About every other folder it says why nothing is asked; an offer that a rule makes
 * void for good is not kept. Nothing is exposed by this.
 */
export async function offerFolders(
  server: Asked,
  paths: readonly string[],
  folders: CandidateFolders,
  consent: Consent,
  logger: Logger,
): Promise<void> {
  const offered = await folders.offer(server.definition, paths);
  const kept = await withoutRuledOut(offered, server, folders);
  const uris = new Set(kept.map(({ uri }) => uri));
  const accesses = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
  const waiting = accesses.filter(({ exclusion }) => exclusion === 'undecided');
  if (waiting.length > 0) {
    const asked = waiting.map(({ folder }) => folder);
    consent.askAboutAdded(server, asked).catch(error => logger.error(error));
  }
  for (const access of accesses.filter(({ exclusion }) => exclusion !== 'undecided')) {
    tellUnasked(access, server);
  }
}

/** Takes back the folders that no answer could make a root, and says why. Answers the others. */
async function withoutRuledOut(
  offered: readonly Folder[],
  { definition }: Asked,
  folders: CandidateFolders,
): Promise<readonly Folder[]> {
  const kept: Folder[] = [];
  for (const folder of offered) {
    const { exclusion } = folders.rules.rulingOn(folder);
    if (exclusion === undefined || folder.path === undefined) {
      kept.push(folder);
      continue;
    }
    await folders.withdraw(definition, folder.path);
    void vscode.window.showWarningMessage(ruledOutText(exclusion, printable(folder.name)));
  }
  return kept;
}

function ruledOutText(exclusion: NonNullable<Ruling['exclusion']>, name: string): string {
  return exclusion === 'forbidden'
    ? vscode.l10n.t('"{0}" can\'t be offered: mcpRoots.neverExpose forbids it.', name)
    : vscode.l10n.t('"{0}" can\'t be offered: mcpRoots.excludeFolders leaves it out.', name);
}

function tellUnasked(access: FolderAccess, server: Asked) {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      '"{0}" was offered to "{1}", but there is nothing to ask: {2}.',
      printable(access.folder.name),
      server.definition.label,
      folderText(access, server),
    ),
  );
}

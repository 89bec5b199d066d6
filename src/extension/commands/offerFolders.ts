import * as vscode from 'vscode';
import type { FolderAccess } from '../../domain/consent/access.ts';
import type { Ruling } from '../../domain/folders/folderRules.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { folderText } from '../folderText.ts';
import type { Server } from '../servers/server.ts';
import type { CommandContext } from './commandContext.ts';

/** What offering works with. */
export type OfferContext = Pick<CommandContext, 'folders' | 'consent' | 'logger'>;

/**
 * Offers folders on disk to one server and asks about those that wait for an answer then, without
 * waiting for it. Of the others it says why nothing is asked; an offer that a rule makes void for
 * good is not kept. Nothing is exposed by this.
 */
export async function offerFolders(
  server: Server,
  paths: readonly string[],
  context: OfferContext,
): Promise<void> {
  const { folders, consent, logger } = context;
  const offered = await folders.offer(server.definition, paths);
  const kept = await withoutRuledOut(offered, server, context);
  const uris = new Set(kept.map(({ uri }) => uri));
  const accesses = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
  const waiting = accesses.filter(({ leftOut }) => leftOut === 'undecided');
  if (waiting.length > 0) {
    const asked = waiting.map(({ folder }) => folder);
    consent.askAboutAdded(server, asked).catch(error => logger.error(error));
  }
  for (const access of accesses.filter(({ leftOut }) => leftOut !== 'undecided')) {
    tellUnasked(access, server);
  }
}

/** Takes back what no answer could make a root, and says of each why. Answers the rest. */
async function withoutRuledOut(
  offered: readonly Folder[],
  { definition }: Server,
  { folders }: OfferContext,
): Promise<readonly Folder[]> {
  const kept: Folder[] = [];
  for (const folder of offered) {
    const { leftOut } = folders.rules.rulingOn(folder);
    if (leftOut === undefined || folder.path === undefined) {
      kept.push(folder);
      continue;
    }
    await folders.withdraw(definition, folder.path);
    void vscode.window.showWarningMessage(ruledOutText(leftOut, printable(folder.name)));
  }
  return kept;
}

function ruledOutText(leftOut: NonNullable<Ruling['leftOut']>, name: string): string {
  return leftOut === 'forbidden'
    ? vscode.l10n.t('"{0}" can\'t be offered: mcpRoots.neverExpose forbids it.', name)
    : vscode.l10n.t('"{0}" can\'t be offered: mcpRoots.excludeFolders leaves it out.', name);
}

function tellUnasked(access: FolderAccess, { isLive, lastExposure: told, definition }: Server) {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      '"{0}" was offered to "{1}", but there is nothing to ask: {2}.',
      printable(access.folder.name),
      definition.label,
      folderText(access, { isLive, told }),
    ),
  );
}

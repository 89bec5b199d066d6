import * as vscode from 'vscode';
import { printable } from '../../domain/printable.ts';
import { folderText } from '../folderText.ts';
import type { Server } from '../servers/server.ts';
import type { CommandContext } from './commandContext.ts';

/**
 * Offers folders on disk to one server and asks about those that wait for an answer then, without
 * waiting for it. Of the others it says why nothing is asked. Nothing is exposed by this.
 */
export async function offerFolders(
  server: Server,
  paths: readonly string[],
  { folders, consent, logger }: Pick<CommandContext, 'folders' | 'consent' | 'logger'>,
): Promise<void> {
  const offered = await folders.offer(server.definition, paths);
  const uris = new Set(offered.map(({ uri }) => uri));
  const { isLive, lastExposure: told } = server;
  const accesses = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
  const waiting = accesses.filter(({ leftOut }) => leftOut === 'undecided');
  if (waiting.length > 0) {
    const asked = waiting.map(({ folder }) => folder);
    consent.askAboutAdded(server, asked).catch(error => logger.error(error));
  }
  for (const access of accesses.filter(({ leftOut }) => leftOut !== 'undecided')) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        '"{0}" was offered to "{1}", but there is nothing to ask: {2}.',
        printable(access.folder.name),
        server.definition.label,
        folderText(access, { isLive, told }),
      ),
    );
  }
}

import { l10n } from 'vscode';
import { type Folder, uniqueFolders } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { isOnThisMachine } from '../../domain/servers/loopback.ts';
import { folderDetails } from '../folderText.ts';
import type { Server } from '../servers/server.ts';
import { folderPlaces } from './consentText.ts';
import { shortLabel } from './startText.ts';

type Asked = Pick<Server, 'definition' | 'access'>;

/** The question about folders that a running server could be told of from now on. */
export function addedQuestion(server: Asked, folders: readonly Folder[]): string {
  const question = l10n.t(
    'Allow "{0}" to see the added {1}? It is not told of it until you answer.',
    shortLabel(server.definition),
    folderPlaces(folders),
  );
  return [question, ...leavesText(server), ...notesOn(server, folders)].join(' ');
}

/** The same for many servers at once. */
export function addedToMany(
  waiting: readonly { server: Asked; folders: readonly Folder[] }[],
): string {
  const folders = uniqueFolders(waiting.flatMap(one => one.folders));
  const labels = waiting.map(({ server }) => `"${shortLabel(server.definition)}"`);
  return l10n.t(
    '{0} servers wait for your answer on the added {1}: {2}. None is told of it until you answer.',
    waiting.length,
    folderPlaces(folders),
    labels.join(', '),
  );
}

/** What has to be said of a server that runs elsewhere. */
export function leavesText({ definition: { launch } }: Pick<Server, 'definition'>): string[] {
  return launch.type === 'http' && !isOnThisMachine(launch.url)
    ? [l10n.t('Its name and path would leave this machine.')]
    : [];
}

/** The question about a folder that is where an allowed one was. */
export function replacedQuestion(server: Asked, folder: Folder): string {
  const question = l10n.t(
    'Another folder took the place of {1}, which you had allowed "{0}" to see. Allow it to see this one? It is not told of it until you answer.',
    shortLabel(server.definition),
    folderPlaces([folder]),
  );
  return [question, ...leavesText(server), ...notesOn(server, [folder])].join(' ');
}

/** What should be known before saying yes: a message that is not modal has no room for details. */
function notesOn({ access }: Asked, folders: readonly Folder[]): string[] {
  const uris = new Set(folders.map(({ uri }) => uri));
  return access.folders
    .filter(({ folder }) => uris.has(folder.uri))
    .map(each => ({ ...each, notes: each.notes.filter(({ kind }) => kind !== 'replaced') }))
    .filter(({ notes }) => notes.length > 0)
    .map(each => `${printable(each.folder.name)}: ${folderDetails(each).join('; ')}.`);
}

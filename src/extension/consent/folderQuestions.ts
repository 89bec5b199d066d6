import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { type Folder, uniqueFolders } from '../../domain/folders/folders.ts';
import { cutMiddle, printable } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import { folderDetails } from '../folderText.ts';
import type { Asked } from '../servers/asked.ts';

/** How many characters of each text are shown. */
const longest = { label: 60, path: 60, name: 24 };

/** A server's name in a sentence. */
export function shortLabel({ label }: Pick<ServerDefinition, 'label'>): string {
  return cutMiddle(label, longest.label);
}

/** A folder's name in a sentence. */
export function shortName(name: string): string {
  return cutMiddle(printable(name), longest.name);
}

/** A folder's path, or its URI, in a sentence. */
export function shortPath(path: string): string {
  return cutMiddle(printable(path), longest.path);
}

/** The names of some folders in a sentence; of many only how many there are. */
export function folderNames(folders: readonly Folder[]): string {
  if (folders.length > 3) {
    return l10n.t('{0} folders', folders.length);
  }
  const names = distinctNames(folders).map(name => `"${shortName(name)}"`);
  return names.join(', ');
}

/** {@link folderNames}, with the path where there is only one. */
function folderPlaces(folders: readonly Folder[]): string {
  const [only, ...more] = folders;
  return only && more.length === 0
    ? `${folderNames(folders)} (${shortPath(only.path ?? only.uri)})`
    : folderNames(folders);
}

type Questioned = Pick<Asked, 'definition' | 'access'>;

/** The question about folders that a running server could be told of from now on. */
export function addedQuestion(server: Questioned, folders: readonly Folder[]): string {
  const question = l10n.t(
    'Allow "{0}" to see the added {1}? It is not told of it until you answer.',
    shortLabel(server.definition),
    folderPlaces(folders),
  );
  return [question, ...leavesText(server), ...notesOn(server, folders)].join(' ');
}

/** {@link addedQuestion} for many servers at once. */
export function addedToMany(
  waiting: readonly { server: Questioned; folders: readonly Folder[] }[],
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

/** The warning about a server that runs elsewhere; none for one on this machine. */
export function leavesText({ definition: { launch } }: Pick<Asked, 'definition'>): string[] {
  return launch?.type === 'http' && !isOnThisMachine(launch.url)
    ? [l10n.t('Its name and path would leave this machine.')]
    : [];
}

/** The question about a folder that is where an allowed one was. */
export function replacedQuestion(server: Questioned, folder: Folder): string {
  const question = l10n.t(
    'Another folder took the place of {1}, which you had allowed "{0}" to see. Allow it to see this one? It is not told of it until you answer.',
    shortLabel(server.definition),
    folderPlaces([folder]),
  );
  return [question, ...leavesText(server), ...notesOn(server, [folder])].join(' ');
}

/** The notes to read before saying yes, in the text: a message that is not modal has no details. */
function notesOn({ access }: Questioned, folders: readonly Folder[]): string[] {
  const uris = new Set(folders.map(({ uri }) => uri));
  return access.folders
    .filter(({ folder }) => uris.has(folder.uri))
    .map(each => ({ ...each, notes: each.notes.filter(({ kind }) => kind !== 'replaced') }))
    .filter(({ notes, isReadOnly }) => notes.length > 0 || isReadOnly)
    .map(each => {
      const texts = [...(each.isReadOnly ? [l10n.t('read only')] : []), ...folderDetails(each)];
      return `${printable(each.folder.name)}: ${texts.join('; ')}.`;
    });
}

/** The answers to the question whether a server may see some folders. */
export type Answer = 'allow' | 'choose' | 'deny' | 'not-now';

/** A button that gives an answer. */
export interface AnswerButton extends vscode.MessageItem {
  readonly answer: Answer;
}

/** The buttons of every such question. Leaving the question is "not now". */
export function answerButtons(): AnswerButton[] {
  return [
    { title: vscode.l10n.t('Allow'), answer: 'allow' },
    { title: vscode.l10n.t('Choose Folders…'), answer: 'choose' },
    { title: vscode.l10n.t("Don't Allow"), answer: 'deny' },
  ];
}

import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import { l10n } from 'vscode';
import type { Access, FolderAccess } from '../../domain/consent/access.ts';
import { cutMiddle } from '../../domain/cut.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import type { IdentityFields } from '../../domain/servers/serverIdentity.ts';
import { folderDetails } from '../folderText.ts';
import type { Server } from '../servers/server.ts';
import { startDetail } from './startText.ts';

/** How many characters of each text are shown, and how many folders and notes. */
const longest = { path: 60, detail: 60, name: 24 };
const most = { folders: 3, notes: 2 };

/** What the question says before a server is started: what is run, what to know, what it is told. */
export function consentDetail(server: Server, former: IdentityFields | undefined): string {
  return startDetail(server, former, toldText(server.access));
}

/** What the server is told of when the answer is yes: what it may see already, and what is asked. */
function toldText({ folders }: Access): string {
  const told = folders.filter(({ root, leftOut }) => root || leftOut === 'undecided');
  if (told.length === 0) {
    return l10n.t('It will be told of no folder.');
  }
  return told.length > most.folders
    ? foldedText(told)
    : [l10n.t('It will be told of:'), ...told.flatMap(folderLines)].join('\n');
}

/** Many folders in a few lines: where they are, how some are called, and what to know of them. */
function foldedText(told: readonly FolderAccess[]): string {
  const folders = told.map(({ folder }) => folder);
  const names = distinctNames(folders).map(shortName);
  const shown = names.slice(0, most.folders).join(', ');
  const parent = commonParent(folders.flatMap(({ path }) => path ?? []));
  const known = told.filter(({ root }) => root).length;
  const notes = told.flatMap(access =>
    folderDetails(access).map(
      detail => `• ${shortName(access.folder.name)}: ${cutMiddle(detail, longest.path)}`,
    ),
  );
  const more = notes.length - most.notes;
  return [
    l10n.t(
      'It will be told of {0} folders in {1}: {2} and {3} more. Choose Folders… lists them.',
      folders.length,
      cutMiddle(printable(parent), longest.path),
      shown,
      names.length - most.folders,
    ),
    ...(known > 0 ? [l10n.t('{0} of them are allowed already.', known)] : []),
    ...notes.slice(0, most.notes),
    ...(more > 0 ? [l10n.t('• and {0} more notes', more)] : []),
  ].join('\n');
}

/** The folder that all of them lie in, with `~` for the home. */
function commonParent(paths: readonly string[]): string {
  let parent = dirname(paths[0] ?? '');
  const isIn = (path: string) => path.startsWith(parent.endsWith(sep) ? parent : parent + sep);
  while (!paths.every(isIn) && dirname(parent) !== parent) {
    parent = dirname(parent);
  }
  const home = homedir();
  return parent === home || parent.startsWith(home + sep)
    ? `~${parent.slice(home.length)}`
    : parent;
}

/** Where a folder is, and below that what should be known before saying yes. */
function folderLines(access: FolderAccess): string[] {
  const { folder, root } = access;
  const path = cutMiddle(printable(folder.path ?? folder.uri), longest.path);
  const place = `• ${shortName(folder.name)} — ${path}`;
  return [
    root ? l10n.t('{0} (allowed already)', place) : place,
    ...folderDetails(access)
      .slice(0, most.notes)
      .map(detail => `   ${cutMiddle(detail, longest.detail)}`),
  ];
}

function shortName(name: string): string {
  return cutMiddle(printable(name), longest.name);
}

/** The names of some folders in a sentence; of many only how many there are. */
export function folderNames(folders: readonly Folder[]): string {
  if (folders.length > 3) {
    return l10n.t('{0} folders', folders.length);
  }
  const names = distinctNames(folders).map(name => `"${shortName(name)}"`);
  return names.join(', ');
}

/** The same, with the path where there is only one. */
export function folderPlaces(folders: readonly Folder[]): string {
  const [only, ...more] = folders;
  return only && more.length === 0
    ? `${folderNames(folders)} (${cutMiddle(printable(only.path ?? only.uri), longest.path)})`
    : folderNames(folders);
}

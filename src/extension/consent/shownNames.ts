import type { Folder } from '../../domain/folders/folders.ts';
import { cutMiddle, printable } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';

/** Characters shown of each text. */
const longest = { label: 60, path: 60, name: 24 };
/** Names in a sentence, which counts the others. */
const mostNames = 3;

/** A server's name in a sentence. */
export function shortLabel({ label }: Pick<ServerDefinition, 'label'>): string {
  return cutMiddle(label, longest.label);
}

/** A folder's name in a sentence. */
export function shortName(name: string): string {
  return cutMiddle(printable(name), longest.name);
}

/** The name of a client in a sentence, as it gives it itself. */
export function clientName(name: string): string {
  return name ? shortName(name) : t('a client without a name');
}

/** A folder's path, or its URI, in a sentence. */
export function shortPath(path: string): string {
  return cutMiddle(printable(path), longest.path);
}

/** The names of servers in a sentence: the first of them, and how many more there are. */
export function serverNames(servers: readonly Pick<Server, 'definition'>[]): string {
  return listed(servers.map(({ definition }) => shortLabel(definition)));
}

/** The names of folders in a sentence, as {@link serverNames}, each made distinct from the others. */
export function folderNames(folders: readonly Folder[]): string {
  return listed(distinctNames(folders).map(shortName));
}

/** Names in a sentence, in quotes: the first of them, and how many more there are. */
export function listed(names: readonly string[]): string {
  // To count one takes as much room as its name.
  const shown = names.length === mostNames + 1 ? names : names.slice(0, mostNames);
  const list = shown.map(name => `"${name}"`).join(', ');
  const more = names.length - shown.length;
  return more > 0 ? t('{0} and {1} more', list, more) : list;
}

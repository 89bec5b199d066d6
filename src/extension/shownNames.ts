import type { Folder } from '../domain/folders/folders.ts';
import { cutMiddle, printable } from '../domain/printable.ts';
import { namesAmong } from '../domain/roots.ts';
import type { ServerDefinition } from '../domain/servers/serverDefinition.ts';
import type { Server } from './servers/server.ts';
import { t } from './text.ts';

/** The most characters shown of each kind of text. */
const longest = { label: 60, path: 60, name: 24 };
/** The most names that a sentence lists. It counts the rest. */
const mostNames = 3;

/** A server's name in a sentence. */
export function shortLabel({ label }: Pick<ServerDefinition, 'label'>): string {
  return cutMiddle(label, longest.label);
}

/** A folder's name in a sentence. */
export function shortName(name: string): string {
  return cutMiddle(printable(name), longest.name);
}

/** The name of a client in a sentence, as the client states it. */
export function clientName(name: string): string {
  return name ? shortName(name) : t('a client without a name');
}

/** A folder's path, or its URI, in a sentence. */
export function shortPath(path: string): string {
  return cutMiddle(printable(path), longest.path);
}

/** The names of servers in a sentence: the first names, and how many servers are left. */
export function serverNames(servers: readonly Pick<Server, 'definition'>[]): string {
  return listed(servers.map(({ definition }) => shortLabel(definition)));
}

/** The names of folders in a sentence, each different from all folder names of these servers. */
export function folderNames(
  folders: readonly Folder[],
  servers: readonly Pick<Server, 'access'>[],
): string {
  const others = servers.flatMap(({ access }) => access.folders.map(({ folder }) => folder));
  return listed(namesAmong(folders, others).map(shortName));
}

/** Names in quotes for a sentence: the first names, and how many are left. */
export function listed(names: readonly string[]): string {
  // If only one name is left, the name takes no more room than a count.
  const most = names.length === mostNames + 1 ? names.length : mostNames;
  return firstOf(
    names.map(name => `"${name}"`),
    most,
  );
}

/** The first texts for a sentence, and how many are left. */
export function firstOf(texts: readonly string[], most: number): string {
  const list = texts.slice(0, most).join(', ');
  const more = texts.length - most;
  return more > 0 ? t('{0} and {1} more', list, more) : list;
}

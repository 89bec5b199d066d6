import { isJsonObject, type JsonObject, type KeyPath, partAt } from '../json.ts';
import { type Mistake, Mistakes, noteUnknown, placedIn } from '../settings/mistakes.ts';
import { type HubServer, readHubServer } from './hubServer.ts';

/** The servers behind a hub, in the order of the file. */
export interface HubConfig {
  readonly servers: readonly HubServer[];
}

interface ReadHubConfig extends HubConfig {
  /** The names of switched-off servers, in the order of the file. */
  readonly switchedOff: readonly string[];
  /** All mistakes. For a missing key, the path leads to where the key belongs. */
  readonly mistakes: readonly Mistake[];
}

/** The keys that hold servers by name in a hub's configuration. Clients use the same keys. */
export const hubLists = ['mcpServers', 'servers'] as const;
/** Keys that clients write beside the servers. The hub ignores `inputs`, because it can't ask. */
const others = ['inputs', 'sandbox', '$schema'];

/**
 * Reads the value of a `servers.json`: servers by name in `mcpServers`, in `servers`, or in both,
 * in the form of Claude Desktop, Cursor, Claude Code and the editor's `mcp.json`.
 *
 * A mistake leaves out only its own server. All mistakes of a server are reported. Never throws,
 * for any value.
 */
export function readHubConfig(value: unknown, userHome: string): ReadHubConfig {
  const mistakes = new Mistakes('The configuration', '');
  const entries = entriesOf(value, mistakes);
  const isTwice = (name: string) =>
    hubLists.every(list => partAt(value, [list, name]) !== undefined);
  const read = entries.map(entry => readEntry(entry, isTwice(entry.name), userHome));
  return {
    servers: read.flatMap(({ server }) => server ?? []),
    switchedOff: read.flatMap(({ name, server, mistakes }) =>
      server === undefined && mistakes.length === 0 ? [name] : [],
    ),
    mistakes: [...mistakes.all, ...read.flatMap(one => one.mistakes)],
  };
}

interface ServerEntry {
  readonly list: string;
  readonly name: string;
  readonly value: unknown;
}

function entriesOf(value: unknown, mistakes: Mistakes): readonly ServerEntry[] {
  if (!isJsonObject(value)) {
    mistakes.add('The file must be an object with servers by name in "mcpServers".');
    return [];
  }
  for (const key of Object.keys(value).filter(key => !others.includes(key))) {
    checkTopKey(key, value[key], mistakes);
  }
  const there = hubLists.filter(list => Object.hasOwn(value, list));
  if (there.length === 0) {
    mistakes.add(noList);
  }
  return there.flatMap(list => entriesIn(list, value[list]));
}

const noList = 'The file has neither "mcpServers" nor "servers". Add one of them.';

function checkTopKey(key: string, value: unknown, mistakes: Mistakes): void {
  if (!hubLists.some(list => list === key)) {
    noteUnknown(key, [...hubLists, ...others], mistakes);
  } else if (!isJsonObject(value)) {
    mistakes.addAt(key, 'must be an object of servers by name.');
  }
}

function entriesIn(list: string, value: unknown): readonly ServerEntry[] {
  const servers: JsonObject = isJsonObject(value) ? value : {};
  return Object.entries(servers).map(([name, value]) => ({ list, name, value }));
}

/** @param isTwice whether both lists have the name. Then nobody can tell which server is meant. */
function readEntry({ list, name, value }: ServerEntry, isTwice: boolean, userHome: string) {
  const mistakes = new Mistakes('Server "{0}"', name);
  if (isTwice) {
    mistakes.add(inBothLists);
  }
  const server = readHubServer(name, value, userHome, mistakes);
  return {
    name,
    server: mistakes.all.length > 0 ? undefined : server,
    mistakes: placedIn([list, name], mistakes.all),
  };
}

const inBothLists =
  'The server is in "mcpServers" and in "servers". Write the server in one list only.';

/**
 * The mistakes when an object of the configuration has a key twice, and the server that is left out
 * because nobody can tell which of the two values is meant.
 */
export function keyTwice(path: KeyPath) {
  const [list = '', server, ...rest] = path;
  if (typeof server !== 'string' || !hubLists.some(known => known === list)) {
    const mistakes = new Mistakes('The configuration', '');
    mistakes.addAt(path, 'is written twice. Only the last one counts.');
    return { mistakes: mistakes.all, server: undefined };
  }
  const mistakes = new Mistakes('Server "{0}"', server);
  if (rest.length === 0) {
    mistakes.add('The server is written twice. Write the server only once.');
  } else {
    mistakes.addAt(rest, 'is written twice. Write this key only once.');
  }
  return { mistakes: placedIn([list, server], mistakes.all), server };
}

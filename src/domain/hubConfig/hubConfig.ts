import { isJsonObject, type JsonObject, type KeyPath } from '../json.ts';
import { type Mistake, Mistakes, noteUnknown, placedIn } from '../settings/mistakes.ts';
import { type HubServer, readHubServer } from './hubServer.ts';

/** The servers that a hub has in front of it, in the order in which they are written. */
export interface HubConfig {
  readonly servers: readonly HubServer[];
}

interface ReadHubConfig extends HubConfig {
  /** The names of those that are switched off, in the order in which they are written. */
  readonly switchedOff: readonly string[];
  /** The place of a missing key is the one that it would have. */
  readonly mistakes: readonly Mistake[];
}

/** The keys under which a hub's configuration has servers by name, as clients write them. */
export const hubLists = ['mcpServers', 'servers'] as const;
/** Keys that clients write beside the servers; only the editor asks for the inputs. */
const others = ['inputs', 'sandbox', '$schema'];

/**
 * Reads the value of a `servers.json`: servers by name in `mcpServers`, in `servers`, or in both, in
 * the form of Claude Desktop, Cursor, Claude Code and the editor's `mcp.json`.
 *
 * A mistake costs the server it is in, never the others, and all mistakes of a server are told. It
 * never throws, whatever the value is.
 */
export function readHubConfig(value: unknown, userHome: string): ReadHubConfig {
  const mistakes = new Mistakes('The configuration', '');
  const entries = entriesOf(value, mistakes);
  const twice = namedTwice(entries);
  const read = entries.map(entry => readEntry(entry, twice.has(entry.name), userHome));
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
    mistakes.add('It must be an object with servers by name in "mcpServers".');
    return [];
  }
  for (const key of Object.keys(value).filter(key => !others.includes(key))) {
    checkTopKey(key, value[key], mistakes);
  }
  const there = hubLists.filter(list => Object.hasOwn(value, list));
  if (there.length === 0) {
    mistakes.add('It has neither "mcpServers" nor "servers", so there is no server.');
  }
  return there.flatMap(list => entriesIn(list, value[list]));
}

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

/** The names that are in both lists: neither server can be the one that was meant. */
function namedTwice(entries: readonly ServerEntry[]): ReadonlySet<string> {
  const [first] = hubLists;
  const inFirst = new Set(entries.filter(({ list }) => list === first).map(({ name }) => name));
  const inOther = entries.filter(({ list, name }) => list !== first && inFirst.has(name));
  return new Set(inOther.map(({ name }) => name));
}

function readEntry({ list, name, value }: ServerEntry, isTwice: boolean, userHome: string) {
  const mistakes = new Mistakes('Server "{0}"', name);
  if (isTwice) {
    mistakes.add('It is in "mcpServers" and in "servers". Leave out one of them.');
  }
  const server = readHubServer(name, value, userHome, mistakes);
  return {
    name,
    server: mistakes.all.length > 0 ? undefined : server,
    mistakes: placedIn([list, name], mistakes.all),
  };
}

/** The cost of a key that an object of the configuration has twice. */
interface Twice {
  readonly mistakes: readonly Mistake[];
  /** The server that is not to be used: which of two rules was meant cannot be told. */
  readonly server: string | undefined;
}

export function keyTwice(path: KeyPath): Twice {
  const [list = '', server, ...rest] = path;
  if (typeof server !== 'string' || !hubLists.some(known => known === list)) {
    const mistakes = new Mistakes('The configuration', '');
    mistakes.addAt(path, 'is there twice. The last one counts.');
    return { mistakes: mistakes.all, server: undefined };
  }
  const mistakes = new Mistakes('Server "{0}"', server);
  if (rest.length === 0) {
    mistakes.add('It is there twice. Leave out one of them.');
  } else {
    mistakes.addAt(rest, 'is there twice. Leave out one of them.');
  }
  return { mistakes: placedIn([list, server], mistakes.all), server };
}

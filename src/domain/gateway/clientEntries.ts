import { isJsonObject, isSameJson } from '../json.ts';
import { type Client, knownClient } from './clientFiles.ts';

/** A server's entry in a client's configuration: the name, and the arguments for Node. */
export interface ClientEntry {
  readonly name: string;
  readonly args: readonly string[];
}

/** The hub's name in a client's configuration. */
export const hubName = 'mcp-roots-hub';

/** Stands for a folder that the user fills in. The path does not exist, so it opens nothing. */
const placeholder = '/path/to/project';

/**
 * Returns the entry that connects a client to a window's server. Most clients start the connector
 * in their folder, which identifies the window. For other clients, the entry names a folder.
 */
export function serverEntry(
  client: Client,
  name: string,
  connector: string,
  folders: readonly string[],
): ClientEntry {
  const [folder] = knownClient(client).startsAtHome ? folders : [];
  const named = folder === undefined ? [] : ['--workspace', folder];
  return { name, args: [connector, '--server', name, ...named] };
}

/**
 * Returns the entry that makes a client start the hub, which needs no window. The entry names the
 * folders if the client does not tell servers its roots.
 */
export function hubEntry(
  client: Client,
  launcher: string,
  config: string,
  folders: readonly string[],
): ClientEntry {
  const named = folders.length > 0 ? folders : [placeholder];
  const roots = knownClient(client).tellsRoots ? [] : named.flatMap(folder => ['--root', folder]);
  return { name: hubName, args: [launcher, '--config', config, ...roots] };
}

/** The files that a client's entries name: connector, hub, and the hub's configuration. */
export interface EntryFiles {
  readonly connector: string;
  readonly hub: string;
  readonly config: string;
}

/**
 * The name of the server that a client's entry reaches through this window's files, or `hubName`
 * for the hub. `undefined` if {@link entryValue} would make another entry: a repository can have an
 * entry of the same name, for any program and with any variables (NODE_OPTIONS).
 */
export function nameThroughUs(
  entry: unknown,
  { connector, hub, config }: EntryFiles,
): string | undefined {
  const { command, args, ...more } = isJsonObject(entry) ? entry : {};
  const isBare = isSameJson({ type: 'stdio', env: {}, ...more }, { type: 'stdio', env: {} });
  if (command !== 'node' || !isBare || !Array.isArray(args)) {
    return undefined;
  }
  const [program, option, value, ...named] = args;
  const isFurther = (wanted: string) =>
    named.every((word, nth) => nth % 2 === 1 || word === wanted);
  if (program === hub && option === '--config' && value === config && isFurther('--root')) {
    return hubName;
  }
  const isServer = program === connector && option === '--server' && isFurther('--workspace');
  return isServer && typeof value === 'string' ? value : undefined;
}

/** Whether an entry starts any editor's connector or hub. If imported, it would start itself. */
export function isLikeOurs(entry: unknown): boolean {
  const args: unknown = isJsonObject(entry) ? entry['args'] : undefined;
  const [program, option] = Array.isArray(args) ? args.map(String) : [];
  const [, file] = /[/\\]hub[/\\](connect|mcp-roots)\.cjs$/.exec(program ?? '') ?? [];
  return file !== undefined && option === (file === 'connect' ? '--server' : '--config');
}

export function entryValue(client: Client, { args }: ClientEntry): object {
  const start = { command: 'node', args };
  return knownClient(client).entry?.(start) ?? start;
}

/** The entry as a TOML table. A JSON string is also a TOML string. */
export function tomlTable(serversKey: string, { name, args }: ClientEntry): string {
  const list = args.map(arg => JSON.stringify(arg)).join(', ');
  return `[${serversKey}.${name}]\ncommand = "node"\nargs = [${list}]\n`;
}

/** The entries as text that a user can paste: lines for a terminal, TOML or JSON. */
export function clientSnippet(
  client: Client,
  entries: readonly ClientEntry[],
  platform: NodeJS.Platform,
): string {
  const { command, serversKey, isToml } = knownClient(client);
  if (command) {
    return entries.map(entry => commandLine(command, entry, platform)).join('\n');
  }
  if (isToml) {
    return entries.map(entry => tomlTable(serversKey, entry)).join('\n');
  }
  const servers = entries.map(entry => [entry.name, entryValue(client, entry)]);
  return `${JSON.stringify({ [serversKey]: Object.fromEntries(servers) }, undefined, 2)}\n`;
}

function commandLine(
  command: string,
  { name, args }: ClientEntry,
  platform: NodeJS.Platform,
): string {
  const isWindows = platform === 'win32';
  // A PowerShell script does not receive a bare `--`, and `claude` may be a script.
  const end = isWindows ? '"--"' : '--';
  const words = args.map(isWindows ? quoteForWindows : quoteForPosix);
  return [command, name, end, 'node', ...words].join(' ');
}

function quoteForPosix(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Double quotes work in both shells of Windows, but PowerShell expands a `$` inside them. */
function quoteForWindows(word: string): string {
  if (/^[\w.:\\/-]+$/.test(word)) {
    return word;
  }
  return /[$`]/.test(word) ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

import { posix, win32 } from 'node:path';
import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { NamedFolder } from '../settings/definitionVariables.ts';

/**
 * A client of MCP servers: where it keeps its servers, and in which form. Only servers in JSON, with
 * entries that are a start and no more, can be imported and are known again.
 */
type KnownClient = ClientFacts & (Importable | { readonly isImported?: undefined });

interface Importable {
  readonly isImported: true;
  readonly isToml?: undefined;
  readonly entry?: undefined;
}

interface ClientFacts {
  readonly label: string;
  /** The user's file, from the home. */
  readonly userFile?: string;
  /** The same where it is elsewhere. */
  readonly userFileOn?: Partial<Record<NodeJS.Platform, string>>;
  readonly folderFile?: string;
  /** The key of its file that holds the servers by name; left out: `mcpServers`. */
  readonly serversKey?: string;
  /** Whether its file is TOML; left out: it is JSON. */
  readonly isToml?: true;
  /** The entry of a server in its JSON, where it has more than the start. */
  readonly entry?: (start: object) => object;
  /** The beginning of a line for a terminal that adds a server: it is copied instead of an entry. */
  readonly command?: string;
  /** The advice for the copied entry; left out: it goes into a file. */
  readonly advice?: string;
  /** Whether it runs where the user sits, and reads the user's file there. */
  readonly isApp?: true;
  /** Whether it starts servers in the user's home, so that their folder names no window. */
  readonly startsAtHome?: true;
  /**
   * Whether it tells servers their roots. An unknown client counts as one that does not: a folder on the
   * command line widens nothing.
   */
  readonly tellsRoots?: true;
}

/** Every client. Tests tell where else a new one has to be named: in the manual, and as a protected name. */
export const knownClients = {
  // Its user's file stands beside its settings, and it takes servers from the extension itself.
  vscode: {
    label: 'VS Code',
    folderFile: '.vscode/mcp.json',
    serversKey: 'servers',
    isImported: true,
  },
  // Of the user's it has a file with all of its state, which is not written, and a command.
  'claude-code': {
    label: 'Claude Code',
    folderFile: '.mcp.json',
    command: 'claude mcp add --scope user',
    advice: 'It is for a terminal, to be run once.',
    isImported: true,
    tellsRoots: true,
  },
  codex: {
    label: 'Codex',
    userFile: '.codex/config.toml',
    folderFile: '.codex/config.toml',
    serversKey: 'mcp_servers',
    isToml: true,
  },
  'copilot-cli': {
    label: 'Copilot CLI',
    userFile: '.copilot/mcp-config.json',
    entry: start => ({ type: 'local', ...start, tools: ['*'] }),
  },
  'gemini-cli': {
    label: 'Gemini CLI',
    userFile: '.gemini/settings.json',
    folderFile: '.gemini/settings.json',
    tellsRoots: true,
  },
  cursor: {
    label: 'Cursor',
    userFile: '.cursor/mcp.json',
    folderFile: '.cursor/mcp.json',
    isImported: true,
    isApp: true,
    tellsRoots: true,
  },
  'claude-desktop': {
    label: 'Claude Desktop',
    userFile: '.config/Claude/claude_desktop_config.json',
    userFileOn: {
      darwin: 'Library/Application Support/Claude/claude_desktop_config.json',
      win32: '%APPDATA%/Claude/claude_desktop_config.json',
    },
    advice:
      'In Claude Desktop, "Edit Config" under Settings > Developer leads to the file to paste it into. Restart Claude Desktop then.',
    isImported: true,
    isApp: true,
    startsAtHome: true,
  },
  windsurf: {
    label: 'Windsurf',
    userFile: '.codeium/windsurf/mcp_config.json',
    isApp: true,
  },
  zed: {
    label: 'Zed',
    userFile: '.config/zed/settings.json',
    userFileOn: { win32: '%APPDATA%/Zed/settings.json' },
    serversKey: 'context_servers',
    advice: 'Add it to the settings of Zed.',
    isApp: true,
  },
  other: { label: 'Other Client' },
} as const satisfies Record<string, KnownClient>;

type ClientName = keyof typeof knownClients;

/** The clients that a user can connect. */
export type Client = Exclude<ClientName, 'vscode'>;

export function knownClient(client: ClientName) {
  const known: KnownClient = knownClients[client];
  return { serversKey: usualKey, ...known };
}

/** The key of all files of clients that do not say another. */
const usualKey = 'mcpServers';

/** The keys under which files of clients have servers by name, the usual one first. */
export function serverLists(): readonly string[] {
  return [...new Set([usualKey, ...allClients().map(client => knownClient(client).serversKey)])];
}

function allClients(): readonly ClientName[] {
  return Object.keys(knownClients) as ClientName[];
}

export function adviceOn(client: Client): Sentence {
  const { advice, userFile, folderFile } = knownClient(client);
  const file = userFile === undefined ? folderFile : `~/${userFile}`;
  if (advice === undefined && file !== undefined) {
    return sentence('Add it to {0}.', file);
  }
  return sentence(advice ?? 'It has the form that most clients take.');
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** `%APPDATA%`, on Windows. */
  readonly appData: string | undefined;
  /** The folders of the window that are on disk. */
  readonly folders: readonly NamedFolder[];
}

/** A file where a client keeps servers. It need not be there. */
export interface ClientFile {
  readonly path: string;
  readonly scope: 'user' | 'folder';
}

/**
 * The files of a client that can be written on this machine: the user's, then those of the folders.
 *
 * @param isRemote whether the user sits at another machine than this one.
 */
export function clientFiles(client: Client, machine: Machine, isRemote: boolean): ClientFile[] {
  const { isApp, folderFile } = knownClient(client);
  const user = isRemote && isApp ? undefined : userFile(client, machine);
  return [
    ...(user === undefined ? [] : [{ path: user, scope: 'user' } as const]),
    ...(folderFile === undefined ? [] : machine.folders).map(
      ({ path }) =>
        ({ path: paths(machine).join(path, folderFile ?? ''), scope: 'folder' }) as const,
    ),
  ];
}

function userFile(client: ClientName, machine: Machine): string | undefined {
  const { platform, home, appData } = machine;
  const { join } = paths(machine);
  const { userFile, userFileOn } = knownClient(client);
  const file = userFileOn?.[platform] ?? userFile;
  const [, inAppData] = /^%APPDATA%\/(.*)/.exec(file ?? '') ?? [];
  if (inAppData !== undefined) {
    return join(appData ?? join(home, 'AppData', 'Roaming'), inAppData);
  }
  return file === undefined ? undefined : join(home, file);
}

/** A place where another client keeps its servers. */
export interface ImportSource {
  /** The name of the place: printable as it is. */
  readonly label: string;
  /** The keys that lead to the lists of servers in the file. Empty: they are at its top. */
  readonly at: readonly string[];
  /** Whether the servers are for everyone in this workspace, or for one user in every workspace. */
  readonly scope: 'workspace' | 'user';
  /** The folder they are for, where the window has several. */
  readonly folder?: string;
}

/** A list of servers in a file of another client. The file need not be there. */
export interface ImportPlace {
  readonly path: string;
  readonly source: ImportSource;
}

export interface ImportMachine extends Machine {
  /** The folder where the editor keeps the user's settings. */
  readonly userSettings: string;
  /** The file that defines the workspace, if one does. */
  readonly workspaceFile: string | undefined;
}

/** Every place with servers that can be imported: those of the workspace first, then the user's. */
export function importPlaces(machine: ImportMachine): ImportPlace[] {
  const { home, userSettings, workspaceFile, folders } = machine;
  const { join, basename } = paths(machine);
  const imported = allClients().filter(client => knownClient(client).isImported);
  const placesOf = (client: ClientName, folder: NamedFolder) => {
    const { folderFile: file } = knownClient(client);
    return file === undefined
      ? []
      : [place(join(folder.path, file), 'workspace', inFolder(folder, file, machine))];
  };
  const state = '.claude.json';
  const ofState = (folder: NamedFolder) =>
    projectKeys(folder.path, machine).map(key => {
      const more = { ...inFolder(folder, `~/${state}`, machine), at: ['projects', key] };
      return place(join(home, state), 'user', more);
    });
  const ofUser = (client: ClientName) => {
    const path = userFile(client, machine);
    const { userFile: file, userFileOn } = knownClient(client);
    if (path === undefined) {
      return [];
    }
    return [place(path, 'user', { label: userFileOn ? basename(path) : `~/${file}` })];
  };
  const ofWorkspace = (path: string) =>
    place(path, 'workspace', {
      label: printable(basename(path)),
      at: ['settings', 'mcp'],
    });
  return [
    ...folders.flatMap(folder => imported.flatMap(client => placesOf(client, folder))),
    ...(workspaceFile === undefined ? [] : [ofWorkspace(workspaceFile)]),
    place(join(userSettings, 'mcp.json'), 'user', { label: 'User/mcp.json' }),
    place(join(home, state), 'user', { label: `~/${state}` }),
    ...folders.flatMap(ofState),
    ...imported.flatMap(ofUser),
  ];
}

function place(
  path: string,
  scope: ImportSource['scope'],
  more: Pick<ImportSource, 'label'> & Partial<ImportSource>,
): ImportPlace {
  return { path, source: { scope, at: [], ...more } };
}

/** A folder is named only where there are several. */
function inFolder({ name }: NamedFolder, file: string, { folders }: Machine) {
  return folders.length === 1
    ? { label: printable(file) }
    : { label: printable(`${file} (${name})`), folder: name };
}

/** The names under which Claude Code may know a folder: on Windows there is more than one spelling. */
function projectKeys(path: string, { platform }: Machine): string[] {
  if (platform !== 'win32') {
    return [path];
  }
  const drives = [path[0]?.toUpperCase() + path.slice(1), path[0]?.toLowerCase() + path.slice(1)];
  return drives.flatMap(drive => [drive, drive.replaceAll('\\', '/')]);
}

function paths({ platform }: Machine) {
  return platform === 'win32' ? win32 : posix;
}

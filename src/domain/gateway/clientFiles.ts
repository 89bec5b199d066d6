import { posix, win32 } from 'node:path';
import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { NamedFolder } from '../settings/definitionVariables.ts';

/** A client of MCP servers: where its list of servers is, and in which form. */
interface KnownClient {
  readonly label: string;
  /** Whether Import reads the client's files. Import reads servers in JSON files only. */
  readonly isImported?: true;
  /** The user's file, relative to the home folder. */
  readonly userFile?: string;
  /** The user's file on systems where the path differs. */
  readonly userFileOn?: Partial<Record<NodeJS.Platform, string>>;
  readonly folderFile?: string;
  /** The key in the file that holds the servers by name; left out: `mcpServers`. */
  readonly serversKey?: string;
  /** True if the client's file is TOML, not JSON. */
  readonly isToml?: true;
  /** Makes a server's entry in JSON, if the client needs more than the start. */
  readonly entry?: (start: object) => object;
  /** The first words of a terminal command that adds a server. The user copies this command. */
  readonly command?: string;
  /** What to do with the copied entry; left out: paste it into a file. */
  readonly advice?: string;
  /** True if the client runs on the user's own machine and reads the user's file there. */
  readonly isApp?: true;
  /** True if the client starts servers in the user's home, which does not identify a window. */
  readonly startsAtHome?: true;
  /**
   * True if the client is known to tell servers its roots. Otherwise, its entry names a folder,
   * which can only narrow the roots.
   */
  readonly tellsRoots?: true;
}

/** Every client. For a new client, tests tell where else its name must be added. */
export const knownClients = {
  // VS Code's own file is beside its settings, and the extension itself offers servers to VS Code.
  vscode: {
    label: 'VS Code',
    folderFile: '.vscode/mcp.json',
    serversKey: 'servers',
    isImported: true,
  },
  // The user's file also holds Claude Code's state. So the user copies a command for the terminal.
  'claude-code': {
    label: 'Claude Code',
    folderFile: '.mcp.json',
    command: 'claude mcp add --scope user',
    advice: 'Run the command once in a terminal.',
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
      'In Claude Desktop, open the file with Settings > Developer > "Edit Config", paste the text there, and restart Claude Desktop.',
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
    advice: 'Add the text to the settings of Zed.',
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

/** The key in the files of clients that have no `serversKey`. */
const usualKey = 'mcpServers';

/** The keys that hold servers by name in clients' files, the usual key first. */
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
    return sentence('Add the text to {0}.', file);
  }
  return sentence(advice ?? 'Most clients understand this text.');
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** `%APPDATA%`, on Windows. */
  readonly appData: string | undefined;
  /** The window's folders on disk. */
  readonly folders: readonly NamedFolder[];
}

/** A file where a client stores servers. The file may be missing. */
export interface ClientFile {
  readonly path: string;
  readonly scope: 'user' | 'folder';
}

/**
 * The files of a client that this machine can write: the user's file, then the files in folders.
 *
 * @param isRemote whether the user sits at another machine.
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

/** A place where another client stores its servers. */
export interface ImportSource {
  /** The name of the place, safe to show. */
  readonly label: string;
  /** The keys that lead to the lists of servers in the file. Empty: the lists are at the top. */
  readonly at: readonly string[];
  /** Whether the servers are for everyone in this workspace, or for one user everywhere. */
  readonly scope: 'workspace' | 'user';
  /** The name of the folder with the servers, if the window has several folders. */
  readonly folder?: string;
  /** The path of `folder`. Left out if `${workspaceFolder:name}` names exactly this folder. */
  readonly folderPath?: string;
}

/** A list of servers in another client's file. The file may not exist. */
export interface ImportPlace {
  readonly path: string;
  readonly source: ImportSource;
  /** The folders of the window. Links inside these folders must not lead out. */
  readonly workspace: readonly string[];
}

export interface ImportMachine extends Machine {
  /** The folder with the user's settings of the editor. */
  readonly userSettings: string;
  /** The file that defines the workspace, if any. */
  readonly workspaceFile: string | undefined;
}

/** Every place with servers to import: the workspace's places first, then the user's. */
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
  const workspace = folders.map(({ path }) => path);
  return [
    ...folders.flatMap(folder => imported.flatMap(client => placesOf(client, folder))),
    ...(workspaceFile === undefined ? [] : [ofWorkspace(workspaceFile)]),
    place(join(userSettings, 'mcp.json'), 'user', { label: 'User/mcp.json' }),
    place(join(home, state), 'user', { label: `~/${state}` }),
    ...folders.flatMap(ofState),
    ...imported.flatMap(ofUser),
  ].map(place => ({ ...place, workspace }));
}

function place(
  path: string,
  scope: ImportSource['scope'],
  more: Pick<ImportSource, 'label'> & Partial<ImportSource>,
): Omit<ImportPlace, 'workspace'> {
  return { path, source: { scope, at: [], ...more } };
}

/** Returns a label for a folder's file. It names the folder if the window has several. */
function inFolder({ name, path }: NamedFolder, file: string, { folders }: Machine) {
  if (folders.length === 1) {
    return { label: printable(file) };
  }
  const isNamed = /^[^}]+$/.test(name) && folders.filter(one => one.name === name).length === 1;
  const label = printable(`${file} (${isNamed ? name : path})`);
  return { label, folder: name, ...(!isNamed && { folderPath: path }) };
}

/** The names that Claude Code may have for a folder. On Windows, a path has several spellings. */
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

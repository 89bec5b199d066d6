import { posix, win32 } from 'node:path';
import { printable } from '../printable.ts';
import type { NamedFolder } from '../settings/definitionVariables.ts';

/** Whose rules the variables in a text follow; `own` are those of our own settings. */
export type Dialect = 'own' | 'vscode' | 'cursor' | 'claude-code' | 'claude-desktop';

/** A folder of the window, as far as servers that were written for it are concerned. */
interface SourceFolder extends NamedFolder {
  /** Whether the window has no other, so that `${workspaceFolder}` can mean no other. */
  readonly isOnly: boolean;
}

/** A place where another client keeps its servers. */
export interface ImportSource {
  readonly dialect: Dialect;
  /** How the place is shown: printable as it is. */
  readonly label: string;
  /** Where in the file the lists of servers are: the keys that lead to them. Empty: at its top. */
  readonly at: readonly string[];
  /** Whether the file has no other purpose, so that whatever else is in it is worth a word. */
  readonly isOnlyServers: boolean;
  /** Whether the servers are for everyone in this workspace, or for one user in every workspace. */
  readonly scope: 'workspace' | 'user';
  /** The folder they are for; `undefined`: for none in particular. */
  readonly folder: SourceFolder | undefined;
  /** What stands between the parts of a path on this machine. */
  readonly separator: '/' | '\\';
}

/** A list of servers in a file of another client. The file need not be there. */
export interface ImportPlace {
  readonly path: string;
  readonly source: ImportSource;
}

/** Where to look. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** `%APPDATA%`, on Windows. */
  readonly appData: string | undefined;
  /** The folder where the editor keeps the user's settings. */
  readonly userSettings: string;
  /** The folders of the window that are on disk. */
  readonly folders: readonly NamedFolder[];
  /** The file that defines the workspace, if one does. */
  readonly workspaceFile: string | undefined;
}

/** Every place where servers may be: those of the workspace first, then the user's. */
export function importPlaces(machine: Machine): ImportPlace[] {
  const folders = machine.folders.map(folder => ({
    ...folder,
    isOnly: machine.folders.length === 1,
  }));
  return [
    ...folders.flatMap(folder => placesIn(folder, machine)),
    ...workspacePlace(machine),
    ...userPlaces(machine, folders),
  ];
}

const folderFiles: readonly (readonly [file: string, dialect: Dialect])[] = [
  ['.vscode/mcp.json', 'vscode'],
  ['.mcp.json', 'claude-code'],
  ['.cursor/mcp.json', 'cursor'],
];

function placesIn(folder: SourceFolder, machine: Machine): ImportPlace[] {
  return folderFiles.map(([file, dialect]) => ({
    path: paths(machine).join(folder.path, file),
    source: source(machine, dialect, { label: labelIn(folder, file), scope: 'workspace', folder }),
  }));
}

function workspacePlace(machine: Machine): ImportPlace[] {
  const { workspaceFile: path } = machine;
  const of = (file: string) => ({
    ...source(machine, 'vscode', { label: paths(machine).basename(file), scope: 'workspace' }),
    at: ['settings', 'mcp'],
    isOnlyServers: false,
  });
  return path === undefined ? [] : [{ path, source: of(path) }];
}

function userPlaces(machine: Machine, folders: readonly SourceFolder[]): ImportPlace[] {
  const { join } = paths(machine);
  const { home, userSettings } = machine;
  const of = (dialect: Dialect, label: string) => source(machine, dialect, { label });
  const statePath = join(home, '.claude.json');
  const state = { ...of('claude-code', '~/.claude.json'), isOnlyServers: false };
  return [
    { path: join(userSettings, 'mcp.json'), source: of('vscode', 'User/mcp.json') },
    { path: join(home, '.cursor', 'mcp.json'), source: of('cursor', '~/.cursor/mcp.json') },
    { path: statePath, source: state },
    ...folders.flatMap(folder =>
      projectKeys(folder.path, machine).map(key => ({
        path: statePath,
        source: { ...state, at: ['projects', key], folder, label: labelIn(folder, state.label) },
      })),
    ),
    {
      path: desktopConfig(machine),
      source: { ...of('claude-desktop', desktopFile), isOnlyServers: false },
    },
  ];
}

const desktopFile = 'claude_desktop_config.json';

/** The file where Claude Desktop keeps its servers. */
export function desktopConfig({
  platform,
  home,
  appData,
}: Pick<Machine, 'platform' | 'home' | 'appData'>): string {
  if (platform === 'win32') {
    return win32.join(appData ?? win32.join(home, 'AppData', 'Roaming'), 'Claude', desktopFile);
  }
  const settings = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  return posix.join(home, ...settings, 'Claude', desktopFile);
}

/** The names under which Claude Code may know a folder: on Windows there is more than one spelling. */
function projectKeys(path: string, { platform }: Machine): string[] {
  if (platform !== 'win32') {
    return [path];
  }
  const drives = [path[0]?.toUpperCase() + path.slice(1), path[0]?.toLowerCase() + path.slice(1)];
  return drives.flatMap(drive => [drive, drive.replaceAll('\\', '/')]);
}

function source(
  { platform }: Machine,
  dialect: Dialect,
  own: Pick<ImportSource, 'label'> & Partial<ImportSource>,
): ImportSource {
  const separator = platform === 'win32' ? '\\' : '/';
  const usual = { at: [], isOnlyServers: true, scope: 'user', folder: undefined } as const;
  return { ...usual, dialect, separator, ...own, label: printable(own.label) };
}

/** The name of a folder is said only where there are several. */
function labelIn({ name, isOnly }: SourceFolder, file: string): string {
  return printable(isOnly ? file : `${file} (${name})`);
}

function paths({ platform }: Machine) {
  return platform === 'win32' ? win32 : posix;
}

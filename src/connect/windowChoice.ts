import { type Unseen, type WindowEntry, windowsFolder } from './windowFiles.ts';

/** A client's hints about the window that it means. All paths are real paths. */
export interface WindowWish {
  /** The folder that the client's entry names (`--workspace`). */
  readonly workspace?: string | undefined;
  /** Whether the folder of `workspace` is missing. */
  readonly isGone?: boolean;
  /** The window's id in the client's environment (`MCP_ROOTS_WINDOW`). */
  readonly window?: string | undefined;
  /** The client's roots. Empty: the client named none. */
  readonly roots?: readonly string[];
  readonly cwd: string;
  /** Whether `cwd` says nothing about the client's work, because desktop programs start there. */
  readonly isNowhere?: boolean;
  readonly client?: string | undefined;
  readonly server?: string;
}

/** The facts of a window on which the choice depends. */
export type Candidate = Pick<WindowEntry, 'id' | 'name' | 'folders' | 'focusedAt' | 'grants'>;

/**
 * Returns the window that a client means, or why there is none. The first hint of the client
 * decides alone: workspace, else window, roots, working directory. A later hint could lead to a
 * wrong window.
 */
export function chooseWindow<T extends Candidate>(
  windows: readonly T[],
  wish: WindowWish,
  platform: NodeJS.Platform,
): { readonly window: T } | { readonly problem: string } {
  const { workspace, isGone, window: id, roots = [], cwd, isNowhere } = wish;
  const gone = isGone ? [notThere(workspace)] : [];
  if (windows.length === 0) {
    return { problem: [...gone, noneOpen(workspace ?? cwd)].join(' ') };
  }
  if (workspace === undefined && id !== undefined) {
    const window = windows.find(window => window.id === id);
    if (!window) {
      return { problem: `${notOpen(id)} ${howToName(windows)}` };
    }
    // In another folder, such as a worktree, a client would get answers about the window's folders.
    const isWithin = isNowhere || nearest([window], cwd, platform).length > 0;
    return isWithin ? { window } : { problem: outside(window, cwd) };
  }
  const paths = workspace !== undefined ? [workspace] : roots.length > 0 ? roots : [cwd];
  // Clients list the folder that they started in before folders that were added later.
  for (const path of paths) {
    const equals = nearest(windows, path, platform);
    const window = equals.length > 1 ? lastGranting(equals, wish) : equals[0];
    if (window) {
      return { window };
    }
    if (equals.length > 1) {
      return { problem: several(path, equals) };
    }
  }
  const [none = noneHolds(paths)] = gone;
  return { problem: `${none} ${howToName(windows)}` };
}

/**
 * Whether a working directory says nothing about where a client works. Desktop programs start in
 * the home, in a folder above it, beside the program, or in the system's folder.
 *
 * @param places the home, the program's folder, and the system's folder if there is one.
 */
export function isNoWorkFolder(
  cwd: string,
  {
    home,
    program,
    system,
  }: { readonly home: string; readonly program: string; readonly system?: string | undefined },
  platform: NodeJS.Platform,
): boolean {
  const holds = (outer: string, inner: string) => depthIn(outer, inner, platform) >= 0;
  // A repository may hold its own Node or another program in a subfolder.
  const isBeside = holds(cwd, program) && holds(program, cwd);
  return holds(cwd, home) || isBeside || (system !== undefined && holds(system, cwd));
}

/** The message for a client that can't see the files of windows. `code` is the system's error. */
export function unseenText(home: string, { kind, code }: Unseen): string {
  const folder = windowsFolder(home);
  const cause =
    kind === 'hidden'
      ? `the client can't see your home folder ${home}`
      : `the client can't read ${folder} (${code})`;
  return `This client can't see the editor's windows, because ${cause}${howToLet(home)}`;
}

/** The message for a client whose sandbox forbids a connection to its window. */
export function barredText(home: string, name: string, code: string): string {
  return `This client can't connect to the editor window "${name}" (${code})${howToLet(home)}`;
}

function howToLet(home: string): string {
  return `. In a sandbox, let the client read ${windowsFolder(home)} and use the sockets there.`;
}

/** Returns the windows with the longest folder that is or holds the path; empty: none has one. */
function nearest<T extends Candidate>(
  windows: readonly T[],
  path: string,
  platform: NodeJS.Platform,
): T[] {
  const depth = ({ folders }: T) =>
    Math.max(-1, ...folders.map(folder => depthIn(folder, path, platform)));
  const deepest = Math.max(-1, ...windows.map(depth));
  return deepest < 0 ? [] : windows.filter(window => depth(window) === deepest);
}

/** Returns the length of the folder's path, or -1 if the folder neither is nor holds the path. */
function depthIn(folder: string, path: string, platform: NodeJS.Platform): number {
  const separator = platform === 'win32' ? '\\' : '/';
  const [outer, inner] = [comparable(folder, platform), comparable(path, platform) + separator];
  return inner.startsWith(outer + separator) ? outer.length : -1;
}

/** Returns a real path in one spelling, because its Unicode form and drive letter can vary. */
function comparable(path: string, platform: NodeJS.Platform): string {
  const composed = path.normalize('NFC');
  return platform === 'win32'
    ? composed
        .replaceAll('/', '\\')
        .replace(/^[a-z]:/, drive => drive.toUpperCase())
        .replace(/\\+$/, '')
    : composed.replace(/\/+$/, '');
}

/** Whether the names mean one client. Some clients append the server's name to their own. */
export function isNameOf(name: string, client: string, server = ''): boolean {
  return client === name || (name.endsWith('client') && client === `${name}-${server}`);
}

function lastGranting<T extends Candidate>(
  windows: readonly T[],
  { client = '', server }: WindowWish,
): T | undefined {
  return windows
    .filter(({ grants }) => grants?.some(grant => isNameOf(grant, client, server)))
    .sort((a, b) => b.focusedAt - a.focusedAt)[0];
}

function notThere(folder: string | undefined): string {
  return `--workspace names ${folder}, which does not exist.`;
}

/** The message mentions a sandbox, because a sandbox can hide open windows without an error. */
function noneOpen(folder: string): string {
  return (
    `No editor window with MCP Roots is open. Open ${folder} in an editor. If one is open, ` +
    `a sandbox hides it: let this client read ${windowsFolder('~')}.`
  );
}

function notOpen(id: string): string {
  return `The window that MCP_ROOTS_WINDOW names (${id}) is not open.`;
}

function noneHolds(paths: readonly string[]): string {
  return `No open editor window contains ${paths.join(' or ')}.`;
}

function several(path: string, equals: readonly Candidate[]): string {
  return `Several editor windows contain ${path}: ${listed(equals, ({ id }) => id)}. Close all but one, or set MCP_ROOTS_WINDOW to a window's id.`;
}

function outside({ name, folders }: Candidate, cwd: string): string {
  return (
    `This client works in ${cwd}, but its window "${name}" has open: ${shown(folders)}. ` +
    'Add the folder to the window, or start the client in another window.'
  );
}

function howToName(windows: readonly Candidate[]): string {
  const open = listed(windows, ({ folders }) => shown(folders));
  return `Open windows: ${open}. Open your folder in an editor, or name an open folder with --workspace.`;
}

function shown(folders: readonly string[]): string {
  return folders.join(', ') || 'no folder';
}

/** Lists the names of the windows, each with its `detail` in parentheses. */
function listed<T extends Candidate>(windows: readonly T[], detail: (window: T) => string): string {
  return windows.map(window => `${window.name} (${detail(window)})`).join('; ');
}

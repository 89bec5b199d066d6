import { type Unseen, type WindowEntry, windowsFolder } from './windowFiles.ts';

/** A client's hints at the window that it means. All paths are real ones. */
export interface WindowWish {
  /** The folder that its entry names (`--workspace`). */
  readonly workspace?: string | undefined;
  /** That folder is not there. */
  readonly isGone?: boolean;
  /** The id in its environment (`MCP_ROOTS_WINDOW`). */
  readonly window?: string | undefined;
  /** Its roots; none: it did not say. */
  readonly roots?: readonly string[];
  readonly cwd: string;
  /** Nobody works in that folder: programs of a desktop are started there. */
  readonly isNowhere?: boolean;
  readonly client?: string | undefined;
}

/** A window, as far as it is chosen by it. */
export type Candidate = Pick<WindowEntry, 'id' | 'name' | 'folders' | 'focusedAt' | 'grants'>;

/**
 * The one window that a client means. The first of its workspace, window, roots and working directory
 * that it gave decides alone: what it says must not lead to a window that it did not mean.
 */
export function chooseWindow<T extends Candidate>(
  windows: readonly T[],
  wish: WindowWish,
  platform: NodeJS.Platform,
): { readonly window: T } | { readonly problem: string } {
  const { workspace, isGone, window: id, roots = [], cwd, isNowhere } = wish;
  const gone = isGone ? `There is no folder ${workspace}, which --workspace names. ` : '';
  if (windows.length === 0) {
    const none = `No editor window with MCP Roots is open. Open ${workspace ?? cwd} in one.`;
    // A sandbox may hide a window and leave no trace of that.
    const hidden = `If one is, let this client's sandbox read ${windowsFolder('~')}, or switch it off.`;
    return { problem: `${gone}${none} ${hidden}` };
  }
  if (workspace === undefined && id !== undefined) {
    const window = windows.find(window => window.id === id);
    if (!window) {
      const gone = `The editor window that MCP_ROOTS_WINDOW names (${id}) is not open.`;
      return { problem: `${gone} ${howToName(windows)}` };
    }
    // A client in another folder, such as a worktree beside the repository, would get answers on this one.
    const isWithin = isNowhere || nearest([window], cwd, platform).length > 0;
    return isWithin ? { window } : { problem: outside(window, cwd) };
  }
  const paths = workspace !== undefined ? [workspace] : roots.length > 0 ? roots : [cwd];
  // Clients put the folder that they were started in before those that were added to it.
  for (const path of paths) {
    const equals = nearest(windows, path, platform);
    const window = equals.length > 1 ? lastGranting(equals, wish.client) : equals[0];
    if (window) {
      return { window };
    }
    if (equals.length > 1) {
      const several = `Several editor windows have the folder of ${path} open: ${listed(equals, ({ id }) => id)}.`;
      return { problem: `${several} Close all but one, or put the id of one in MCP_ROOTS_WINDOW.` };
    }
  }
  const none = `No editor window has a folder open that holds ${paths.join(' or ')}.`;
  return { problem: `${gone || `${none} `}${howToName(windows)}` };
}

/**
 * Whether a working directory says nothing of where a client works: programs of a desktop are started in
 * the home, in what holds it, beside the program, or where the system lies.
 *
 * @param places the home, the program's folder, and the system's where that has one.
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
  // A repository may hold a program of its own, such as Node, further in.
  const isBeside = holds(cwd, program) && holds(program, cwd);
  return holds(cwd, home) || isBeside || (system !== undefined && holds(system, cwd));
}

/** The message for a client from where the files of windows can't be seen. */
export function unseenText(home: string, { kind, code }: Unseen): string {
  const folder = windowsFolder(home);
  const cause =
    kind === 'hidden'
      ? `it sees nothing of your home folder ${home}`
      : `it may not read ${folder} (${code})`;
  return `Whether an editor window is open can't be seen from where this client runs: ${cause}, as in the sandbox of an agent. ${howToLet(home)}`;
}

/** The message for a client that may not connect to its window. */
export function barredText(home: string, name: string, code: string): string {
  return `The editor window "${name}" is open, but this client may not connect to it (${code}), as in the sandbox of an agent. ${howToLet(home)}`;
}

function howToLet(home: string): string {
  return `Let that sandbox read ${windowsFolder(home)} and connect to the sockets in it, or switch it off for this server.`;
}

/** The windows with the longest folder that is or holds the path; they all have that same folder. */
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

/** The length of a folder that is or holds the path; -1: it does not. */
function depthIn(folder: string, path: string, platform: NodeJS.Platform): number {
  const separator = platform === 'win32' ? '\\' : '/';
  const [outer, inner] = [comparable(folder, platform), comparable(path, platform) + separator];
  return inner.startsWith(outer + separator) ? outer.length : -1;
}

/** A real path in its one spelling: what is left are the Unicode form and the case of the drive. */
function comparable(path: string, platform: NodeJS.Platform): string {
  const composed = path.normalize('NFC');
  return platform === 'win32'
    ? composed
        .replaceAll('/', '\\')
        .replace(/^[a-z]:/, drive => drive.toUpperCase())
        .replace(/\\+$/, '')
    : composed.replace(/\/+$/, '');
}

function lastGranting<T extends Candidate>(
  windows: readonly T[],
  client: string | undefined,
): T | undefined {
  return windows
    .filter(({ grants }) => client !== undefined && grants?.includes(client))
    .sort((a, b) => b.focusedAt - a.focusedAt)[0];
}

function outside({ name, folders }: Candidate, cwd: string): string {
  const open = folders.join(', ') || 'no folder';
  const why = `This client works in ${cwd}, but its window "${name}" has open: ${open}.`;
  return `${why} Add that folder to the window, or open it in one of its own and start the client there.`;
}

function howToName(windows: readonly Candidate[]): string {
  const open = listed(windows, ({ folders }) => folders.join(', ') || 'no folder');
  return `Open are: ${open}. Open the folder in an editor, or name one of these with --workspace.`;
}

/** The windows by name, so many as can be read, with what tells them apart. */
function listed<T extends Candidate>(windows: readonly T[], detail: (window: T) => string): string {
  const shown = windows.slice(0, 8).map(window => `${window.name} (${detail(window)})`);
  const more = windows.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

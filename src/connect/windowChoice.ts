import type { WindowEntry } from './windowFiles.ts';

/** Which window a client means. All paths are real ones. */
export interface WindowWish {
  /** The folder that its entry names (`--workspace`). */
  readonly workspace?: string | undefined;
  /** The id in its environment (`MCP_ROOTS_WINDOW`). */
  readonly window?: string | undefined;
  /** Its roots; none: it did not say. */
  readonly roots?: readonly string[];
  /** Its working directory. */
  readonly cwd: string;
  /** The name that it gives itself. */
  readonly client?: string | undefined;
}

/**
 * The one window that a client means. The first of its workspace, window, roots and working directory
 * that it gave decides alone: what it says must not lead to a window that it did not mean.
 */
export function chooseWindow(
  windows: readonly WindowEntry[],
  wish: WindowWish,
  platform: NodeJS.Platform,
): { readonly window: WindowEntry } | { readonly problem: string } {
  const { workspace, window: id, roots = [], cwd } = wish;
  if (windows.length === 0) {
    return { problem: `No editor window with MCP Roots is open. Open ${workspace ?? cwd} in one.` };
  }
  if (workspace === undefined && id !== undefined) {
    const window = windows.find(window => window.id === id);
    const gone = `The editor window that MCP_ROOTS_WINDOW names (${id}) is not open.`;
    return window ? { window } : { problem: `${gone} ${howToName(windows)}` };
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
  return { problem: `${none} ${howToName(windows)}` };
}

/** The windows with the longest folder that is or holds the path; they all have that same folder. */
function nearest(
  windows: readonly WindowEntry[],
  path: string,
  platform: NodeJS.Platform,
): WindowEntry[] {
  const separator = platform === 'win32' ? '\\' : '/';
  const inner = comparable(path, platform) + separator;
  const depth = ({ folders }: WindowEntry) =>
    Math.max(
      -1,
      ...folders
        .map(folder => comparable(folder, platform))
        .filter(outer => inner.startsWith(outer + separator))
        .map(outer => outer.length),
    );
  const deepest = Math.max(-1, ...windows.map(depth));
  return deepest < 0 ? [] : windows.filter(window => depth(window) === deepest);
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

function lastGranting(
  windows: readonly WindowEntry[],
  client: string | undefined,
): WindowEntry | undefined {
  return windows
    .filter(({ grants }) => client !== undefined && grants?.includes(client))
    .sort((a, b) => b.focusedAt - a.focusedAt)[0];
}

function howToName(windows: readonly WindowEntry[]): string {
  const open = listed(windows, ({ folders }) => folders.join(', ') || 'no folder');
  return `Open are: ${open}. Open the folder in an editor, or name one of these with --workspace.`;
}

/** The windows by name, so many as can be read, with what tells them apart. */
function listed(windows: readonly WindowEntry[], detail: (window: WindowEntry) => string): string {
  const shown = windows.slice(0, 8).map(window => `${window.name} (${detail(window)})`);
  const more = windows.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

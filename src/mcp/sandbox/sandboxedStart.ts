import { lstat, mkdtemp, open, readlink, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Guarded, Shown } from '../../domain/sandbox/bubblewrap.ts';
import { programNeeds } from '../../domain/sandbox/programNeeds.ts';
import { LinkTrail, type SandboxDisk } from '../../domain/sandbox/sandboxDisk.ts';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { isAtOrBelow, isOfSystem } from '../../domain/sandbox/systemPlaces.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import type { ProcessStart } from '../stdio/serverProcess.ts';
import type { SandboxTool } from './sandboxTool.ts';

/** What a server in a sandbox is to see. */
export interface SandboxRequest {
  readonly terms: SandboxTerms;
  /** Shown under their real paths, each only if it is the folder that it was when it was allowed. */
  readonly roots: readonly StartRoot[];
  /** Files and folders of its own, which it may change: caches, for one. They exist. */
  readonly own?: readonly string[];
}

/**
 * The start of a process as one in a sandbox: it finds itself in a world in which its roots are, what
 * it needs to run, what the terms name, and nothing else of the user's files.
 *
 * @throws {HumanError} when something that it can't do without can't be shown to it.
 */
export async function sandboxedStart(
  start: ProcessStart,
  { terms, roots, own = [] }: SandboxRequest,
  tool: SandboxTool,
): Promise<ProcessStart> {
  const home = await realpath(homedir()).catch(homedir);
  const needs = await programNeeds(start, home, disk);
  const { command, cwd, args } = start;
  if (needs.program === undefined) {
    throw new HumanError('The command "{0}" was not found.', command);
  }
  const trail = new LinkTrail(disk);
  const rooted = await Promise.all(
    roots.map(async root => {
      const shown = await shownRoot(root, trail, tool);
      return { shown, guarded: await guardsIn(shown, root.hidden ?? []) };
    }),
  );
  const temp = tool.isMounting ? [] : [await newTempFolder()];
  const env = { ...start.env, ...(temp[0] && { TMPDIR: temp[0] }) };
  const wanted = [
    ...needs.paths.map(path => ({ path, isWritable: false })),
    ...terms.read.map(path => ({ path, isWritable: false })),
    ...[...terms.write, ...own, ...temp].map(path => ({ path, isWritable: true })),
  ];
  const named = await Promise.all(wanted.map(one => shownAt(one, trail)));
  const shown = withoutRepeats([...rooted.map(root => root.shown), ...named.flat()]);
  const workPlace = (await trail.realPath(cwd)) ?? cwd;
  const hasHome = home !== '/' && (await disk.kindOf(home)) === 'folder';
  const empty = ['/tmp', '/var/tmp', ...(hasHome ? [home] : [])];
  if (!isSeen(workPlace, shown, empty)) {
    throw new HumanError(
      'Its working directory {0} is not one of its folders. Name it under "read" or "write" of its "sandbox".',
      cwd,
    );
  }
  const world = {
    shown,
    guarded: rooted.flatMap(root => root.guarded),
    links: new Map([...needs.links, ...trail.links]),
    empty,
    cwd,
    env,
    hasNetwork: terms.network,
  };
  return {
    ...start,
    ...tool.start(world, [needs.program, ...args]),
    sandbox: {
      tool: tool.name,
      isPreview: tool.isPreview,
      alsoSees: named.flat().filter(one => !roots.some(({ path }) => isAtOrBelow(one.path, path))),
      hasNetwork: terms.network,
      roots,
    },
  };
}

/** Not removed: macOS does that with what nobody has used in its temporary folders for three days. */
function newTempFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'mcp-roots-sandbox-'));
}

/** What is shown, by its real path; nothing where nothing is, or where it is shown anyway. */
async function shownAt(
  { path, isWritable }: Pick<Shown, 'path' | 'isWritable'>,
  trail: LinkTrail,
): Promise<Shown[]> {
  const real = await trail.realPath(path);
  const place = real === undefined || isOfSystem(real) ? undefined : await placeOf(real);
  return real !== undefined && place !== undefined ? [{ path: real, isWritable, place }] : [];
}

async function shownRoot(
  root: StartRoot,
  trail: LinkTrail,
  { isMounting }: SandboxTool,
): Promise<Shown> {
  const { path, place, isReadOnly = false, name } = root;
  const real = await trail.realPath(path);
  const found = real === undefined ? undefined : await placeOf(real);
  if (real === undefined || found === undefined) {
    throw new HumanError('Its folder {0} is not there.', name);
  }
  // A folder that is swapped from now on is seen in the place of this one, if nothing is mounted.
  if (!isMounting && place !== undefined && place !== found) {
    throw new HumanError('Its folder {0} is not the one that was allowed.', name);
  }
  return { path: real, isWritable: !isReadOnly, place: place ?? found };
}

/** The first of several with one path stands: what a person answered on a root, before all else. */
function withoutRepeats(shown: readonly Shown[]): Shown[] {
  return shown.filter(({ path }, index) => shown.findIndex(other => other.path === path) === index);
}

function isSeen(path: string, shown: readonly Shown[], empty: readonly string[]): boolean {
  return (
    isOfSystem(path) ||
    empty.includes(path) ||
    shown.some(one => isAtOrBelow(path, one.path) || isAtOrBelow(one.path, path))
  );
}

/** What in a folder that may be changed is run or trusted by other programs, or is never exposed. */
async function guardsIn(
  { path, isWritable }: Shown,
  hidden: readonly string[],
): Promise<Guarded[]> {
  const kept = isWritable ? guardedNames.map(name => join(path, name)) : [];
  const guards = await Promise.all([
    // First, because it holds others; moved away, it would make room for one without them.
    ...(isWritable ? [guardOn(join(path, '.git'), () => 'in-place')] : []),
    ...kept.map(one => guardOn(one, () => 'read-only')),
    ...hidden.map(async one => {
      const real = await realpath(one).catch(() => one);
      return isAtOrBelow(real, path)
        ? guardOn(real, isFolder => (isFolder ? 'hidden-folder' : 'hidden-file'))
        : [];
    }),
  ]);
  return guards.flat();
}

/** Code that Git and editors run by themselves, and settings that name such code. */
const guardedNames = ['.git/hooks', '.git/config', '.vscode'];

/** Only what is there, and reached by no link, can be guarded without making anything. */
async function guardOn(path: string, as: (isFolder: boolean) => Guarded['as']): Promise<Guarded[]> {
  try {
    const found = await lstat(path);
    const isReal = (await realpath(path)) === path;
    return isReal && !found.isSymbolicLink() ? [{ path, as: as(found.isDirectory()) }] : [];
  } catch {
    return []; // Nothing is there.
  }
}

async function placeOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** The disk as it is. What can't be read is not there. */
const disk: SandboxDisk = {
  readLink: path => readlink(path).catch(() => undefined),
  kindOf: async path => {
    const found = await stat(path).catch(() => undefined);
    return found && (found.isDirectory() ? 'folder' : 'file');
  },
  firstLine: async path => {
    const file = await open(path).catch(() => undefined);
    if (!file) {
      return undefined;
    }
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
      const text = buffer.toString('latin1', 0, bytesRead);
      return text.startsWith('#!') ? text.split('\n', 1)[0] : undefined;
    } catch {
      return undefined;
    } finally {
      await file.close();
    }
  },
};

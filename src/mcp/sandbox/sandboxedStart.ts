import { constants } from 'node:fs';
import { open, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { isSamePlace, placeOf } from '../../base/fileIdentity.ts';
import { foldersToHold, type Hidden, type ShownPath } from '../../domain/sandbox/bubblewrap.ts';
import { type ProgramNeeds, programNeeds } from '../../domain/sandbox/programNeeds.ts';
import { LinkTrail, type SandboxDisk } from '../../domain/sandbox/sandboxDisk.ts';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { isAtOrBelow, isInOne, isOfSystem } from '../../domain/sandbox/systemPlaces.ts';
import { HumanError, sentence } from '../../domain/sentence.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import { LackError } from '../../domain/servers/serverFailure.ts';
import { firstBytesOf } from '../process/plainFile.ts';
import type { ProcessStart } from '../process/stdio/serverProcess.ts';
import { keptPlaces } from './keptPlaces.ts';
import type { SandboxTool } from './sandboxTool.ts';

/** What a server may see and change in a sandbox. */
export interface SandboxRequest {
  readonly terms: SandboxTerms;
  /** Shown under their real paths. Each is shown only if it is still the folder that was allowed. */
  readonly roots: readonly StartRoot[];
  /** The server's own files and folders, such as caches, which it may change. All exist. */
  readonly own?: readonly string[];
  /** The server's own home, which it may change. `undefined`: it finds the user's home empty. */
  readonly home?: string;
  /** A command that goes before the program, in the sandbox. It runs the program, or another. */
  readonly before?: readonly string[];
  /** Files and folders that the server never sees, wherever they lie. */
  readonly hidden?: readonly string[];
  /** Whether the process may change the times of files: see `World`. */
  readonly setsTimes?: boolean;
}

/**
 * Returns the start of a process in a sandbox. Of the user's files, the process sees its roots,
 * what it needs to run, what `terms` names, and its own files.
 *
 * @throws {HumanError} when one of them can't be shown.
 */
export async function sandboxedStart(
  start: ProcessStart,
  {
    terms,
    roots,
    home: ownHome,
    own: others = [],
    before = [],
    hidden = [],
    setsTimes,
  }: SandboxRequest,
  tool: SandboxTool,
): Promise<ProcessStart> {
  const { command, args } = start;
  const allowed = roots.map(({ path }) => path);
  const named = [...terms.read, ...terms.write];
  const { cwd, env, links: homeLinks } = atHome(start, ownHome, [...allowed, ...named]);
  const own = [...others, ...(ownHome === undefined ? [] : [ownHome])];
  const trail = new LinkTrail(disk);
  const changed = [...terms.write, ...own];
  const writable = [...allowed, ...changed];
  const reached = (await Promise.all(roots.map(root => reachedRoot(root, writable)))).flat();
  const rooted = reached.map(({ shown }) => shown);
  const never = await realPaths([...hidden, ...roots.flatMap(root => root.hidden ?? [])]);
  const rootPaths = rooted.map(({ path }) => path);
  const shared = [...rootPaths, ...(await realPaths(changed))];
  const toNamed = new LinkTrail(disk, { folders: shared, reachable: [] });
  const asNamed = (isWritable: boolean) => (path: string) =>
    shownAsNamed({ path, isWritable }, toNamed, never);
  const byTerms = [
    ...(await inAll(terms.read, asNamed(false))),
    ...(await inAll(terms.write, asNamed(true))),
  ];
  const ofItself = await inAll(own, async path => shownAt(await realpath(path), true));
  const also = [...byTerms, ...ofItself];
  const home = (await trail.realPath(homedir())) ?? homedir();
  const reachable = [...rootPaths, ...also.map(({ path }) => path)];
  const needs = await needsOf(start, reachable);
  if (needs.program === undefined) {
    throw new LackError({ program: command }, 'The command "{0}" was not found.', command);
  }
  const toProgram = new LinkTrail(disk, { folders: reachable, reachable });
  if ((await toProgram.realPath(needs.program)) === undefined) {
    throw new HumanError(
      'The program {0} is a link that leads out of a shared folder. Name the target of the link under "read" in "sandbox".',
      needs.program,
    );
  }
  const secret = needs.paths.find(path => isInOne(path, never));
  if (secret !== undefined) {
    throw new HumanError('The server needs {0} to run, but this path is never exposed.', secret);
  }
  const needed = await inAll(needs.paths, path => shownAt(path, false));
  const changeable = [...rooted, ...byTerms].flatMap(one => (one.isWritable ? one.path : []));
  const { places, tooLarge } = await keptPlaces(changeable, [...reachable, ...never]);
  const visible = places.filter(place => !isInOne(place, never));
  const kept = await inAll(visible, place => shownAt(place, false));
  const asKept = (one: ShownPath) =>
    tooLarge.includes(one.path) ? { ...one, isWritable: false } : one;
  const seen = withoutRepeats([...rooted, ...also, ...kept, ...needed]).map(asKept);
  const hasHome = home !== '/' && (await disk.kindOf(home)) === 'folder';
  const empty = ['/tmp', '/var/tmp', ...(hasHome ? [home] : [])];
  const workPlace = (await trail.realPath(cwd)) ?? cwd;
  if (!isSeen(workPlace, seen, empty)) {
    throw new HumanError(
      'The working directory {0} is outside the folders of the server. Name the directory under "read" or "write" in "sandbox".',
      cwd,
    );
  }
  const covered = await hiddenIn(seen, never, ofItself);
  const toHold = foldersToHold({ shown: seen, hidden: covered });
  const wrapped = tool.start(
    {
      shown: seen,
      hidden: covered,
      held: await inAll(toHold, path => shownAt(path, true)),
      links: new Map([
        ...reached.flatMap(({ links }) => [...links]),
        ...[...trail.links, ...toNamed.links, ...needs.links],
      ]),
      empty,
      cwd,
      env,
      hasNetwork: terms.network,
      ...(terms.unixSockets && { hasUnixSockets: true }),
      ...(setsTimes && { setsTimes }),
    },
    [...homeLinks, ...before, needs.program, ...args],
  );
  return {
    ...start,
    ...wrapped,
    sandbox: {
      tool: tool.name,
      ...(!tool.hasNamespaces && { seesNames: true }),
      cwd,
      ...(ownHome !== undefined && { home: ownHome }),
      alsoSees: [...needed, ...also.map(asKept)].filter(one => !isInOne(one.path, allowed)),
      hasNetwork: terms.network,
      ...(terms.unixSockets && { hasUnixSockets: true }),
      ...(tooLarge.length > 0 && { tooLarge }),
      roots: reached.map(({ root }) => root),
    },
  };
}

/**
 * Gives a program its own home, unless it may see the user's whole home. The command `links` goes
 * before the program, in the sandbox. It links the shown paths of the user's home into the new
 * home. A mount would be unsafe: the program could have left a link in its place.
 *
 * @param shown the paths that the program may see, as it names them.
 */
function atHome({ cwd, env }: ProcessStart, home: string | undefined, shown: readonly string[]) {
  const users = homedir();
  const isShown = shown.some(path => isAtOrBelow(users, path));
  if (home === undefined || isShown || env['HOME'] !== process.env['HOME']) {
    return { cwd, env, links: [] };
  }
  const inside = shown.filter(path => isAtOrBelow(path, users));
  const names = inside.map(path => path.slice(users.length + 1));
  return {
    cwd: cwd === users ? home : cwd,
    env: { ...env, HOME: home },
    links: names.length > 0 ? ['/bin/sh', '-c', linkEach, users, `${names.length}`, ...names] : [],
  };
}

const linkEach = `count=$1; shift; while [ "$count" -gt 0 ]; do
[ -e "$HOME/$1" ] || { /bin/mkdir -p "$(/usr/bin/dirname "$HOME/$1")" && /bin/ln -sfn "$0/$1" "$HOME/$1"; } 2>/dev/null
shift; count=$((count-1)); done; unset count; exec "$@"`;

/**
 * The real paths that a sandbox shows a program because it needs them to run.
 *
 * @param shown paths that are shown anyway.
 */
export async function neededPaths(
  start: ProcessStart,
  shown: readonly string[],
): Promise<readonly string[]> {
  return (await needsOf(start, await realPaths(shown))).paths;
}

function needsOf(
  { command, args, cwd, env }: ProcessStart,
  shown: readonly string[],
): Promise<ProgramNeeds> {
  const program = { command, args, cwd, env, ownEnv: asOurs(env) };
  return programNeeds(program, homedir(), disk, shown);
}

async function inAll<T>(paths: readonly string[], find: (path: string) => Promise<T[]>) {
  return (await Promise.all(paths.map(find))).flat();
}

/** The variables that have the same value in our own environment. */
function asOurs(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => process.env[name] === value),
  );
}

/** Returns each path as written, and its real path. */
async function realPaths(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map(path => realpath(path).catch(() => path)));
  return [...new Set([...paths, ...real])];
}

/** The entry that shows a path of a definition. Empty: it is the system's and shown anyway. */
async function shownAsNamed(
  { path, isWritable }: Pick<ShownPath, 'path' | 'isWritable'>,
  trail: LinkTrail,
  never: readonly string[],
): Promise<ShownPath[]> {
  const real = await trail.realPath(path);
  if (real === undefined) {
    throw new HumanError(
      'The path {0} in "sandbox" leads through a link in a shared folder. Name the target of the link.',
      path,
    );
  }
  if (isInOne(real, never)) {
    throw new HumanError(
      'The "sandbox" names {0}, which is never exposed. Remove the path from "sandbox".',
      path,
    );
  }
  if (isUnshowable(real) || (isWritable && isOfSystem(real))) {
    throw new HumanError(
      'No sandbox can give this access to {0}, because the path belongs to the system. Remove the path from "read" or "write".',
      path,
    );
  }
  const shown = await shownAt(real, isWritable);
  if (shown.length === 0 && !isOfSystem(real)) {
    throw notThere(path);
  }
  return shown;
}

/** @throws {LackError} when a path that a sandbox names is missing. */
export async function assertThere({ read, write }: SandboxTerms): Promise<void> {
  for (const path of [...read, ...write]) {
    await stat(path).catch(() => {
      throw notThere(path);
    });
  }
}

function notThere(path: string): LackError {
  return new LackError(
    { named: sentence('no file or folder "{0}"', basename(path)) },
    'The "sandbox" names {0}, which does not exist. Create the path, or remove it from "sandbox".',
    path,
  );
}

/** Whether no sandbox can show the path: each sandbox has its own `/dev`, `/sys` and `/proc`. */
function isUnshowable(path: string): boolean {
  return ['/', '/dev', '/sys'].includes(path) || isAtOrBelow(path, '/proc');
}

/** The entry that shows a real path. Empty: it is missing, or the system's and shown anyway. */
async function shownAt(path: string, isWritable: boolean): Promise<ShownPath[]> {
  const place = isOfSystem(path) ? undefined : await placeAt(path);
  return place === undefined ? [] : [{ path, isWritable, place }];
}

interface ReachedRoot {
  readonly root: StartRoot;
  readonly shown: ShownPath;
  readonly links: ReadonlyMap<string, string>;
}

/**
 * How a root is shown. Empty: its path has a link that the server may have made in another folder.
 * A link is harmless if its target is shown anyway, or if the root's device and inode are known.
 *
 * @param places the paths of the roots, and everything else that the server may change.
 * @throws {HumanError} when the folder is missing, the system's, or not the allowed folder.
 */
async function reachedRoot(root: StartRoot, places: readonly string[]): Promise<ReachedRoot[]> {
  const { path, place, isReadOnly = false, name } = root;
  // If the folder's device and inode are known, a link can't lead to another folder.
  const others = place === undefined ? places.filter(other => other !== path) : [];
  const isPlain = async (other: string) => (await realpath(other).catch(() => '')) === other;
  const plain = await Promise.all(others.map(isPlain));
  const trail = new LinkTrail(disk, {
    folders: await realPaths(others),
    reachable: others.filter((_, index) => plain[index]),
  });
  const real = await trail.realPath(path);
  if (real === undefined) {
    return [];
  }
  const found = await placeAt(real);
  if (found === undefined) {
    throw new HumanError(
      'The folder {0} does not exist. Create the folder, or share another folder.',
      name,
    );
  }
  if (isUnshowable(real)) {
    throw new HumanError(
      'The folder {0} belongs to the system, so no sandbox can show the folder. Share another folder.',
      name,
    );
  }
  if (place !== undefined && !isSamePlace(place, found)) {
    throw new HumanError(
      'After you allowed the folder {0}, another folder took its place. Start the server again.',
      name,
    );
  }
  const shown = { path: real, isWritable: !isReadOnly, place: place ?? found };
  return [{ root, shown, links: trail.links }];
}

/** Keeps the first entry for each path. The roots come first, because a person decided on them. */
function withoutRepeats(shown: readonly ShownPath[]): ShownPath[] {
  return shown.filter(({ path }, index) => shown.findIndex(other => other.path === path) === index);
}

function isSeen(path: string, shown: readonly ShownPath[], empty: readonly string[]): boolean {
  return (
    isOfSystem(path) ||
    empty.includes(path) ||
    shown.some(one => isAtOrBelow(path, one.path) || isAtOrBelow(one.path, path))
  );
}

/** The never-exposed paths in shown folders. `within`: what the server still sees in the path. */
async function hiddenIn(
  shown: readonly ShownPath[],
  never: readonly string[],
  own: readonly ShownPath[],
): Promise<Hidden[]> {
  const inside = never.filter(path => shown.some(one => isAtOrBelow(path, one.path)));
  const found = await Promise.all(
    inside.map(async path => {
      const isReal = (await realpath(path).catch(() => undefined)) === path;
      const within = own.filter(one => isAtOrBelow(one.path, path));
      return isReal ? [{ path, isFolder: (await disk.kindOf(path)) === 'folder', within }] : [];
    }),
  );
  return found.flat();
}

/**
 * The device, inode and birth time of a file or folder, by {@link placeOf}. `undefined`: missing.
 *
 * @param path a real path.
 * @throws {HumanError} when the path has just become a link, perhaps by another server.
 */
async function placeAt(path: string): Promise<string | undefined> {
  const file = await open(path, withoutReading | constants.O_NOFOLLOW).catch(() => undefined);
  try {
    const real = file && (await readlink(`/proc/self/fd/${file.fd}`));
    if (real !== undefined && real !== path) {
      throw new HumanError('{0} was replaced during the start. Start the server again.', path);
    }
    return file && placeOf(await file.stat({ bigint: true }));
  } finally {
    await file?.close();
  }
}

/** O_PATH of Linux, which Node does not name. */
const withoutReading = 0o10000000;

/** The real disk. A file that can't be read counts as missing. */
const disk: SandboxDisk = {
  readLink: path => readlink(path).catch(() => undefined),
  kindOf: async path => {
    const found = await stat(path).catch(() => undefined);
    return found && (found.isDirectory() ? 'folder' : 'file');
  },
  firstLine: async path => {
    const bytes = await firstBytesOf(path, 256).catch(() => undefined);
    const text = bytes?.toString('latin1') ?? '';
    return text.startsWith('#!') ? text.split('\n', 1)[0] : undefined;
  },
};

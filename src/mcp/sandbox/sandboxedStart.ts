import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { isSamePlace, placeOf } from '../../base/fileIdentity.ts';
import type { Hidden, ShownPath } from '../../domain/sandbox/bubblewrap.ts';
import { type ProgramNeeds, programNeeds } from '../../domain/sandbox/programNeeds.ts';
import { LinkTrail, type SandboxDisk } from '../../domain/sandbox/sandboxDisk.ts';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { isAtOrBelow, isOfSystem } from '../../domain/sandbox/systemPlaces.ts';
import { HumanError, sentence } from '../../domain/sentence.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import { LackError } from '../../domain/servers/serverFailure.ts';
import { firstBytesOf } from '../plainFile.ts';
import type { ProcessStart } from '../stdio/serverProcess.ts';
import { keptPlaces } from './keptPlaces.ts';
import type { SandboxTool } from './sandboxTool.ts';

/** The view of a server in a sandbox. */
export interface SandboxRequest {
  readonly terms: SandboxTerms;
  /** Shown under their real paths, each only if it is the folder that it was when it was allowed. */
  readonly roots: readonly StartRoot[];
  /** Its own files and folders, such as caches, which it may change. They exist. */
  readonly own?: readonly string[];
  /** Files and folders that it never sees, whatever they lie in. */
  readonly hidden?: readonly string[];
}

/**
 * The start of a process in a sandbox. It finds its roots, what it needs to run, what the terms name, and
 * nothing else of the user's files.
 *
 * @throws {HumanError} when something that it can't do without can't be shown to it.
 */
export async function sandboxedStart(
  start: ProcessStart,
  { terms, roots, own = [], hidden = [] }: SandboxRequest,
  tool: SandboxTool,
): Promise<ProcessStart> {
  const { command, cwd, args, env: given } = start;
  const trail = new LinkTrail(disk);
  const changed = [...terms.write, ...own];
  const writable = [...roots.map(({ path }) => path), ...changed];
  const reached = (await Promise.all(roots.map(root => reachedRoot(root, writable)))).flat();
  const rooted = reached.map(({ shown }) => shown);
  const never = await realPaths([...hidden, ...roots.flatMap(root => root.hidden ?? [])]);
  const rootPaths = rooted.map(({ path }) => path);
  const shared = [...rootPaths, ...(await realPaths(changed))];
  const named = new LinkTrail(disk, { folders: shared, reachable: [] });
  const namedBy = (paths: readonly string[], isWritable: boolean) =>
    paths.map(path => shownAsNamed({ path, isWritable }, named, never));
  const byTerms = (
    await Promise.all([...namedBy(terms.read, false), ...namedBy(terms.write, true)])
  ).flat();
  const ofItself = await Promise.all(own.map(async path => shownAt(await realpath(path), true)));
  const also = [...byTerms, ...ofItself.flat()];
  const home = (await trail.realPath(homedir())) ?? homedir();
  const reachable = [...rootPaths, ...also.map(({ path }) => path)];
  const needs = await needsOf(start, reachable);
  if (needs.program === undefined) {
    throw new LackError({ program: command }, 'The command "{0}" was not found.', command);
  }
  const toProgram = new LinkTrail(disk, { folders: reachable, reachable });
  if ((await toProgram.realPath(needs.program)) === undefined) {
    throw new HumanError(
      'Its program {0} is a link in one of its folders that leads out of them. Name what it leads to under "read" of its "sandbox".',
      needs.program,
    );
  }
  const secret = needs.paths.find(path => never.some(one => isAtOrBelow(path, one)));
  if (secret !== undefined) {
    throw new HumanError('It needs {0} to run, which is never exposed.', secret);
  }
  const needed = (await Promise.all(needs.paths.map(path => shownAt(path, false)))).flat();
  const changeable = [...rooted, ...byTerms].flatMap(one => (one.isWritable ? one.path : []));
  const { places, tooLarge } = await keptPlaces(changeable, [...reachable, ...never]);
  const isVisible = (path: string) => !never.some(one => isAtOrBelow(path, one));
  const kept = places.filter(isVisible).map(place => shownAt(place, false));
  const asKept = (one: ShownPath) =>
    tooLarge.includes(one.path) ? { ...one, isWritable: false } : one;
  const all = [...rooted, ...also, ...(await Promise.all(kept)).flat(), ...needed];
  const seen = withoutRepeats(all).map(asKept);
  const hasHome = home !== '/' && (await disk.kindOf(home)) === 'folder';
  const empty = ['/tmp', '/var/tmp', ...(hasHome ? [home] : [])];
  const workPlace = (await trail.realPath(cwd)) ?? cwd;
  if (!isSeen(workPlace, seen, empty)) {
    throw new HumanError(
      'Its working directory {0} is not one of its folders. Name it under "read" or "write" of its "sandbox".',
      cwd,
    );
  }
  const wrapped = tool.start(
    {
      shown: seen,
      hidden: await hiddenIn(seen, never),
      links: new Map([
        ...reached.flatMap(({ links }) => [...links]),
        ...[...trail.links, ...named.links, ...needs.links],
      ]),
      empty,
      cwd,
      env: given,
      hasNetwork: terms.network,
      ...(terms.unixSockets && { hasUnixSockets: true }),
    },
    [needs.program, ...args],
  );
  return {
    ...start,
    ...wrapped,
    sandbox: {
      tool: tool.name,
      cwd,
      alsoSees: [...needed, ...also.map(asKept)].filter(
        one => !roots.some(({ path }) => isAtOrBelow(one.path, path)),
      ),
      hasNetwork: terms.network,
      ...(terms.unixSockets && { hasUnixSockets: true }),
      ...(tooLarge.length > 0 && { tooLarge }),
      roots: reached.map(({ root }) => root),
    },
  };
}

/**
 * The real paths that a program is shown in a sandbox because it needs them to run.
 *
 * @param shown what is shown to it anyway.
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

/** The variables that we have ourselves, as they are. */
function asOurs(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => process.env[name] === value),
  );
}

/** Each as it is named, and where it leads. */
async function realPaths(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map(path => realpath(path).catch(() => path)));
  return [...new Set([...paths, ...real])];
}

/** A path that a definition names, as it is shown. */
async function shownAsNamed(
  { path, isWritable }: Pick<ShownPath, 'path' | 'isWritable'>,
  trail: LinkTrail,
  never: readonly string[],
): Promise<ShownPath[]> {
  const real = await trail.realPath(path);
  if (real === undefined) {
    throw new HumanError(
      'Its sandbox names {0}, which is reached by a link in one of its folders. Name what that leads to.',
      path,
    );
  }
  if (never.some(one => isAtOrBelow(real, one))) {
    throw new HumanError('Its sandbox names {0}, which is never exposed.', path);
  }
  if (isUnshowable(real) || (isWritable && isOfSystem(real))) {
    throw new HumanError(
      "Its sandbox names {0}, which belongs to the system and can't be shown like that.",
      path,
    );
  }
  const shown = await shownAt(real, isWritable);
  if (shown.length === 0 && !isOfSystem(real)) {
    throw notThere(path);
  }
  return shown;
}

/** @throws {LackError} when a path that a sandbox names is not there. */
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
    'Its sandbox names {0}, which is not there. Make it first, or leave it out.',
    path,
  );
}

/** Whether a sandbox has its own in this place, or the path would bring it along. */
function isUnshowable(path: string): boolean {
  return ['/', '/dev', '/sys'].includes(path) || isAtOrBelow(path, '/proc');
}

/** A real path as it is shown; empty where nothing is, or where it is shown anyway. */
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
 * A root as it is shown. None where a link in another folder leads to it that a server may write to: the
 * server may have put it there, unless the link leads to what is shown anyway. Where it is known which
 * folder was allowed, no other is shown.
 *
 * @param places the paths of the roots, and all else that the server may change.
 */
async function reachedRoot(root: StartRoot, places: readonly string[]): Promise<ReachedRoot[]> {
  const { path, place, isReadOnly = false, name } = root;
  // A place behind a link makes nothing else reachable.
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
    throw new HumanError('Its folder {0} is not there.', name);
  }
  if (isUnshowable(real)) {
    throw new HumanError('Its folder {0} is of the system: no sandbox can show it.', name);
  }
  if (place !== undefined && !isSamePlace(place, found)) {
    throw new HumanError('Its folder {0} is not the one that was allowed.', name);
  }
  const shown = { path: real, isWritable: !isReadOnly, place: place ?? found };
  return [{ root, shown, links: trail.links }];
}

/** The first of several with one path stands: what a person answered on a root, before all else. */
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

/** The paths that are never shown, as far as they lie in shown folders. */
async function hiddenIn(shown: readonly ShownPath[], never: readonly string[]): Promise<Hidden[]> {
  const inside = never.filter(path => shown.some(one => isAtOrBelow(path, one.path)));
  const found = await Promise.all(
    inside.map(async path => {
      const isReal = (await realpath(path).catch(() => undefined)) === path;
      return isReal ? [{ path, isFolder: (await disk.kindOf(path)) === 'folder' }] : [];
    }),
  );
  return found.flat();
}

async function placeAt(path: string): Promise<string | undefined> {
  try {
    return placeOf(await lstat(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

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

import { isAtOrBelow, type Root, sameRoots } from '../roots.ts';
import { namesRoots } from './expandLaunch.ts';
import { isInFirstRoot, type Launch } from './launch.ts';

/** A root at the start of a process: with the folder's place, besides what the server gets. */
export interface StartRoot extends Root {
  readonly path: string;
  /** The place on disk; `undefined` for whatever folder is at the path. */
  readonly place?: string;
  /** The server may read and not change it: a sandbox enforces this. */
  readonly isReadOnly?: boolean;
  /** Files and folders inside that a sandbox hides from the server. */
  readonly hidden?: readonly string[];
}

/** Whether both lists lead to the same start of a process. */
export function isSameStart(a: readonly StartRoot[], b: readonly StartRoot[]): boolean {
  const texts = (roots: readonly StartRoot[]) =>
    roots.map(({ path, place, isReadOnly = false, hidden = [] }) => [
      path,
      place,
      isReadOnly,
      hidden,
    ]);
  return sameRoots(a, b) && JSON.stringify(texts(a)) === JSON.stringify(texts(b));
}

/** The facts of a start that matter when roots change. */
export interface RootsAtStart {
  readonly launch: Launch;
  /** `undefined`: no roots at all, and the server was not even offered the roots capability. */
  readonly roots: readonly StartRoot[] | undefined;
  /** Whether a sandbox shows exactly these roots, unchanged until the process ends. */
  readonly isSandboxed?: boolean;
}

/**
 * How a change of roots affects a process. `tell`: only the connection gets a notice, as for every
 * new list.
 */
type RootsEffect = 'none' | 'tell' | 'restart' | 'stop';

/**
 * The effect on a process that could see `before` and may see `now`.
 *
 * Losing the last root stops it ({@link losesLast}). Three kinds of process learn of a change only
 * by a restart: without the roots capability, with roots in the configuration, or working in a
 * removed root.
 *
 * @param start `undefined`: it is still prepared, and will start with the roots of that moment.
 */
export function rootsEffect(
  start: RootsAtStart | undefined,
  before: readonly Root[],
  now: readonly StartRoot[],
): RootsEffect {
  if (now.length === 0) {
    return losesLast(before, now) ? 'stop' : 'none';
  }
  if (!start) {
    return 'none';
  }
  const age = startAge(start, now);
  // A server without a root to work in was started in a folder that is not a root.
  const isOutside = start.roots?.length === 0 && isInFirstRoot(start.launch);
  if (!start.roots || age !== 'current' || isOutside) {
    return 'restart';
  }
  return sameRoots(before, now) ? 'none' : 'tell';
}

/** Whether a server loses its last root: many keep their old folders after an empty list. */
export function losesLast(before: readonly Root[], now: readonly Root[]): boolean {
  return before.length > 0 && now.length === 0;
}

/**
 * The roots of a process at its start, compared with the current ones. `outdated`: it needs a
 * restart for missing folders, or works in a removed one. `lost`: its configuration or sandbox
 * still holds a folder that was removed or made read-only, and keeps it until the process ends.
 */
type StartAge = 'current' | 'outdated' | 'lost';

export function startAge(
  { launch, roots = [], isSandboxed = false }: RootsAtStart,
  now: readonly StartRoot[],
): StartAge {
  const isConfigured = namesRoots(launch);
  const paths = now.map(({ path }) => path);
  const isLost = (root: StartRoot) =>
    (isConfigured && !paths.includes(root.path)) || (isSandboxed && !isShown(root, now));
  if (roots.some(isLost)) {
    return 'lost';
  }
  // The first root is often the working directory, so order matters, too.
  const isSame =
    roots.length === paths.length && roots.every(({ path }, index) => path === paths[index]);
  const isMissing = isSandboxed && now.some(root => !isShown(root, roots));
  const [first] = roots;
  const isAway =
    first && isInFirstRoot(launch) && !now.some(({ uri }) => isAtOrBelow(first.uri, uri));
  return (isConfigured && !isSame) || isMissing || isAway ? 'outdated' : 'current';
}

/** The current roots that a process sees: all, or in a sandbox only those of its start. */
export function seenRoots(
  { roots = [], isSandboxed = false }: RootsAtStart,
  now: readonly StartRoot[],
): readonly StartRoot[] {
  return isSandboxed ? now.filter(root => roots.some(other => isSameFolder(root, other))) : now;
}

/** Whether another root is the same folder and shows at least as much. */
function isShown(root: StartRoot, others: readonly StartRoot[]): boolean {
  const { isReadOnly = false, hidden = [] } = root;
  return others.some(
    other =>
      isSameFolder(root, other) &&
      (isReadOnly || !other.isReadOnly) &&
      (other.hidden ?? []).every(path => hidden.includes(path)),
  );
}

function isSameFolder(a: StartRoot, b: StartRoot): boolean {
  return a.path === b.path && a.place === b.place;
}

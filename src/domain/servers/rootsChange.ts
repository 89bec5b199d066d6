import { isAtOrBelow, type Root, sameRoots } from '../roots.ts';
import { namesRoots } from '../settings/expandLaunch.ts';
import { isInFirstRoot, type Launch } from './launch.ts';

/** A root as a process is started with it: besides what it is told, where the folder is. */
export interface StartRoot extends Root {
  readonly path: string;
  /** Its place on disk; `undefined`: whatever is there. */
  readonly place?: string;
  /** It may be read, and not changed: for a sandbox to see to. */
  readonly isReadOnly?: boolean;
  /** Files and folders in it that a sandbox keeps from the server. */
  readonly hidden?: readonly string[];
}

/** Whether a process started with the one list is started as with the other. */
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

/** The roots and settings of a start, as far as a change of roots matters to the process. */
export interface RootsAtStart {
  readonly launch: Launch;
  /** `undefined`: it was refused them altogether, and not even offered the roots capability. */
  readonly roots: readonly StartRoot[] | undefined;
  /** Whether a sandbox shows it these roots and no others, as they are until it ends. */
  readonly isSandboxed?: boolean;
}

/**
 * The effect of a change of roots on a process. `tell`: only its connection hears of the new list, as it
 * does of each.
 */
type RootsEffect = 'none' | 'tell' | 'restart' | 'stop';

/**
 * The effect on a process that could see `before` and may see `now`.
 *
 * Losing the last root stops it ({@link losesLast}). A process that was refused the capability, got its
 * roots as configuration, or works in a root that was taken away can learn of the change only by
 * starting anew.
 *
 * @param start `undefined`: it is still prepared, and will be started with what it may see then.
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
  // Without a root to work in, it was started in a folder that is none.
  const isOutside = start.roots?.length === 0 && isInFirstRoot(start.launch);
  if (!start.roots || age !== 'current' || isOutside) {
    return 'restart';
  }
  return sameRoots(before, now) ? 'none' : 'tell';
}

/** Whether a server that knows roots has none from now on: many keep their old folders when told of none. */
export function losesLast(before: readonly Root[], now: readonly Root[]): boolean {
  return before.length > 0 && now.length === 0;
}

/**
 * The roots of a process at its start, compared to those of now. `outdated`: it knows of too few folders and
 * can't be told of more, or works in one that was taken away. `lost`: its configuration or its sandbox has a
 * folder that was taken away, in whole or to be changed, which it keeps until it ends.
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
  // The first root is often the working directory, so that their order counts, too.
  const isSame =
    roots.length === paths.length && roots.every(({ path }, index) => path === paths[index]);
  const isMissing = isSandboxed && now.some(root => !isShown(root, roots));
  const [first] = roots;
  const isAway =
    first && isInFirstRoot(launch) && !now.some(({ uri }) => isAtOrBelow(first.uri, uri));
  return (isConfigured && !isSame) || isMissing || isAway ? 'outdated' : 'current';
}

/** The roots of now that a process sees: all, but in a sandbox only those it was started with. */
export function seenRoots(
  { roots = [], isSandboxed = false }: RootsAtStart,
  now: readonly StartRoot[],
): readonly StartRoot[] {
  return isSandboxed ? now.filter(root => roots.some(other => isSameFolder(root, other))) : now;
}

/** Whether one of the others is the same folder, and shows at least as much. */
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

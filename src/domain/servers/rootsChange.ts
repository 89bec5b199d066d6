import { isUriWithin, type Root, sameRoots } from '../roots.ts';
import { isInFirstRoot, type Launch } from './launch.ts';

/** A root at the start of a process. It also says where the folder is. */
export interface StartRoot extends Root {
  readonly path: string;
  /** The folder's device and inode; `undefined` if any folder at the path will do. */
  readonly place?: string;
  /** True if the server can only read the folder. A sandbox enforces this. */
  readonly isReadOnly?: boolean;
  /** Files and folders in the root that a sandbox hides from the server. */
  readonly hidden?: readonly string[];
}

/** Whether a process would start the same way with both lists. */
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

/** Facts about a process's start that matter when roots change. */
export interface RootsAtStart {
  readonly launch: Launch;
  /** The roots at the start. `undefined`: none, and no roots capability in the connection. */
  readonly roots: readonly StartRoot[] | undefined;
  /** Whether the process got these roots in its configuration, such as its arguments. */
  readonly isConfigured?: boolean;
  /** Whether a sandbox shows exactly these roots until the process ends. */
  readonly isSandboxed?: boolean;
}

/** How a change of roots affects a process. `tell`: the server only gets a notice. */
type RootsEffect = 'none' | 'tell' | 'restart' | 'stop';

/**
 * The effect on a process that could see `before` and may see `now`.
 *
 * If the last root is gone, the process stops ({@link losesLast}). A restart is needed if the
 * server has no roots capability, has roots in its configuration or sandbox, or works in a removed
 * root.
 *
 * @param start `undefined`: the start is in preparation, and will use the roots that hold by then.
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
  // A server that works in its first root, but got none at its start, works in another folder.
  const isOutside = start.roots?.length === 0 && isInFirstRoot(start.launch);
  if (!start.roots || age !== 'current' || isOutside) {
    return 'restart';
  }
  return sameRoots(before, now) ? 'none' : 'tell';
}

/** Whether a server loses its last root. Many servers ignore an empty list of roots. */
export function losesLast(before: readonly Root[], now: readonly Root[]): boolean {
  return before.length > 0 && now.length === 0;
}

/**
 * How the roots at a process's start differ from the current roots. `outdated`: the process needs a
 * restart to see new folders, or works in a removed folder. `lost`: until the process ends, its
 * configuration or sandbox has a folder that was removed or made read-only.
 */
type StartAge = 'current' | 'outdated' | 'lost';

export function startAge(
  { launch, roots = [], isConfigured = false, isSandboxed = false }: RootsAtStart,
  now: readonly StartRoot[],
): StartAge {
  const paths = now.map(({ path }) => path);
  const isLost = (root: StartRoot) =>
    (isConfigured && !paths.includes(root.path)) || (isSandboxed && !isShown(root, now));
  if (roots.some(isLost)) {
    return 'lost';
  }
  // Order matters, because many servers work in the first root.
  const isSame =
    roots.length === paths.length && roots.every(({ path }, index) => path === paths[index]);
  const isMissing = isSandboxed && now.some(root => !isShown(root, roots));
  const [first] = roots;
  const isAway =
    first && isInFirstRoot(launch) && !now.some(({ uri }) => isUriWithin(first.uri, uri));
  return (isConfigured && !isSame) || isMissing || isAway ? 'outdated' : 'current';
}

/** The current roots that a process can use: in a sandbox, only the roots of its start. */
export function seenRoots(
  { roots = [], isSandboxed = false }: RootsAtStart,
  now: readonly StartRoot[],
): readonly StartRoot[] {
  return isSandboxed ? now.filter(root => roots.some(other => isSameFolder(root, other))) : now;
}

/** Whether another root is the same folder and gives at least as much access. */
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

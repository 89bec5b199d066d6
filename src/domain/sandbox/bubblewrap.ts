import { isAtOrBelow, isOfSystem, systemFiles, systemFolders } from './systemPlaces.ts';

/** A file or folder that a sandboxed server sees, by its real path. */
export interface Shown {
  readonly path: string;
  readonly isWritable: boolean;
  /** Which file or folder it is: `device:inode`. The start fails when another one is in its place. */
  readonly place: string;
}

/** Something in a writable folder that a server can't change, or can't read. */
export interface Guarded {
  readonly path: string;
  readonly as: 'read-only' | 'hidden-file' | 'hidden-folder';
}

/** All that exists for a sandboxed server, besides the programs of the system. */
export interface World {
  readonly shown: readonly Shown[];
  /** They exist. Nothing is made in a folder that is shown. */
  readonly guarded: readonly Guarded[];
  /** Where links are, and what they say. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that are there, and empty at first: the home, and those for temporary files. */
  readonly empty: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasNetwork: boolean;
}

/** The bubblewrap of this machine, and what the system lets it do. */
export interface Bubblewrap {
  readonly path: string;
  /** Since 0.8. */
  readonly canDisableUserNamespaces: boolean;
  /** Whether it runs in itself. */
  readonly canNest: boolean;
  /** Whether the links of the system's folders, such as `/lib`, are links. */
  readonly uid: number;
  readonly gid: number;
}

/** How to start bubblewrap so that it starts a program in a world. */
export interface BubblewrapStart {
  readonly args: readonly string[];
  /** For the descriptor 3. Arguments can be read by every user of the machine, and these hold secrets. */
  readonly options: string;
}

/**
 * How to start a program so that it finds itself in the world.
 *
 * What lies within another folder is not mounted from where the whole machine is seen: who may write
 * there could put a link in its place, and before 0.12 bubblewrap would make folders where that leads
 * (CVE-2026-87766). A second bubblewrap does it, which sees only what the first one showed. And because
 * a folder may be another one by the time that it is mounted, a shell compares all of them before the
 * program starts.
 */
export function bubblewrapStart(
  bubblewrap: Bubblewrap,
  world: World,
  program: readonly string[],
): BubblewrapStart {
  const { path, canDisableUserNamespaces, uid, gid } = bubblewrap;
  const outermost = world.shown.filter(one => !liesInOther(one, world.shown));
  const layers = innerLayers(outermost, world);
  const last = [
    ...(canDisableUserNamespaces ? ['--disable-userns'] : []),
    ...['--seccomp', '4', '--chdir', world.cwd],
  ];
  // Where user 0 has an inner namespace, the outer one must not be that of user 0.
  const innerUser = uid === 0 && layers.length > 0 ? ['--uid', '1', '--gid', '1'] : [];
  const outer = [
    ...['--unshare-user', '--unshare-all', ...(world.hasNetwork ? ['--share-net'] : [])],
    ...[...innerUser, '--cap-drop', 'ALL', '--die-with-parent', '--clearenv'],
    ...Object.entries(world.env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemFolders.flatMap(folder => ['--ro-bind-try', folder, folder]),
    ...systemFiles.flatMap(file => ['--ro-bind-try', file, file]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...world.empty.flatMap(folder => ['--tmpfs', folder]),
    ...linksIn(world).flatMap(([at, text]) => ['--symlink', text, at]),
    ...outermost.flatMap(({ path, isWritable }) =>
      bind(path, isWritable || world.shown.some(o => o.isWritable && isAtOrBelow(o.path, path))),
    ),
    ...['--remount-ro', '/'],
    ...(layers.length > 0 ? [] : last),
  ];
  const inner = [path, '--unshare-user', '--uid', `${uid}`, '--gid', `${gid}`];
  return {
    options: outer.map(option => `${option}\0`).join(''),
    args: [
      ...['--args', '3', '--'],
      ...(layers.length === 0
        ? []
        : [
            ...[...inner, '--cap-drop', 'ALL', '--die-with-parent', '--dev-bind', '/', '/'],
            ...[...layers, ...last, '--'],
          ]),
      ...comparing(world, program),
    ],
  };
}

function innerLayers(outermost: readonly Shown[], { shown, guarded }: World): string[] {
  const nested = shown.filter(one => !outermost.includes(one));
  const weakened = outermost.filter(
    ({ path, isWritable }) =>
      !isWritable && nested.some(one => one.isWritable && isAtOrBelow(one.path, path)),
  );
  const layers = [...weakened, ...nested].sort((a, b) => a.path.length - b.path.length);
  return [
    ...layers.flatMap(({ path, isWritable }) => bind(path, isWritable)),
    ...guarded.flatMap(guardOf),
  ];
}

function bind(path: string, isWritable: boolean): string[] {
  return [isWritable ? '--bind' : '--ro-bind', path, path];
}

function guardOf({ path, as }: Guarded): string[] {
  switch (as) {
    case 'read-only':
      return ['--ro-bind-try', path, path];
    case 'hidden-file':
      return ['--ro-bind', '/dev/null', path];
    case 'hidden-folder':
      return ['--tmpfs', path, '--remount-ro', path];
  }
}

/** The program behind a shell that starts it only if all that is shown is what was allowed. */
function comparing({ shown }: World, program: readonly string[]): string[] {
  const places = shown.map(({ place }) => place).join('\n');
  return [
    ...['/bin/sh', '-c', compare, 'sh', places, `${shown.length}`],
    ...[...shown.map(({ path }) => path), ...program],
  ];
}

const compare = `expected=$1; count=$2; shift 2
index=0; for path; do index=$((index+1)); [ $index -le $count ] || break; found="$found$(/usr/bin/stat -c %d:%i -- "$path")
"; done
[ "$found" = "$expected
" ] || { echo 'A folder is not the one that was allowed.' >&2; exit 125; }
shift $count; exec "$@"`;

function liesInOther({ path }: Shown, all: readonly Shown[]): boolean {
  return all.some(other => other.path !== path && isAtOrBelow(path, other.path));
}

/** The links that are not shown anyway. */
function linksIn({ links, shown }: World): [string, string][] {
  return [...links].filter(
    ([at]) => !isOfSystem(at) && !shown.some(({ path }) => isAtOrBelow(at, path)),
  );
}

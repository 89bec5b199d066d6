import { posix } from 'node:path';
import {
  foldersAbove,
  isAtOrBelow,
  isOfSystem,
  systemFiles,
  systemFolders,
} from './systemPlaces.ts';

/** A file or folder that a sandboxed server sees, by its real path. */
export interface ShownPath {
  readonly path: string;
  readonly isWritable: boolean;
  /** The device and inode that the start must find at the path. Otherwise, the start fails. */
  readonly place: string;
}

/** A path that a server must not read, inside a shown folder. */
export interface Hidden {
  readonly path: string;
  readonly isFolder: boolean;
  /** Paths inside that stay visible. */
  readonly within?: readonly ShownPath[];
}

/** Everything that exists for a sandboxed server, besides the system's programs. */
export interface World {
  readonly shown: readonly ShownPath[];
  /** Existing paths to hide in shown folders. To hide a missing path, we would have to make it. */
  readonly hidden: readonly Hidden[];
  /** The {@link foldersToHold}, with the device and inode that the start must find. */
  readonly held?: readonly ShownPath[];
  /** The targets of links, by the links' paths. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that exist and start empty: the home and the folders for temporary files. */
  readonly empty: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasNetwork: boolean;
  /** Whether the program may create unix sockets. */
  readonly hasUnixSockets?: boolean;
  /** Whether the program may change the times of files. With namespaces, it always may. */
  readonly setsTimes?: boolean;
}

/** The bubblewrap of this machine. */
export interface Bubblewrap {
  readonly path: string;
  /** Such as `0.8.0`. */
  readonly version: string;
  /** Whether links can't lead its mounts out of the new root: see {@link rootQuestion}. */
  readonly staysInRoot: boolean;
}

/** The arguments and options with which bubblewrap starts a program in a world. */
interface BubblewrapStart {
  readonly args: readonly string[];
  /** The text for descriptor 3. Options hold secrets, and every user can read arguments. */
  readonly options: string;
}

/**
 * Returns arguments with which bubblewrap prints `inside` if its mounts stay in the new root. Its
 * version does not tell this: a distribution may fix an old version, and Ubuntu undid its fix.
 */
export function rootQuestion(): string[] {
  return [
    ...[...ownNamespaces, ...fromMachine(systemFolders), '--dir', '/../asked', '--'],
    ...['/bin/sh', '-c', 'if [ -d /asked ]; then echo inside; else echo beside; fi'],
  ];
}

/**
 * Returns the start of a program in the world. Bubblewrap passes its own variables on to the
 * program, so start bubblewrap without variables that the program must not have.
 *
 * Another program may swap a folder before bubblewrap mounts it. So a shell in the sandbox compares
 * the mounted folders before the program starts.
 *
 * @param secret a name that no program knows and no other start has.
 */
export function bubblewrapStart(
  bubblewrap: Bubblewrap,
  world: World,
  program: readonly string[],
  secret: string,
): BubblewrapStart {
  const names = variableNames(world);
  const mounts = mountsOf(world);
  const options = [
    ...[...ownNamespaces, ...(world.hasNetwork ? ['--share-net'] : [])],
    ...['--cap-drop', 'ALL', '--die-with-parent'],
    ...names.flatMap(name => ['--setenv', `${latePrefix}${name}`, world.env[name] ?? '']),
    ...[...fromMachine(systemFolders), ...fromMachine(systemFiles), '--dev', '/dev'],
    ...world.empty.flatMap(folder => ['--tmpfs', folder]),
    ...linksIn(world).flatMap(([at, text]) => ['--symlink', text, at]),
    ...(bubblewrap.staysInRoot ? inPlace(mounts) : besideRoot(mounts, secret)),
    ...['--remount-ro', '/'],
    ...(isAtLeast(bubblewrap.version, [0, 8]) ? ['--disable-userns'] : []),
    ...['--seccomp', '4', '--chdir', world.cwd],
  ];
  return {
    options: options.map(option => `${option}\0`).join(''),
    args: [
      ...['--args', '3', '--'],
      ...(world.hasUnixSockets ? ['/usr/bin/perl', '-e', scoping] : []),
      ...comparing([...world.shown, ...(world.held ?? [])], names, program),
    ],
  };
}

const ownNamespaces = ['--unshare-user', '--unshare-all'];

function fromMachine(paths: readonly string[]): string[] {
  return paths.flatMap(path => ['--ro-bind-try', path, path]);
}

/** Whether a version such as `0.8.0` is at least this one. */
function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * Returns the names of the program's variables, without names that shells do not accept. Until the
 * program starts, each variable has a prefix. Otherwise some, such as `LD_PRELOAD`, would make the
 * shell run foreign code before it has compared the folders.
 */
function variableNames({ env }: World): string[] {
  return Object.keys(env).filter(name => /^[A-Za-z_]\w*$/.test(name) && !ofShell.test(name));
}

/**
 * Variables that are left out. The shell that sets them would obey the first two, and bash refuses
 * to set the others, so the program would not start. They have a meaning only to shells.
 */
const ofShell = /^(?:IFS|OPTIND|BASHOPTS|BASH_VERSINFO|E?UID|PPID|SHELLOPTS)$/;

const latePrefix = 'LATE_';

/** A mount of a world. */
interface Mount {
  readonly path: string;
  /** Bubblewrap's options that mount `path`, with everything below it, at a place. */
  readonly madeAt: (place: string) => readonly string[];
}

/** The mounts of a world. A mount hides what is below it, so outer ones come first. */
interface Mounts {
  readonly outermost: readonly Mount[];
  /** Mounts inside an outermost mount, where a server may have put links. */
  readonly inner: readonly Mount[];
}

function mountsOf(world: World): Mounts {
  const { shown, hidden } = world;
  return {
    outermost: shown.filter(one => !shown.some(other => liesIn(one, other))).map(bind),
    inner: [
      ...foldersToHold(world).map(path =>
        bind({ path, isWritable: innermost(shown, path)?.isWritable ?? false }),
      ),
      ...nestedIn(shown).map(bind),
      ...coveredIn(hidden).map(hide),
    ].sort((a, b) => a.path.length - b.path.length),
  };
}

/** Returns options for a bubblewrap that stays in its root: each mount goes to its own path. */
function inPlace({ outermost, inner }: Mounts): string[] {
  return [...outermost, ...inner, proc].flatMap(({ path, madeAt }) => madeAt(path));
}

/**
 * Returns options for a bubblewrap that may leave its root. Before 0.12, bubblewrap follows a link
 * at a mount's path, and makes or empties a file at the link's target (CVE-2026-87766). So each
 * mount is first made beside the root, under a name that no link can know. Then the machine is
 * hidden, and the inner mounts are bound into the outermost. Links then lead only to the system, to
 * empty folders, and to the folder they are in. At last, the outermost are bound into the root.
 */
function besideRoot({ outermost, inner }: Mounts, secret: string): string[] {
  const all = [...outermost, ...inner, proc];
  const copyOf = (mount: Mount) => `/../${secret}${all.indexOf(mount)}`;
  const placeOf = ({ path }: Mount) => {
    const outer = outermost.find(one => isAtOrBelow(path, one.path));
    return outer ? `${copyOf(outer)}${path.slice(outer.path.length)}` : path;
  };
  // Bubblewrap also looks for the source on the machine, where it is missing: hence `--bind-try`.
  const bound = (mount: Mount, place: string) => [
    ...hideMachine(place),
    ...['--bind-try', copyOf(mount), place],
  ];
  return [
    ...all.flatMap(mount => mount.madeAt(copyOf(mount))),
    ...inner.flatMap(mount => bound(mount, placeOf(mount))),
    ...[...outermost, proc].flatMap(mount => bound(mount, mount.path)),
    ...hideMachine(''),
  ];
}

/**
 * Hides the machine, which is at `/oldroot` while bubblewrap builds the root in `/newroot`. To find
 * its next mount, bubblewrap reads a link in `/oldroot/proc/self/fd` (6, until 0.11), made here.
 */
function hideMachine(next: string): string[] {
  const path = posix.join('/newroot', next);
  return [
    ...['--tmpfs', '/../oldroot'],
    ...[5, 6, 7].flatMap(fd => ['--symlink', path, `/../oldroot/proc/self/fd/${fd}`]),
  ];
}

function bind({ path, isWritable }: Omit<ShownPath, 'place'>): Mount {
  return { path, madeAt: place => [isWritable ? '--bind' : '--ro-bind', path, place] };
}

function hide({ path, isFolder, within = [] }: Hidden): Mount {
  const kept = (place: string) =>
    within.flatMap(one => bind(one).madeAt(`${place}${one.path.slice(path.length)}`));
  return {
    path,
    madeAt: place =>
      isFolder
        ? ['--tmpfs', place, ...kept(place), '--remount-ro', place]
        : ['--ro-bind', '/dev/null', place],
  };
}

/**
 * Through some folders of `/proc`, user 0 can change the whole machine without a capability: a
 * program named in `/proc/sys/kernel/core_pattern` runs outside, with all rights. Bubblewrap locks
 * only the folders that it can write itself. So this mount makes all these folders read-only.
 */
const proc: Mount = {
  path: '/proc',
  madeAt: place => [
    ...['--proc', place],
    ...['acpi', 'asound', 'fs', 'scsi', 'sys', 'sysrq-trigger'].flatMap(name => [
      ...['--ro-bind-try', `/proc/${name}`, `${place}/${name}`],
    ]),
  ],
};

/**
 * Returns the folders between a mount and the shown folder around it. Each becomes a mount, so that
 * nobody can move it. If moved, its contents would get an unguarded path. The start also compares
 * each folder's device and inode, so that no link is on the way.
 */
export function foldersToHold({ shown, hidden }: Pick<World, 'shown' | 'hidden'>): string[] {
  const nested = nestedIn(shown);
  const around = [...nested, ...coveredIn(hidden)].flatMap(({ path }) => foldersAbove(path));
  const isMounted = (path: string) =>
    nested.some(one => one.path === path) || !shown.some(other => liesIn({ path }, other));
  return [...new Set(around)].filter(path => !isMounted(path));
}

/** Returns the shown paths that lie in a shown path with other write access. */
function nestedIn(shown: readonly ShownPath[]): ShownPath[] {
  return shown.filter(one => {
    const around = shown.filter(other => liesIn(one, other));
    const outer = innermost(around, one.path);
    return outer !== undefined && outer.isWritable !== one.isWritable;
  });
}

function coveredIn(hidden: readonly Hidden[]): Hidden[] {
  return hidden.filter(one => !hidden.some(other => liesIn(one, other)));
}

/** The longest path that contains this one; of equal paths, the last. */
function innermost<Place extends Placed>(
  places: readonly Place[],
  path: string,
): Place | undefined {
  return places
    .filter(place => isAtOrBelow(path, place.path))
    .sort((a, b) => a.path.length - b.path.length)
    .at(-1);
}

export type Placed = Pick<ShownPath, 'path'>;

/** Whether a path lies below another one. */
export function liesIn({ path }: Placed, outer: Placed): boolean {
  return path !== outer.path && isAtOrBelow(path, outer.path);
}

/** Returns a shell's command that starts the program if each path has the expected inode. */
function comparing(
  expected: readonly ShownPath[],
  variables: readonly string[],
  program: readonly string[],
): string[] {
  // Compares device and inode alone, because some systems' `stat` prints no birth time.
  const places = expected.map(({ place }) => place.split(':', 2).join(':')).join('\n');
  return [
    ...['/bin/sh', '-c', compare, 'sh', variables.join(' '), places, `${expected.length}`],
    ...[...expected.map(({ path }) => path), ...program],
  ];
}

/**
 * Keeps a program from other programs' abstract unix sockets, which come with the network:
 * `landlock_create_ruleset` and `landlock_restrict_self` with LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET,
 * of Linux 6.12. No tool makes these calls, so Perl does. Socket files of others are not shown.
 */
const scoping = `my $scope = pack("QQQ", 0, 0, 1);
my $rules = syscall(444, $scope, 24, 0);
$rules >= 0 && syscall(446, $rules, 0) == 0 or die "Landlock: $!\\n";
exec @ARGV or die "$!\\n"`;

/** The script of `comparing`. Its variables end in `_`, unlike the variables of programs. */
const compare = `PATH=/usr/bin:/bin; names_=$1; expected_=$2; count_=$3; shift 3
index_=0; while [ "$index_" -lt "$count_" ]; do index_=$((index_+1)); paths_="$paths_ \\"\\\${$index_}\\""; done
[ "$count_" = 0 ] || found_=$(eval "stat -c %d:%i -- $paths_")
[ "$found_" = "$expected_" ] || { echo 'A folder changed since you allowed it.' >&2; exit 125; }
shift "$count_"; unset PATH
for name_ in $names_; do eval 'export '$name_'="$${latePrefix}'$name_'"'; unset ${latePrefix}$name_; done
exec "$@"`;

/** Returns the links that no shown folder already contains, each with its target. */
function linksIn({ links, shown }: World): [string, string][] {
  return [...links].filter(
    ([at]) => !isOfSystem(at) && !shown.some(({ path }) => isAtOrBelow(at, path)),
  );
}

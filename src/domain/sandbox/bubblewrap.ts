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
  /** Which it is. The start fails when another one is there. */
  readonly place: string;
}

/** A path in a shown folder that must not be read all the same. */
export interface Hidden {
  readonly path: string;
  readonly isFolder: boolean;
}

/** All that exists for a sandboxed server, besides the programs of the system. */
export interface World {
  readonly shown: readonly ShownPath[];
  /** They exist. Nothing is made in a folder that is shown. */
  readonly hidden: readonly Hidden[];
  /** The links by their paths, with their targets. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that are there, and empty at first: the home, and those for temporary files. */
  readonly empty: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasNetwork: boolean;
  /** Whether the program may make unix sockets. */
  readonly hasUnixSockets?: boolean;
}

/** The bubblewrap of this machine, and what the system lets it do. */
export interface Bubblewrap {
  readonly path: string;
  /** Such as `0.8.0`. */
  readonly version: string;
  readonly uid: number;
  readonly gid: number;
}

/** The start of bubblewrap that starts a program in a world. */
interface BubblewrapStart {
  readonly args: readonly string[];
  /** For the descriptor 3. Arguments can be read by every user of the machine, and these hold secrets. */
  readonly options: string;
}

/**
 * The start of a program in the world. Bubblewrap hands its own variables on to the program, so start it with
 * none that the program must not have.
 *
 * The first bubblewrap sees the whole machine, so it mounts nothing that lies within another shown folder.
 * A server that writes to the outer folder could have put a link there, and bubblewrap before 0.12 would
 * make folders where that leads (CVE-2026-87766). A second bubblewrap mounts these, which sees only what
 * the first one showed. A folder may also be swapped before it is mounted, so a shell compares all of them
 * before the program starts.
 */
export function bubblewrapStart(
  bubblewrap: Bubblewrap,
  world: World,
  program: readonly string[],
): BubblewrapStart {
  const { shown } = world;
  const outermost = shown.filter(one => !shown.some(other => liesIn(one, other)));
  const layers = layersOf(world);
  const last = [
    ...ofTheMachine.flatMap(path => ['--ro-bind-try', path, path]),
    ...(isAtLeast(bubblewrap.version, [0, 8]) ? ['--disable-userns'] : []),
    ...['--seccomp', '4', '--chdir', world.cwd],
  ];
  const { uid, gid } = bubblewrap;
  // An inner namespace of user 0 takes an outer one of another user.
  const innerUser = uid === 0 && layers.length > 0 ? ['--uid', '1', '--gid', '1'] : [];
  const names = variableNames(world);
  const outer = [
    ...['--unshare-user', '--unshare-all', ...(world.hasNetwork ? ['--share-net'] : [])],
    ...[...innerUser, '--cap-drop', 'ALL', '--die-with-parent'],
    ...names.flatMap(name => ['--setenv', `${latePrefix}${name}`, world.env[name] ?? '']),
    ...systemFolders.flatMap(folder => ['--ro-bind-try', folder, folder]),
    ...systemFiles.flatMap(file => ['--ro-bind-try', file, file]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...world.empty.flatMap(folder => ['--tmpfs', folder]),
    ...linksIn(world).flatMap(([at, text]) => ['--symlink', text, at]),
    ...outermost.flatMap(one => bind(one.path, one.isWritable || isOpened(one, shown))),
    ...['--remount-ro', '/'],
    ...(layers.length > 0 ? [] : last),
  ];
  const inner = [bubblewrap.path, '--unshare-user', '--uid', `${uid}`, '--gid', `${gid}`];
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
      ...(world.hasUnixSockets ? ['/usr/bin/perl', '-e', scoping] : []),
      ...comparing(world, names, program),
    ],
  };
}

/** Whether a version such as `0.8.0` is this one or a later one. */
function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * The names of the program's variables. Until it starts they have a prefix: some of them, such as
 * `LD_PRELOAD`, would have code of somebody's run before, while nothing is guarded yet. A name that is
 * none to a shell can't be passed on.
 */
function variableNames({ env }: World): string[] {
  return Object.keys(env).filter(name => /^[A-Za-z_]\w*$/.test(name) && !ofShell.test(name));
}

/**
 * Left out, because the shell that sets the others would go by the first two, and bash lets nobody set
 * the rest: no program starts then. To programs they mean nothing but what their shell makes of them.
 */
const ofShell = /^(?:IFS|OPTIND|BASHOPTS|BASH_VERSINFO|E?UID|PPID|SHELLOPTS)$/;

const latePrefix = 'LATE_';

/**
 * The mounts of what is hidden, and of what lies in another shown folder but is read only or writable
 * where that is not. A mount on a folder hides the mounts in it, so outer folders come first. A folder that
 * holds such a mount is mounted itself, so that it can't be moved: what lies in it would be under another
 * path, unguarded.
 */
function layersOf({ shown, hidden }: World): string[] {
  const nested = nestedIn(shown);
  const covered = hidden.filter(one => !hidden.some(other => liesIn(one, other)));
  const holders = new Set([...nested, ...covered].flatMap(({ path }) => foldersAbove(path)));
  const isMounted = (path: string) =>
    nested.some(one => one.path === path) || !shown.some(other => liesIn({ path }, other));
  // In read-only folders all stays in its place, and a mount of its own would open it.
  const kept = [...holders].filter(path => innermost(shown, path)?.isWritable && !isMounted(path));
  return [
    ...kept.map(path => ({ path, options: ['--bind-try', path, path] })),
    ...nested.map(({ path, isWritable }) => ({ path, options: bind(path, isWritable) })),
    ...covered.map(one => ({ path: one.path, options: hide(one) })),
  ]
    .sort((a, b) => a.path.length - b.path.length)
    .flatMap(({ options }) => options);
}

/** Paths in another shown folder that are used in another way, with the folders it takes to open them. */
function nestedIn(shown: readonly ShownPath[]): ShownPath[] {
  const different = shown.filter(one => {
    const outer = innermost(
      shown.filter(other => liesIn(one, other)),
      one.path,
    );
    return outer !== undefined && outer.isWritable !== one.isWritable;
  });
  return [...shown.filter(outer => isOpened(outer, different)), ...different];
}

/** The last of the longest, of those that hold a path. */
function innermost<Place extends Placed>(
  places: readonly Place[],
  path: string,
): Place | undefined {
  return places
    .filter(place => isAtOrBelow(path, place.path))
    .sort((a, b) => a.path.length - b.path.length)
    .at(-1);
}

/** Whether a folder that is only read holds one that is written to: the inner mount opens no outer one. */
function isOpened(outer: ShownPath, all: readonly ShownPath[]): boolean {
  return !outer.isWritable && all.some(one => one.isWritable && liesIn(one, outer));
}

type Placed = Pick<ShownPath, 'path'>;

function liesIn({ path }: Placed, outer: Placed): boolean {
  return path !== outer.path && isAtOrBelow(path, outer.path);
}

/**
 * Folders of `/proc` by which user 0 can change the whole machine without a capability: a program named in
 * `/proc/sys/kernel/core_pattern` is run outside, with all rights. Bubblewrap leaves out what it can't
 * write to itself, without asking what is in there.
 */
const ofTheMachine = ['acpi', 'asound', 'fs', 'scsi', 'sys', 'sysrq-trigger'].map(
  name => `/proc/${name}`,
);

function bind(path: string, isWritable: boolean): string[] {
  return [isWritable ? '--bind' : '--ro-bind', path, path];
}

function hide({ path, isFolder }: Hidden): string[] {
  return isFolder ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
}

/** The program behind a shell that starts it only if all that is shown is what was allowed. */
function comparing(
  { shown }: World,
  variables: readonly string[],
  program: readonly string[],
): string[] {
  // No `stat` of a shell tells a birth time on every system.
  const places = shown.map(({ place }) => place.split(':', 2).join(':')).join('\n');
  return [
    ...['/bin/sh', '-c', compare, 'sh', variables.join(' '), places, `${shown.length}`],
    ...[...shown.map(({ path }) => path), ...program],
  ];
}

/**
 * Keeps a program from the bare names of others' unix sockets, which it shares with the network:
 * `landlock_create_ruleset` and `landlock_restrict_self` with LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, of
 * Linux 6.12. No tool does that, so Perl makes the calls. Others' paths are not shown.
 */
const scoping = `my $scope = pack("QQQ", 0, 0, 1);
my $rules = syscall(444, $scope, 24, 0);
$rules >= 0 && syscall(446, $rules, 0) == 0 or die "Landlock: $!\\n";
exec @ARGV or die "$!\\n"`;

/** The name of the shell's own variables end in `_`, of which a program has none. */
const compare = `PATH=/usr/bin:/bin; names_=$1; expected_=$2; count_=$3; shift 3
index_=0; while [ "$index_" -lt "$count_" ]; do index_=$((index_+1)); paths_="$paths_ \\"\\\${$index_}\\""; done
[ "$count_" = 0 ] || found_=$(eval "stat -c %d:%i -- $paths_")
[ "$found_" = "$expected_" ] || { echo 'A folder is not the one that was allowed.' >&2; exit 125; }
shift "$count_"; unset PATH
for name_ in $names_; do eval 'export '$name_'="$${latePrefix}'$name_'"'; unset ${latePrefix}$name_; done
exec "$@"`;

/** The links that are not shown anyway. */
function linksIn({ links, shown }: World): [string, string][] {
  return [...links].filter(
    ([at]) => !isOfSystem(at) && !shown.some(({ path }) => isAtOrBelow(at, path)),
  );
}

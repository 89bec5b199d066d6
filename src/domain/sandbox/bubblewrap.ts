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
  /** The expected file or folder. The start fails if another one is there. */
  readonly place: string;
}

/** A path inside a shown folder that must not be read. */
export interface Hidden {
  readonly path: string;
  readonly isFolder: boolean;
  /** Paths inside that stay visible. */
  readonly within?: readonly ShownPath[];
}

/** Everything that exists for a sandboxed server, besides the system's programs. */
export interface World {
  readonly shown: readonly ShownPath[];
  /** These paths exist. Nothing is created in a shown folder. */
  readonly hidden: readonly Hidden[];
  /** The targets of links, by the links' paths. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that exist and start empty: the home and the folders for temporary files. */
  readonly empty: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasNetwork: boolean;
  /** Whether the program may create unix sockets. */
  readonly hasUnixSockets?: boolean;
}

/** The bubblewrap of this machine, and the user to run as. */
export interface Bubblewrap {
  readonly path: string;
  /** Such as `0.8.0`. */
  readonly version: string;
  readonly uid: number;
  readonly gid: number;
}

/** The arguments and options with which bubblewrap starts a program in a world. */
interface BubblewrapStart {
  readonly args: readonly string[];
  /** For descriptor 3: every user can read arguments, and these options hold secrets. */
  readonly options: string;
}

/**
 * The start of a program in the world. Bubblewrap passes its own variables on to the program, so
 * start bubblewrap without variables that the program must not have.
 *
 * The first bubblewrap sees the whole machine, so it mounts nothing inside another shown folder. A
 * server that writes to the outer folder may have put a link there. Bubblewrap before 0.12 would
 * create folders at the link's target (CVE-2026-87766). A second bubblewrap, which sees only what
 * the first one showed, mounts these. A folder may also be swapped before it is mounted: so a shell
 * compares all of them before the program starts.
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
  // An inner namespace of user 0 needs an outer one of another user.
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

/** Whether a version such as `0.8.0` is at least this one. */
function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * The names of the program's variables. They have a prefix until the program starts: some, such as
 * `LD_PRELOAD`, would run foreign code while nothing is guarded yet. A name that shells do not
 * accept can't be passed on.
 */
function variableNames({ env }: World): string[] {
  return Object.keys(env).filter(name => /^[A-Za-z_]\w*$/.test(name) && !ofShell.test(name));
}

/**
 * Left out: the shell that sets the variables would obey the first two, and bash lets nobody set
 * the others, so no program would start. To programs, only their own shell gives these a meaning.
 */
const ofShell = /^(?:IFS|OPTIND|BASHOPTS|BASH_VERSINFO|E?UID|PPID|SHELLOPTS)$/;

const latePrefix = 'LATE_';

/**
 * The mounts of hidden paths, and of shown paths inside another shown folder with other write
 * access. A mount on a folder hides the mounts inside, so outer folders come first. Each folder
 * around such a mount is a mount itself, so that nobody can move it: its contents would get another
 * path, unguarded.
 */
function layersOf({ shown, hidden }: World): string[] {
  const nested = nestedIn(shown);
  const covered = hidden.filter(one => !hidden.some(other => liesIn(one, other)));
  const holders = new Set([...nested, ...covered].flatMap(({ path }) => foldersAbove(path)));
  const isMounted = (path: string) =>
    nested.some(one => one.path === path) || !shown.some(other => liesIn({ path }, other));
  // In read-only folders, everything stays in its place, and a mount would make them writable.
  const kept = [...holders].filter(path => innermost(shown, path)?.isWritable && !isMounted(path));
  return [
    ...kept.map(path => ({ path, options: ['--bind-try', path, path] })),
    ...nested.map(({ path, isWritable }) => ({ path, options: bind(path, isWritable) })),
    ...covered.map(one => ({ path: one.path, options: hide(one) })),
  ]
    .sort((a, b) => a.path.length - b.path.length)
    .flatMap(({ options }) => options);
}

/** Shown paths inside another one with other write access, and the folders to mount for them. */
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

/** Whether a read-only folder contains a writable one: the inner mount does not open the outer. */
function isOpened(outer: ShownPath, all: readonly ShownPath[]): boolean {
  return !outer.isWritable && all.some(one => one.isWritable && liesIn(one, outer));
}

type Placed = Pick<ShownPath, 'path'>;

function liesIn({ path }: Placed, outer: Placed): boolean {
  return path !== outer.path && isAtOrBelow(path, outer.path);
}

/**
 * Folders of `/proc` through which user 0 can change the whole machine without a capability: a
 * program named in `/proc/sys/kernel/core_pattern` runs outside, with all rights. Bubblewrap skips
 * folders that it can't write itself, without a look at their contents.
 */
const ofTheMachine = ['acpi', 'asound', 'fs', 'scsi', 'sys', 'sysrq-trigger'].map(
  name => `/proc/${name}`,
);

function bind(path: string, isWritable: boolean): string[] {
  return [isWritable ? '--bind' : '--ro-bind', path, path];
}

function hide({ path, isFolder, within = [] }: Hidden): string[] {
  const kept = within.flatMap(one => bind(one.path, one.isWritable));
  return isFolder
    ? ['--tmpfs', path, ...kept, '--remount-ro', path]
    : ['--ro-bind', '/dev/null', path];
}

/** The program behind a shell, which starts it only if all shown paths are the allowed ones. */
function comparing(
  { shown }: World,
  variables: readonly string[],
  program: readonly string[],
): string[] {
  // No `stat` of a shell prints the birth time on every system.
  const places = shown.map(({ place }) => place.split(':', 2).join(':')).join('\n');
  return [
    ...['/bin/sh', '-c', compare, 'sh', variables.join(' '), places, `${shown.length}`],
    ...[...shown.map(({ path }) => path), ...program],
  ];
}

/**
 * Keeps a program from other programs' abstract unix sockets, which come with the network:
 * `landlock_create_ruleset` and `landlock_restrict_self` with LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET,
 * of Linux 6.12. No tool does this, so Perl makes the calls. Others' socket files are not shown.
 */
const scoping = `my $scope = pack("QQQ", 0, 0, 1);
my $rules = syscall(444, $scope, 24, 0);
$rules >= 0 && syscall(446, $rules, 0) == 0 or die "Landlock: $!\\n";
exec @ARGV or die "$!\\n"`;

/** The shell's own variables end in `_`: no program has such variables. */
const compare = `PATH=/usr/bin:/bin; names_=$1; expected_=$2; count_=$3; shift 3
index_=0; while [ "$index_" -lt "$count_" ]; do index_=$((index_+1)); paths_="$paths_ \\"\\\${$index_}\\""; done
[ "$count_" = 0 ] || found_=$(eval "stat -c %d:%i -- $paths_")
[ "$found_" = "$expected_" ] || { echo 'A folder changed since you allowed it.' >&2; exit 125; }
shift "$count_"; unset PATH
for name_ in $names_; do eval 'export '$name_'="$${latePrefix}'$name_'"'; unset ${latePrefix}$name_; done
exec "$@"`;

/** The links that no shown folder already contains. */
function linksIn({ links, shown }: World): [string, string][] {
  return [...links].filter(
    ([at]) => !isOfSystem(at) && !shown.some(({ path }) => isAtOrBelow(at, path)),
  );
}

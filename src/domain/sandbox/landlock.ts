import { liesIn, type Placed, type World } from './bubblewrap.ts';
import type { SeccompArch } from './seccomp.ts';
import { isAtOrBelow, outermost, systemFiles, systemFolders } from './systemPlaces.ts';

/**
 * The start of Perl, which confines itself by Landlock and becomes the program, where the system
 * allows no namespaces. Landlock denies the contents of other files, and does not hide their names.
 * The rules are for descriptor 3, and the program of seccomp for descriptor 4: that one protects the
 * attributes of files and other processes.
 *
 * Rules add up, so a rule for a folder can leave nothing out. If a folder holds a guarded path, its
 * entries get a rule each, and nothing can be added, renamed or removed among them.
 *
 * @param temporary a path that does not exist. Perl makes a folder there, which stands for all
 * empty folders of the world. Remove this folder when the program has ended.
 */
export function landlockStart(
  arch: SeccompArch,
  world: World,
  program: readonly string[],
  temporary: string,
): { readonly args: readonly string[]; readonly rules: string } {
  const isShown = (path: string) => world.shown.some(one => isAtOrBelow(path, one.path));
  const inPlace = (path: string) =>
    world.empty.includes(path) && !isShown(path) ? temporary : path;
  const env = Object.entries({ ...world.env, TMPDIR: temporary });
  const rules = [...rulesOfEveryWorld(), rule(change, temporary), ...shownRules(world)];
  return {
    args: ['-e', confining, ...numbers[arch], ...program],
    rules: [
      ...[temporary, inPlace(world.cwd), `${2 * env.length}`],
      ...env.flatMap(([name, value]) => [name, inPlace(value)]),
      ...rules.flat(),
    ].join('\0'),
  };
}

/** The numbers of `prctl`, `capset` and `seccomp`, and O_PATH with O_NOFOLLOW. */
const numbers = {
  x64: ['157', '126', '317', `${0x220000}`],
  arm64: ['167', '91', '277', `${0x208000}`],
} as const satisfies Record<SeccompArch, readonly string[]>;

/** Rights of Landlock: LANDLOCK_ACCESS_FS_READ_DIR; that, READ_FILE and EXECUTE. */
const list = 0x8;
const read = 0xd;
/** All rights but to make devices and sockets, and to send commands to devices. */
const change = 0x75bf;
/** READ_FILE, WRITE_FILE and TRUNCATE. */
const use = 0x4006;

/**
 * A rule as Perl reads it.
 *
 * @param place the expected device and inode; empty: anything, with links followed.
 * @param without paths that the rule leaves out.
 */
function rule(rights: number, path: string, place = '', without: readonly Placed[] = []): string[] {
  const left = outermost(without.map(one => one.path));
  return [`${rights}`, path, place.split(':', 2).join(':'), `${left.length}`, ...left];
}

function shownRules({ shown, hidden }: World): string[][] {
  const isHidden = (path: string) =>
    hidden.some(one => liesIn({ path }, one) && !one.within?.some(own => own.path === path));
  return shown
    .filter(({ path }) => !isHidden(path))
    .flatMap(one => {
      const { path, place } = one;
      const covered = hidden.filter(other => isAtOrBelow(other.path, path));
      const kept = shown.filter(other => !other.isWritable && liesIn(other, one));
      return [
        rule(list, path, place),
        rule(read, path, place, covered),
        ...(one.isWritable ? [rule(change, path, place, [...covered, ...kept])] : []),
      ];
    });
}

/** The rest of `/proc` names other programs, their mounts and their sockets. */
const rulesOfEveryWorld = () => [
  ...[...systemFolders, ...systemFiles].map(path => rule(read, path)),
  ...['null', 'zero', 'full', 'random', 'urandom'].map(name => rule(use, `/dev/${name}`)),
  ...['cmdline', 'cgroup', 'fd', 'limits', 'maps', 'stat', 'statm', 'status']
    .map(name => `self/${name}`)
    .concat('cpuinfo', 'loadavg', 'meminfo', 'stat', 'uptime', 'version')
    .map(name => rule(read, `/proc/${name}`)),
];

/**
 * Each rule is made of the very handle that was compared, and each path to leave out must be met on
 * the way, so no swapped folder gets a rule. The variables come last: some, such as `PERL5OPT`, would
 * run foreign code before. Landlock before Linux 6.12 knows no scope, and refuses the first call.
 */
const confining = `my ($prctl, $capset, $seccomp, $noFollow) = splice @ARGV, 0, 4;
my $changed = "A folder changed since you allowed it.\\n";
sub input { open my $from, '<&=', shift or die "$!\\n"; local $/; <$from> }
my ($temporary, $cwd, $count, @rest) = split /\\0/, input(3), -1;
my @env = splice @rest, 0, $count;
my $scope = pack 'QQQ', 0xffff, 0, 3;
my $rules = syscall 444, $scope, 24, 0;
$rules < 0 and die "Landlock: $!\\n";
mkdir $temporary, 0700 or die "$temporary: $!\\n";
my (@records, %places);
while (@rest) {
  my ($rights, $path, $place, $count) = splice @rest, 0, 4;
  $places{$path} = $place;
  push @records, [$path, $rights, $count, splice @rest, 0, $count];
}
sub grant {
  my ($handle, $path, $rights, @left) = @_;
  !$places{$path} or join(':', (stat $handle)[0, 1]) eq $places{$path} or die $changed;
  return 1 if grep { $_ eq $path } @left;
  if (@left = grep { index($_, "$path/") == 0 } @left) {
    my ($met, $folder) = (0, '/proc/self/fd/' . fileno $handle);
    opendir my $entries, $folder or die $changed;
    for my $name (grep { !/^\\.\\.?$/ } readdir $entries) {
      sysopen my $entry, "$folder/$name", $noFollow or next;
      $met += grant($entry, "$path/$name", $rights, @left);
    }
    return $met;
  }
  my $granted = -d $handle ? $rights : $rights & 0x4007 or return 0;
  my $attribute = pack 'Ql', $granted, fileno $handle;
  syscall(445, $rules, 1, $attribute, 0) == 0 or die "$path: $!\\n";
  0;
}
for (@records) {
  my ($path, $rights, $count, @left) = @$_;
  my $isThere = sysopen my $handle, $path, $places{$path} ? $noFollow : 0x200000;
  $isThere || $places{$path} or next;
  $isThere && grant($handle, $path, $rights, @left) == $count or die $changed;
}
my $code = input(4);
my ($filter, $user, $none) = (pack('Sx6P', length($code) / 8, $code), pack('Ll', 0x20080522, 0), "\\0" x 24);
chdir $cwd or die "$cwd: $!\\n";
syscall($prctl, 38, 1, 0, 0, 0) == 0 && syscall(446, $rules, 0) == 0 && syscall($capset, $user, $none) == 0
  && syscall(436, 3, 0xffffffff, 0) == 0 && syscall($seccomp, 1, 0, $filter) == 0 or die "Landlock: $!\\n";
%ENV = (%ENV, @env);
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n"`;

import type { ShownPath, World } from './bubblewrap.ts';
import { foldersAbove, isAtOrBelow } from './systemPlaces.ts';

/**
 * A profile for `sandbox-exec` of macOS, by which a program finds itself in the world as far as that can
 * be had there: nothing is mounted, so what is not shown can't be read, but is not gone either, and the
 * empty folders can only be looked up. A folder for temporary files has to be among those shown.
 *
 * Everything is denied that no rule allows, and the last rule that fits is the one that counts. A denial
 * names its operations as the permission does that it takes back: of `file*` and `file-read*`, it isn't
 * written down which one is stronger.
 */
export function seatbeltProfile(world: World): string {
  const { shown, hidden, links, empty, hasNetwork } = world;
  const seen = [...shown.map(({ path }) => path), ...links.keys(), ...empty];
  const ancestors = [...seen, ...placesOfSystem].flatMap(foldersAbove);
  const lookedUp = new Set([...ancestors, ...systemLinks, ...links.keys(), ...empty]);
  return [
    '(version 1)',
    '(deny default)',
    ...basics(),
    // Since macOS 26 no program starts that can't read it: https://github.com/akitaonrails/ai-jail/issues/77
    rule('allow', 'file-read* file-test-existence', literals(['/'])),
    rule('allow', 'file-read-metadata file-test-existence', literals([...lookedUp])),
    rule('allow', read, subpaths(placesOfSystem)),
    // Programs of Homebrew lie beside what databases keep.
    rule('deny', read, subpaths(['/usr/local/etc', '/usr/local/var'])),
    rule('allow', read, subpaths(['/usr/local/etc/ca-certificates', '/usr/local/etc/openssl@3'])),
    rule('allow', 'file-read* file-test-existence', literals([...devices])),
    rule('allow', 'file-write-data', literals(['/dev/null', '/dev/zero'])),
    rule('allow', 'file-read-data file-write-data', subpaths(['/dev/fd'])),
    ...[...shown].sort((a, b) => a.path.length - b.path.length).flatMap(accessTo),
    ...hidden.map(({ path }) => rule('deny', `${read} file-write*`, subpaths([path]))),
    ...stayInPlace(world),
    ...(hasNetwork ? network() : []),
    '',
  ].join('\n');
}

const read = 'file-read* file-test-existence file-map-executable process-exec*';

/**
 * The rights that every program needs. Not here, and so denied: looking up any other service (Apple
 * events, the keychain, the launcher of applications), the user's preferences, tasks, arguments and
 * environments of other processes, shared memory, hard links and clones of files.
 */
function basics(): string[] {
  return [
    '(allow process-fork)',
    '(allow process-info* signal (target same-sandbox))',
    // The number of processors (`os.cpus`).
    '(allow mach-host*)',
    // Names of users and groups (`os.userInfo`).
    globalNames('system.opendirectoryd.libinfo', 'system.opendirectoryd.membership'),
    // Locks between the processes of Python's `multiprocessing`.
    '(allow ipc-posix-sem (ipc-posix-name-prefix "/mp-"))',
    // The machine and the version of the system. `kern.procargs2` would tell other processes' environments.
    rule('allow', 'sysctl-read', [
      ...['hw.', 'machdep.cpu.', 'kern.os', 'kern.max'].map(name =>
        filter('sysctl-name-prefix', name),
      ),
      ...[
        ...['kern.argmax', 'kern.bootargs', 'kern.boottime', 'kern.hostname', 'kern.ngroups'],
        ...['kern.iossupportversion', 'kern.secure_kernel', 'kern.usrstack64', 'kern.version'],
        ...['security.mac.lockdown_mode_state', 'sysctl.proc_cputype', 'vm.loadavg'],
      ].map(name => filter('sysctl-name', name)),
    ]),
  ];
}

/** Addresses of the internet protocol only: a socket at a path leads to another program. */
function network(): string[] {
  return [
    '(allow network-outbound (remote ip "*:*"))',
    '(allow network-bind network-inbound (local ip "*:*"))',
    // Finding other machines by name, and which certificates to trust.
    rule('allow', 'network-outbound', literals(['/private/var/run/mDNSResponder'])),
    globalNames(
      ...['SystemConfiguration.DNSConfiguration', 'SystemConfiguration.configd', 'networkd'],
      'trustd.agent',
    ),
    rule('allow', 'sysctl-read', [filter('sysctl-name-prefix', 'net.routetable.')]),
  ];
}

/** Programs of the system, their libraries and what they need to start, by their real paths. */
const placesOfSystem = [
  ...['/bin', '/sbin', '/usr/bin', '/usr/lib', '/usr/libexec', '/usr/sbin', '/usr/share'],
  ...['/usr/local', '/nix/store', '/Library/Apple', '/Library/Developer/CommandLineTools'],
  ...['/System/Cryptexes', '/System/Library', '/System/Volumes/Preboot/Cryptexes'],
  ...[
    'group',
    'hosts',
    'localtime',
    'passwd',
    'protocols',
    'resolv.conf',
    'services',
    'shells',
  ].map(name => `/private/etc/${name}`),
  ...['/private/etc/ssl/cert.pem', '/private/etc/ssl/certs', '/private/etc/ssl/openssl.cnf'],
  ...['/private/var/db/dyld', '/private/var/db/timezone', '/private/var/db/xcode_select_link'],
  ...['/private/var/run/resolv.conf', '/private/var/select'],
];

const systemLinks = ['/etc', '/tmp', '/var', '/dev/stderr', '/dev/stdin', '/dev/stdout'];
const devices = ['/dev/null', '/dev/random', '/dev/urandom', '/dev/zero'];

function accessTo({ path, isWritable }: ShownPath): string[] {
  return [
    rule('allow', read, subpaths([path])),
    rule(isWritable ? 'allow' : 'deny', 'file-write*', subpaths([path])),
  ];
}

/**
 * Rules go by paths: what lies in a folder that was moved would be under a path without a rule. So
 * nothing that has a rule of its own can be moved, nor what holds it.
 */
function stayInPlace({ shown, hidden }: World): string[] {
  const paths = [...shown, ...hidden].flatMap(({ path }) => [path, ...foldersAbove(path)]);
  const movable = paths.filter(path =>
    shown.some(one => one.isWritable && isAtOrBelow(path, one.path)),
  );
  return movable.length === 0
    ? []
    : [rule('deny', 'file-write-unlink', literals([...new Set(movable)]))];
}

function rule(action: 'allow' | 'deny', operations: string, filters: readonly string[]): string {
  return `(${action} ${operations} ${filters.join(' ')})`;
}

function globalNames(...names: readonly string[]): string {
  return rule(
    'allow',
    'mach-lookup',
    names.map(name => filter('global-name', `com.apple.${name}`)),
  );
}

function literals(paths: readonly string[]): string[] {
  return paths.map(path => filter('literal', path));
}

function subpaths(paths: readonly string[]): string[] {
  return paths.map(path => filter('subpath', path));
}

function filter(kind: string, text: string): string {
  return `(${kind} ${quoted(text)})`;
}

/** Quotes a text for the profile: nothing in it can end the string. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

import { execFile } from 'node:child_process';
import {
  closeSync,
  cpSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import { basename, join } from 'node:path';

// A separate program. In a sandbox, it tries every way out that a program has, and prints the
// result of each. It reads from its standard input what lies outside.

/** The places outside of the sandbox that the program in it learns about. */
export interface Outside {
  /** The folder that the program may change. */
  readonly root: string;
  /** The folder outside that holds the files. */
  readonly folder: string;
  readonly secret: string;
  readonly sibling: string;
  readonly movable: string;
  /** A link in the root that leads to the secret. */
  readonly oldLink: string;
  /** A root within the root. In its place is a link to the folder outside. */
  readonly nestedRoot: string;
  /** A path with dots that leads to the secret. */
  readonly dots: string;
  /** The file that a way tries to write, by the way's name. */
  readonly writes: Readonly<Record<WaysToWrite, string>>;
  readonly pathSocket: string;
  /** The name of an abstract unix socket, with `@` for its first byte, which is 0. */
  readonly abstractSocket: string;
  readonly port: number;
  /** A process that has the secret open as descriptor 3, and in its environment. */
  readonly pid: number;
  readonly homeFolder: string;
}

type WaysToWrite =
  | 'home'
  | 'besides'
  | 'cache'
  | 'system'
  | 'readOnly'
  | 'hook'
  | 'gitConfig'
  | 'hookByRename'
  | 'hookByLink'
  | 'hookElsewhere'
  | 'tasks';

/**
 * Time limit for a way, in milliseconds. All ways are tried at once. On a busy machine, one second
 * was too short for some ways that lead out.
 */
const patience = 10_000;

type Way = () => string | Promise<string>;

const at = JSON.parse(readFileSync(0, 'utf8')) as Outside;
const { root, secret, pid } = at;
const own = (name: string) => join(root, `.tried-${name}`);

const reads: Readonly<Record<string, Way>> = {
  direct: () => text(secret),
  sibling: () => text(at.sibling),
  dots: () => text(at.dots),
  oldLink: () => text(at.oldLink),
  nestedRoot: () => text(join(at.nestedRoot, basename(secret))),
  newLink: () => made(own('link'), path => symlinkSync(secret, path)),
  hardLink: () => made(own('hard-link'), path => linkSync(secret, path)),
  rename: () => made(own('moved'), path => renameSync(at.movable, path)),
  procRoot: () => ofOthers(id => text(`/proc/${id}/root${secret}`)),
  procCwd: () => ofOthers(id => text(`/proc/${id}/cwd/${basename(secret)}`)),
  procFd: () => ofOthers(id => text(`/proc/${id}/fd/3`)),
  procEnviron: () => ofOthers(id => text(`/proc/${id}/environ`)),
  procMem: () => ofOthers(stackOf),
  inherited: () => each(readdirSync('/proc/self/fd'), fd => text(`/proc/self/fd/${fd}/secret`)),
  otherProgram: () => run('cat', secret),
  detached: () => run('setsid', '-f', '-w', 'cat', secret),
  setns: () => run('nsenter', '-t', `${pid}`, '-m', 'cat', secret),
  usernsUnmount: () => run('unshare', '-Urm', 'sh', '-c', `umount -l /tmp; cat '${secret}'`),
  usernsChroot: () => run('unshare', '-Ur', 'chroot', '/', 'cat', secret),
  usernsBind: () => {
    // Not `recursive`: if somebody has removed the root, Node would then retry forever.
    mkdirSync(own('place'));
    const script = `mount --rbind / '${own('place')}' && cat '${own('place')}${secret}'`;
    return run('unshare', '-Urm', 'sh', '-c', script);
  },
  disk: () => each(readdirSync('/dev'), disk),
};

const sockets: Readonly<Record<string, Way>> = {
  pathSocket: () => called({ path: at.pathSocket }),
  abstractSocket: () => called({ path: at.abstractSocket.replace('@', '\0') }),
  loopback: () => called({ host: '127.0.0.1', port: at.port }),
};

const names: Readonly<Record<string, Way>> = {
  listing: () => readdirSync(at.folder).join(' '),
  mountinfo: () => text('/proc/self/mountinfo'),
  stat: () => `size:${statSync(secret).size}`,
  processes: () => ofOthers(id => text(`/proc/${id}/cmdline`)),
  // Usual places of credentials and private files. Most homes have at least one.
  homeNames: () =>
    each(['.ssh', '.gnupg', '.aws', '.netrc', '.bash_history', '.bashrc', '.gitconfig'], name =>
      statSync(join(at.homeFolder, name)) ? 'answered' : '',
    ),
};

const kernel: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(calls().map(call => [call.name, () => kernelAnswers(call)])),
  capabilities: () => (/^CapEff:\s*0*[1-9a-f]/m.test(text('/proc/self/status')) ? 'answered' : ''),
  newPrivileges: () => (/^NoNewPrivs:\s*0/m.test(text('/proc/self/status')) ? 'answered' : ''),
  // This file names a program that the kernel runs outside of all sandboxes, as root.
  corePattern: () => {
    closeSync(openSync('/proc/sys/kernel/core_pattern', 'r+'));
    return 'answered';
  },
};

const writes: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(Object.entries(at.writes).map(([way, path]) => [way, () => write(path)])),
  hookByRename: () => {
    renameSync(join(root, '.git'), own('git'));
    cpSync(own('git'), join(root, '.git'), { recursive: true });
    return write(at.writes.hookByRename);
  },
  hookByLink: () => {
    renameSync(join(root, '.git'), own('linked'));
    cpSync(own('linked'), own('copy'), { recursive: true });
    symlinkSync(own('copy'), join(root, '.git'));
    return write(at.writes.hookByLink);
  },
  // The signal comes last, because other ways need the bystander. `probe` checks how it ended.
  signal: () => (process.kill(pid, 'SIGKILL') ? '' : ''),
};

void tryAll();

async function tryAll(): Promise<void> {
  const said: Record<string, string> = {};
  const groups = [{ ...reads, ...sockets, ...names, ...kernel }, writes];
  for (const group of groups) {
    await Promise.all(
      Object.entries(group).map(async ([name, way]) => {
        try {
          said[name] = await way();
        } catch (error) {
          said[name] = String(error);
        }
      }),
    );
  }
  process.stdout.write(JSON.stringify(said));
}

function text(path: string): string {
  return readFileSync(path, 'latin1');
}

/** Joins the results of `way` for all items. A failure counts as an empty result. */
function each(list: readonly string[], way: (one: string) => string): string {
  const said = list.map(one => {
    try {
      return way(one);
    } catch {
      return '';
    }
  });
  return said.join(' ');
}

/** The results for the bystander process, or for all other processes if the bystander is hidden. */
function ofOthers(way: (id: string) => string): string {
  const ids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && name !== `${process.pid}`);
  return each(ids.includes(`${pid}`) ? [`${pid}`] : ids, way);
}

/** The stack of a process, which includes its environment. */
function stackOf(id: string): string {
  const [, start = '', end = ''] =
    /^(\w+)-(\w+) .*\[stack\]$/m.exec(text(`/proc/${id}/maps`)) ?? [];
  const [first, last] = [Number.parseInt(start, 16), Number.parseInt(end, 16)];
  const bytes = Buffer.alloc(last - first);
  const file = openSync(`/proc/${id}/mem`, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, first);
  } finally {
    closeSync(file);
  }
  return bytes.toString('latin1');
}

function made(path: string, make: (path: string) => void): string {
  make(path);
  try {
    return text(path);
  } finally {
    unlinkSync(path);
  }
}

function disk(name: string): string {
  if (!statSync(`/dev/${name}`).isBlockDevice()) {
    return '';
  }
  closeSync(openSync(`/dev/${name}`, 'r'));
  return 'answered';
}

function run(program: string, ...args: readonly string[]): Promise<string> {
  return new Promise(resolve => {
    execFile(program, args, { timeout: patience, killSignal: 'SIGKILL' }, (_, said) =>
      resolve(said),
    );
  });
}

function called(options: NetConnectOpts): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    socket.setTimeout(patience, () => socket.destroy(new Error('silent')));
    socket.on('data', data => resolve(data.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(''));
  });
}

function write(path: string): string {
  writeFileSync(path, 'written');
  return '';
}

interface Call {
  readonly name: string;
  /** The number of the call on x64 and on arm64. */
  readonly numbers: readonly [number, number];
  /** `b` stands for the address of a buffer of zeros. */
  readonly args: readonly (number | 'b')[];
}

/** System calls that the kernel answers to any program, unless a sandbox forbids them. */
function calls(): readonly Call[] {
  return [
    { name: 'userns', numbers: [272, 97], args: [0x10000000] },
    { name: 'keyctl', numbers: [250, 219], args: [0, -4, 1, 0, 0] },
    { name: 'ioUring', numbers: [425, 425], args: [4, 'b'] },
    { name: 'ptrace', numbers: [101, 117], args: [0, 0, 0, 0] },
    { name: 'unixSocket', numbers: [41, 198], args: [1, 1, 0] },
    { name: 'datagramPair', numbers: [53, 199], args: [1, 2, 0, 'b'] },
    { name: 'rawPair', numbers: [53, 199], args: [1, 3, 0, 'b'] },
  ];
}

/** Makes a system call by Perl or Python, because Node can't. Most systems have either. */
async function kernelAnswers({ numbers, args }: Call): Promise<string> {
  const words = [numbers[process.arch === 'x64' ? 0 : 1], ...args].map(String);
  const said = await run('perl', '-e', inPerl, ...words);
  return said === '' ? run('python3', '-c', inPython, ...words) : said;
}

const inPerl =
  'print syscall(map { $_ eq "b" ? "\\0" x 256 : $_ + 0 } @ARGV) < 0 ? "refused" : "answered"';
const inPython = `import ctypes, sys
words = [ctypes.create_string_buffer(256) if w == "b" else ctypes.c_long(int(w)) for w in sys.argv[1:]]
print("refused" if ctypes.CDLL(None).syscall(*words) < 0 else "answered")`;

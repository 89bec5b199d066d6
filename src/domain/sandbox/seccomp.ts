/** The processors with a filter program, as Node names them. */
export type SeccompArch = keyof typeof processors;

/** Whether there is a filter program for a processor, as Node names it. */
export function isSeccompArch(arch: string): arch is SeccompArch {
  return Object.hasOwn(processors, arch);
}

/**
 * The program that the kernel runs before each system call of a sandboxed server (seccomp, mode
 * filter): an array of `struct sock_filter`, as bubblewrap takes it.
 *
 * Namespaces hide what a server must not see. The filter closes what they leave open: other
 * programs' sockets, the keyring, and the calls for attacks on the kernel itself. A refused call is
 * an error that the server can live with.
 *
 * @param hasUnixSockets allows unix sockets. `scoping` then protects the sockets of other programs.
 * @param alone set if there are no namespaces. The filter then also refuses what they would keep away,
 * and ignores changes of times unless `setsTimes` is set.
 */
export function seccompProgram(
  arch: SeccompArch,
  hasUnixSockets = false,
  alone?: { readonly hasNetwork: boolean; readonly setsTimes?: boolean },
): Uint8Array {
  const { audit, column, foreignFrom } = processors[arch];
  const numbers = (calls: Readonly<Record<string, readonly [number, number]>>) =>
    Object.values(calls)
      .map(both => both[column])
      .filter(number => number >= 0);
  const [clone, ioctl, socket, socketpair, limits] = numbers(inspected) as Inspected;
  const refused = answer(refusal(errors.EPERM));
  const connected = alone?.hasNetwork === false ? refusal(errors.ENETUNREACH) : allowed;
  return encoded([
    load(offsets.arch),
    // Another kind of processor, such as a 32-bit one, uses the same numbers for other calls.
    ...unlessEqual(audit, [answer(killProcess)]),
    load(offsets.call),
    ...(foreignFrom === undefined ? [] : ifFrom(foreignFrom, [answer(refusal(errors.ENOSYS))])),
    ...numbers(absent).flatMap(call => ifEqual(call, [answer(refusal(errors.ENOSYS))])),
    ...numbers({ ...forbidden, ...(alone && forbiddenAlone) }).flatMap(call =>
      ifEqual(call, [refused]),
    ),
    ...numbers({
      ...(alone && ignoredAlone),
      ...(alone && !alone.setsTimes && timeChanges),
    }).flatMap(call => ifEqual(call, [answer(refusal(0))])),
    ...(alone
      ? ifEqual(limits, [load(offsets.argument(0)), ...ifEqual(0, [answer(allowed)]), refused])
      : []),
    ...ifEqual(clone, [
      load(offsets.argument(0)),
      ...ifAny(newNamespaces, [refused]),
      answer(allowed),
    ]),
    ...ifEqual(ioctl, [
      load(offsets.argument(1)),
      ...[...terminalTakeovers, ...(alone ? [...attributeChanges, ...subvolumes] : [])].flatMap(
        request => ifEqual(request, [refused]),
      ),
      answer(allowed),
    ]),
    ...ifEqual(socket, [
      load(offsets.argument(0)),
      ...families.flatMap(family => ifEqual(family, [answer(connected)])),
      ...(hasUnixSockets ? connectedUnix() : [answer(refusal(errors.EAFNOSUPPORT))]),
    ]),
    ...ifEqual(socketpair, [load(offsets.argument(0)), ...connectedUnix()]),
    answer(allowed),
  ]);
}

/**
 * `audit`: AUDIT_ARCH_*. `column`: the column in the tables. `foreignFrom`: calls from this number
 * on belong to x32. They have bit 30 set; before Linux 5.4, 512 and up also worked without the bit.
 */
const processors = {
  x64: { audit: 0xc000003e, column: 0, foreignFrom: 512 },
  arm64: { audit: 0xc00000b7, column: 1, foreignFrom: undefined },
} as const;

/** Numbers on x64 and arm64; -1: the processor has no such call. */
type Calls = Readonly<Record<string, readonly [number, number]>>;

/** Calls that the filter reports as missing, so that programs use calls that it can inspect. */
const absent = {
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
} as const satisfies Calls;

const forbidden = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // Namespaces and mounts.
  unshare: [272, 97],
  setns: [308, 268],
  chroot: [161, 51],
  pivot_root: [155, 41],
  mount: [165, 40],
  umount2: [166, 39],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  // Access to files without their names.
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  // The user's keyring.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Large parts of the kernel that no server needs.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  lookup_dcookie: [212, 18],
  // The machine.
  acct: [163, 89],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  settimeofday: [164, 170],
  delete_module: [176, 106],
  finit_module: [313, 273],
  init_module: [175, 105],
  ioperm: [173, -1],
  iopl: [172, -1],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  nfsservctl: [180, 42],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  vhangup: [153, 58],
} as const satisfies Calls;

const inspected = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  prlimit64: [302, 261],
} as const satisfies Calls;

type Inspected = [clone: number, ioctl: number, socket: number, socketpair: number, limits: number];

/** Calls that would reach past Landlock, which guards neither attributes nor other processes. */
const forbiddenAlone = {
  // The owners and further attributes of files, by their names.
  ...{ chown: [92, -1], fchown: [93, 55], lchown: [94, -1], fchownat: [260, 54] },
  ...{ setxattr: [188, 5], lsetxattr: [189, 6], fsetxattr: [190, 7], setxattrat: [463, 463] },
  ...{ removexattr: [197, 14], lremovexattr: [198, 15], fremovexattr: [199, 16] },
  ...{ removexattrat: [466, 466], file_setattr: [469, 469] },
  // Memory and messages that processes share by numbers and bare names.
  ...{ shmget: [29, 194], shmat: [30, 196], shmctl: [31, 195] },
  ...{ semget: [64, 190], semop: [65, 193], semtimedop: [220, 192], semctl: [66, 191] },
  ...{ msgget: [68, 186], msgsnd: [69, 189], msgrcv: [70, 188], msgctl: [71, 187] },
  ...{ mq_open: [240, 180], mq_unlink: [241, 181] },
  // The priority, the processors and the memory of other processes.
  ...{ setpriority: [141, 140], ioprio_set: [251, 30], sched_setaffinity: [203, 122] },
  ...{ sched_setattr: [314, 274], sched_setparam: [142, 118], sched_setscheduler: [144, 119] },
  ...{ migrate_pages: [256, 238], move_pages: [279, 239] },
} as const satisfies Calls;

/**
 * Calls that do nothing and are said to be done, because npm and Python fail without them. They
 * change the modes of any file by its name, and leave the group that ends with a server.
 */
const ignoredAlone = {
  ...{ chmod: [90, -1], fchmod: [91, 52], fchmodat: [268, 53], fchmodat2: [452, 452] },
  ...{ setpgid: [109, 154], setsid: [112, 157] },
} as const satisfies Calls;

/** Calls that change the times of any file by its name. */
const timeChanges = {
  ...{ utime: [132, -1], utimes: [235, -1], futimesat: [261, -1], utimensat: [280, 88] },
} as const satisfies Calls;

/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e020080;
/** TIOCSTI and TIOCLINUX put text into a terminal as if somebody had typed it. */
const terminalTakeovers = [0x5412, 0x541c];
/**
 * FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FS_IOC_ENABLE_VERITY and FS_IOC_SET_ENCRYPTION_POLICY, which
 * change a file that was opened only to be read.
 */
const attributeChanges = [0x40086602, 0x401c5820, 0x40806685, 0x800c6613];
/** On btrfs, calls that make, replace or remove folders through a folder opened only to be read. */
const subvolumes = [
  ...[0x50009401, 0x5000940e, 0x5000940f, 0x50009417, 0x50009418, 0x5000943f, 0x4008941a],
];
/** Allowed: AF_INET, AF_INET6, AF_NETLINK. AF_UNIX leads to other programs, by a path or a name. */
const families = [2, 10, 16];
const unixFamily = 1;
/** SOCK_TYPE_MASK; the other bits of a type are flags. */
const typeBits = 0xf;
/**
 * Allowed: SOCK_STREAM and SOCK_SEQPACKET. A datagram socket of a pair can be redirected to any
 * address, and the kernel makes such a pair for SOCK_RAW, too.
 */
const connectedTypes = [1, 5];

const errors = {
  EPERM: 1,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  EAFNOSUPPORT: 97,
  ENETUNREACH: 101,
} as const;
const allowed = 0x7fff0000;
const killProcess = 0x80000000;

function refusal(error: number): number {
  return 0x00050000 + error;
}

/** Offsets in `struct seccomp_data`; of an argument, the lower half. */
const offsets = { call: 0, arch: 4, argument: (index: number) => 16 + 8 * index };

/** A `struct sock_filter`: the operation, how many to skip if true and if false, and the value. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const mask = (bits: number): Instruction => [0x54, 0, 0, bits];
const answer = (value: number): Instruction => [0x06, 0, 0, value];

function ifEqual(value: number, then: readonly Instruction[]): Instruction[] {
  return [[0x15, 0, then.length, value], ...then];
}

function unlessEqual(value: number, then: readonly Instruction[]): Instruction[] {
  return [[0x15, then.length, 0, value], ...then];
}

function ifFrom(value: number, then: readonly Instruction[]): Instruction[] {
  return [[0x35, 0, then.length, value], ...then];
}

function ifAny(bits: number, then: readonly Instruction[]): Instruction[] {
  return [[0x45, 0, then.length, bits], ...then];
}

/** Allows only connected unix sockets. The socket's family must be loaded already. */
function connectedUnix(): Instruction[] {
  return [
    ...unlessEqual(unixFamily, [answer(refusal(errors.EAFNOSUPPORT))]),
    load(offsets.argument(1)),
    mask(typeBits),
    ...connectedTypes.flatMap(type => ifEqual(type, [answer(allowed)])),
    answer(refusal(errors.EPROTONOSUPPORT)),
  ];
}

function encoded(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, ifTrue);
    bytes.setUint8(index * 8 + 3, ifFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

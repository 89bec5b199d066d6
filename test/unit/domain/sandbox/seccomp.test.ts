import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import {
  isSeccompArch,
  type SeccompArch,
  seccompProgram,
} from '../../../../src/domain/sandbox/seccomp.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const audits = { x64: 0xc000003e, arm64: 0xc00000b7 };
const arches = ['x64', 'arm64'] as const;
const [hasNetwork, noNetwork] = [{ hasNetwork: true }, { hasNetwork: false }];

/** The numbers of calls, on x64 and arm64. */
type Numbers = Readonly<Record<string, readonly number[]>>;

/** As `/usr/include/asm/unistd_64.h` and `asm-generic/unistd.h` of Linux have them. */
const forbidden: Numbers = {
  ...{ ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271] },
  ...{ process_madvise: [440, 440], pidfd_getfd: [438, 438], kcmp: [312, 272] },
  ...{ unshare: [272, 97], setns: [308, 268], chroot: [161, 51], pivot_root: [155, 41] },
  ...{ mount: [165, 40], umount2: [166, 39], open_tree: [428, 428], move_mount: [429, 429] },
  ...{ fsopen: [430, 430], fsconfig: [431, 431], fsmount: [432, 432], fspick: [433, 433] },
  ...{ mount_setattr: [442, 442], open_tree_attr: [467, 467], name_to_handle_at: [303, 264] },
  ...{ open_by_handle_at: [304, 265], fanotify_init: [300, 262], add_key: [248, 217] },
  ...{ request_key: [249, 218], keyctl: [250, 219], bpf: [321, 280] },
  ...{ perf_event_open: [298, 241], userfaultfd: [323, 282], lookup_dcookie: [212, 18] },
  ...{ acct: [163, 89], adjtimex: [159, 171], clock_adjtime: [305, 266] },
  ...{ clock_settime: [227, 112], settimeofday: [164, 170], delete_module: [176, 106] },
  ...{ finit_module: [313, 273], init_module: [175, 105], ioperm: [173, -1], iopl: [172, -1] },
  ...{ kexec_file_load: [320, 294], kexec_load: [246, 104], nfsservctl: [180, 42] },
  ...{ quotactl: [179, 60], quotactl_fd: [443, 443], reboot: [169, 142] },
  ...{ sethostname: [170, 161], setdomainname: [171, 162], swapoff: [168, 225] },
  ...{ swapon: [167, 224], syslog: [103, 116], vhangup: [153, 58] },
};
const unknown: Numbers = {
  ...{ clone3: [435, 435], io_uring_setup: [425, 425], io_uring_enter: [426, 426] },
  ...{ io_uring_register: [427, 427] },
};
const inspected = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
} as const;

/** Refused where there are no namespaces, and done without an effect there. */
const alone: Numbers = {
  ...{ chown: [92, -1], fchown: [93, 55], lchown: [94, -1], fchownat: [260, 54] },
  ...{ setxattr: [188, 5], lsetxattr: [189, 6], fsetxattr: [190, 7], setxattrat: [463, 463] },
  ...{ removexattr: [197, 14], lremovexattr: [198, 15], fremovexattr: [199, 16] },
  ...{ removexattrat: [466, 466], file_setattr: [469, 469], shmget: [29, 194] },
  ...{ shmat: [30, 196], shmctl: [31, 195], semget: [64, 190], semop: [65, 193] },
  ...{ semtimedop: [220, 192], semctl: [66, 191], msgget: [68, 186], msgsnd: [69, 189] },
  ...{ msgrcv: [70, 188], msgctl: [71, 187], mq_open: [240, 180], mq_unlink: [241, 181] },
  ...{ setpriority: [141, 140], ioprio_set: [251, 30], sched_setaffinity: [203, 122] },
  ...{ sched_setattr: [314, 274], sched_setparam: [142, 118], sched_setscheduler: [144, 119] },
  ...{ migrate_pages: [256, 238], move_pages: [279, 239] },
};
const ignored: Numbers = {
  ...{ chmod: [90, -1], fchmod: [91, 52], fchmodat: [268, 53], fchmodat2: [452, 452] },
  ...{ setpgid: [109, 154], setsid: [112, 157] },
};
const timeChanges: Numbers = {
  ...{ utime: [132, -1], utimes: [235, -1], futimesat: [261, -1], utimensat: [280, 88] },
};

for (const [column, arch] of arches.entries()) {
  test(`refuses more calls without namespaces on ${arch}`, () => {
    const answers = (calls: Numbers, of: Parameters<typeof seccompProgram>[2] = hasNetwork) =>
      new Set(
        Object.values(calls)
          .map(numbers => numbers[column] ?? -1)
          .filter(number => number >= 0)
          .map(number => answerTo(arch, { number, args: [2, 1, 0] }, false, of)),
      );
    deepEqual([...answers({ ...forbidden, ...alone })], ['EPERM']);
    deepEqual([...answers({ ...ignored, ...timeChanges })], ['done']);
    deepEqual([...answers(timeChanges, { ...hasNetwork, setsTimes: true })], ['allowed']);
    deepEqual([...answers({ read: [0, 63], openat: [257, 56] })], ['allowed']);
    const socket = { socket: inspected.socket };
    deepEqual([...answers(socket), ...answers(socket, noNetwork)], ['allowed', 'ENETUNREACH']);
    deepEqual(
      [0x40086602, 0x401c5820, 0x40806685, 0x800c6613, 0x5412, 0x5413].map(request => {
        const number = inspected.ioctl[column] ?? -1;
        return answerTo(arch, { number, args: [0, request] }, false, hasNetwork);
      }),
      [...Array.from({ length: 5 }, () => 'EPERM'), 'allowed'],
    );
    const limits = [302, 261][column] ?? -1;
    deepEqual(
      [0, 1].map(pid => answerTo(arch, { number: limits, args: [pid] }, false, hasNetwork)),
      ['allowed', 'EPERM'],
    );
  });

  test(`refuses exactly the forbidden calls on ${arch}`, () => {
    const expected = Array.from({ length: 512 }, () => 'allowed');
    for (const [calls, answer] of [[forbidden, 'EPERM'] as const, [unknown, 'ENOSYS'] as const]) {
      for (const numbers of Object.values(calls)) {
        expected[numbers[column] ?? -1] = answer;
      }
    }
    const looked = Object.values(inspected).map(numbers => numbers[column]);
    const others = [...expected.keys()].filter(number => !looked.some(one => one === number));
    deepEqual(
      others.map(number => answerTo(arch, { number })),
      others.map(number => expected[number]),
    );
  });

  test(`ends the process at a foreign kind of call on ${arch}`, () => {
    const foreign = [0x40000003, 0x40000028, audits[arches[1 - column] ?? 'x64'], 0];
    const answers = foreign.map(audit => answerTo(arch, { number: 0, audit }));
    deepEqual(new Set(answers), new Set(['killed']));
  });

  test(`judges a call by its arguments on ${arch}`, () => {
    /** Each answer that calls with these arguments get, once. */
    const answers = (
      name: keyof typeof inspected,
      calls: readonly NonNullable<Call['args']>[],
      hasUnixSockets = false,
    ) => {
      const number = inspected[name][column] ?? -1;
      return [...new Set(calls.map(args => answerTo(arch, { number, args }, hasUnixSockets)))];
    };
    const namespaces = [
      ...[0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000],
    ].map(flag => [flag + 17]);
    const inTerminal = [0x5412, 0x541c, 0xffffffff_00005412n, 0x00000001_0000541cn];
    const others = [0x5401, 0x5413, 0x00005412_00005401n];
    const families = Array.from({ length: 50 }, (_, family) => family);
    const isAllowed = (family: number) => answers('socket', [[family, 1]])[0] === 'allowed';
    const unix = (...types: readonly (number | bigint)[]) => types.map(type => [1, type]);
    const pairs = (...types: readonly number[]) =>
      unix(...types.flatMap(type => [0, 0x800, 0x80000, 0x80800].map(flag => type + flag)));
    const local = [unix(1), [[0x00000002_00000001n, 1]]].flat();
    foundAsExpected({
      'a new namespace': [answers('clone', namespaces), ['EPERM']],
      // A thread, a child of posix_spawn and a child of fork.
      'a new process': [answers('clone', [[0x3d0f00], [0x4111], [0x1200011]]), ['allowed']],
      // For any upper half.
      'words put into a terminal': [
        answers(
          'ioctl',
          inTerminal.map(one => [0, one]),
        ),
        ['EPERM'],
      ],
      'other requests': [
        answers(
          'ioctl',
          others.map(one => [0x5412, one, 0x5412]),
        ),
        ['allowed'],
      ],
      'sockets of the network': [families.filter(isAllowed), [2, 10, 16]],
      'a unix socket': [answers('socket', local), ['EAFNOSUPPORT']],
      'one that may be, with a peer': [answers('socket', unix(1, 5), true), ['allowed']],
      'one without a peer': [answers('socket', unix(2, 3), true), ['EPROTONOSUPPORT']],
      'another socket then': [answers('socket', [[17, 3]], true), ['EAFNOSUPPORT']],
      'a pair of sockets': [answers('socketpair', pairs(1, 5)), ['allowed']],
      // The kernel makes a pair of datagram sockets of a raw one.
      'another pair': [answers('socketpair', pairs(0, 2, 3, 4, 6, 10)), ['EPROTONOSUPPORT']],
      'a pair of another family': [answers('socketpair', [[30, 1]]), ['EAFNOSUPPORT']],
    });
  });

  test(`keeps each jump for ${arch} in the program, and each path ends`, () => {
    const program = decoded(arch);
    ok(program.length < 4096);
    for (const [index, { code, ifTrue, ifFalse }] of program.entries()) {
      if (jumps.has(code)) {
        ok(index + 1 + Math.max(ifTrue, ifFalse) < program.length);
      } else {
        ok(code === ret || index + 1 < program.length);
      }
    }
    equal(program.at(-1)?.code, ret);
  });
}

test('refuses calls of x32 like a kernel without x32', () => {
  const calls = [0x40000000, 0x40000029, 0x40000208, 0x7fffffff, 0xffffffff, 512, 521, 547];
  deepEqual(
    calls.map(number => answerTo('x64', { number })),
    calls.map(() => 'ENOSYS'),
  );
});

test('has a program for two processors', () => {
  deepEqual(['x64', 'arm64', 'arm', 'ia32', 'riscv64', 'toString'].filter(isSeccompArch), [
    'x64',
    'arm64',
  ]);
});

interface Call {
  readonly number: number;
  readonly audit?: number;
  readonly args?: readonly (number | bigint)[];
}

interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

const ret = 0x06;
const jumps: ReadonlyMap<number, (left: number, right: number) => boolean> = new Map([
  [0x15, (left: number, right: number) => left === right],
  [0x35, (left: number, right: number) => left >= right],
  [0x45, (left: number, right: number) => (left & right) !== 0],
]);

function decoded(
  arch: SeccompArch,
  hasUnixSockets = false,
  without?: Parameters<typeof seccompProgram>[2],
): Instruction[] {
  const bytes = seccompProgram(arch, hasUnixSockets, without);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  equal(bytes.length % 8, 0);
  return Array.from({ length: bytes.length / 8 }, (_, index) => ({
    code: view.getUint16(index * 8, true),
    ifTrue: view.getUint8(index * 8 + 2),
    ifFalse: view.getUint8(index * 8 + 3),
    value: view.getUint32(index * 8 + 4, true),
  }));
}

/** The kernel's answer to a call: runs the program on its `struct seccomp_data`. */
function answerTo(
  arch: SeccompArch,
  { number, audit, args = [] }: Call,
  hasUnixSockets = false,
  without?: Parameters<typeof seccompProgram>[2],
): string {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, audit ?? audits[arch], true);
  for (const [index, arg] of args.entries()) {
    data.setBigUint64(16 + 8 * index, BigInt(arg), true);
  }
  const program = decoded(arch, hasUnixSockets, without);
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    const { code, ifTrue, ifFalse, value } = program[at] as Instruction;
    const isTrue = jumps.get(code);
    if (isTrue) {
      at += isTrue(accumulator, value) ? ifTrue : ifFalse;
    } else if (code === 0x20) {
      accumulator = data.getUint32(value, true);
    } else if (code === 0x54) {
      accumulator = (accumulator & value) >>> 0;
    } else {
      equal(code, ret);
      return meanings[value] ?? `0x${value.toString(16)}`;
    }
  }
}

const meanings: Readonly<Record<number, string>> = {
  2147418112: 'allowed',
  2147483648: 'killed',
  327680: 'done',
  327681: 'EPERM',
  327718: 'ENOSYS',
  327773: 'EPROTONOSUPPORT',
  327777: 'EAFNOSUPPORT',
  327781: 'ENETUNREACH',
};

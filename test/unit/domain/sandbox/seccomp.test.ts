import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import {
  isSeccompArch,
  type SeccompArch,
  seccompProgram,
} from '../../../../src/domain/sandbox/seccomp.ts';

const audits = { x64: 0xc000003e, arm64: 0xc00000b7 };
const arches = ['x64', 'arm64'] as const;

/** As `/usr/include/asm/unistd_64.h` and `asm-generic/unistd.h` of Linux have them. */
const refused: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  'ptrace EPERM': [101, 117],
  'process_vm_readv EPERM': [310, 270],
  'process_vm_writev EPERM': [311, 271],
  'process_madvise EPERM': [440, 440],
  'pidfd_getfd EPERM': [438, 438],
  'kcmp EPERM': [312, 272],
  'unshare EPERM': [272, 97],
  'setns EPERM': [308, 268],
  'chroot EPERM': [161, 51],
  'pivot_root EPERM': [155, 41],
  'mount EPERM': [165, 40],
  'umount2 EPERM': [166, 39],
  'open_tree EPERM': [428, 428],
  'move_mount EPERM': [429, 429],
  'fsopen EPERM': [430, 430],
  'fsconfig EPERM': [431, 431],
  'fsmount EPERM': [432, 432],
  'fspick EPERM': [433, 433],
  'mount_setattr EPERM': [442, 442],
  'open_tree_attr EPERM': [467, 467],
  'name_to_handle_at EPERM': [303, 264],
  'open_by_handle_at EPERM': [304, 265],
  'fanotify_init EPERM': [300, 262],
  'add_key EPERM': [248, 217],
  'request_key EPERM': [249, 218],
  'keyctl EPERM': [250, 219],
  'bpf EPERM': [321, 280],
  'perf_event_open EPERM': [298, 241],
  'userfaultfd EPERM': [323, 282],
  'lookup_dcookie EPERM': [212, 18],
  'acct EPERM': [163, 89],
  'adjtimex EPERM': [159, 171],
  'clock_adjtime EPERM': [305, 266],
  'clock_settime EPERM': [227, 112],
  'settimeofday EPERM': [164, 170],
  'delete_module EPERM': [176, 106],
  'finit_module EPERM': [313, 273],
  'init_module EPERM': [175, 105],
  'ioperm EPERM': [173, -1],
  'iopl EPERM': [172, -1],
  'kexec_file_load EPERM': [320, 294],
  'kexec_load EPERM': [246, 104],
  'nfsservctl EPERM': [180, 42],
  'quotactl EPERM': [179, 60],
  'quotactl_fd EPERM': [443, 443],
  'reboot EPERM': [169, 142],
  'sethostname EPERM': [170, 161],
  'setdomainname EPERM': [171, 162],
  'swapoff EPERM': [168, 225],
  'swapon EPERM': [167, 224],
  'syslog EPERM': [103, 116],
  'vhangup EPERM': [153, 58],
  'clone3 ENOSYS': [435, 435],
  'io_uring_setup ENOSYS': [425, 425],
  'io_uring_enter ENOSYS': [426, 426],
  'io_uring_register ENOSYS': [427, 427],
};
const inspected = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
} as const;

for (const [column, arch] of arches.entries()) {
  test(`every forbidden call is refused on ${arch}, and no other`, () => {
    const expected = new Map(
      Object.entries(refused)
        .map(([name, numbers]): [number, string] => [
          numbers[column] ?? -1,
          name.split(' ')[1] ?? '',
        ])
        .filter(([number]) => number >= 0),
    );
    const looked = Object.values(inspected).map(numbers => numbers[column]);
    const others = Array.from({ length: 512 }, (_, number) => number).filter(
      number => !looked.some(one => one === number),
    );
    const answers = others.map(number => answerTo(arch, { number }));
    deepEqual(
      answers,
      others.map(number => expected.get(number) ?? 'allowed'),
    );
  });

  test(`a call of another kind ends the process on ${arch}`, () => {
    const foreign = [0x40000003, 0x40000028, audits[arches[1 - column] ?? 'x64'], 0];
    deepEqual(
      foreign.map(audit => answerTo(arch, { number: 0, audit })),
      foreign.map(() => 'killed'),
    );
  });

  test(`no new namespace is cloned on ${arch}`, () => {
    const number = inspected.clone[column] ?? -1;
    const namespaces = [
      ...[0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000],
    ];
    deepEqual(
      namespaces.map(flag => answerTo(arch, { number, args: [flag + 17] })),
      namespaces.map(() => 'EPERM'),
    );
    // A thread, a child of posix_spawn and one of fork.
    const usual = [0x3d0f00, 0x4111, 0x1200011];
    deepEqual(
      usual.map(flags => answerTo(arch, { number, args: [flags] })),
      ['allowed', 'allowed', 'allowed'],
    );
  });

  test(`words can't be put into a terminal on ${arch}, whatever the upper half says`, () => {
    const number = inspected.ioctl[column] ?? -1;
    const requests = [0x5412, 0x541c, 0xffffffff_00005412n, 0x00000001_0000541cn];
    deepEqual(
      requests.map(request => answerTo(arch, { number, args: [0, request] })),
      ['EPERM', 'EPERM', 'EPERM', 'EPERM'],
    );
    deepEqual(
      [0x5401, 0x5413, 0x00005412_00005401n].map(request =>
        answerTo(arch, { number, args: [0x5412, request, 0x5412] }),
      ),
      ['allowed', 'allowed', 'allowed'],
    );
  });

  test(`sockets are those of the network on ${arch}`, () => {
    const number = inspected.socket[column] ?? -1;
    const allowed = Array.from({ length: 50 }, (_, family) => family).filter(
      family => answerTo(arch, { number, args: [family, 1] }) === 'allowed',
    );
    deepEqual(allowed, [2, 10, 16]);
    equal(answerTo(arch, { number, args: [1, 1] }), 'EAFNOSUPPORT');
    equal(answerTo(arch, { number, args: [0x00000002_00000001n, 1] }), 'EAFNOSUPPORT');
  });

  test(`unix sockets that may be made have a peer of their own on ${arch}`, () => {
    const number = inspected.socket[column] ?? -1;
    const answers = [1, 2, 3, 5].map(type => answerTo(arch, { number, args: [1, type] }, true));
    deepEqual(answers, ['allowed', 'EPROTONOSUPPORT', 'EPROTONOSUPPORT', 'allowed']);
    equal(answerTo(arch, { number, args: [17, 3] }, true), 'EAFNOSUPPORT');
  });

  test(`a pair of sockets stays a pair on ${arch}`, () => {
    const number = inspected.socketpair[column] ?? -1;
    const flags = [0, 0x800, 0x80000, 0x80800];
    const answers = (type: number) =>
      flags.map(flag => answerTo(arch, { number, args: [1, type + flag] }));
    for (const type of [1, 5]) {
      deepEqual(
        answers(type),
        flags.map(() => 'allowed'),
      );
    }
    // The kernel makes a pair of datagram sockets of a raw one.
    for (const type of [0, 2, 3, 4, 6, 10]) {
      deepEqual(
        answers(type),
        flags.map(() => 'EPROTONOSUPPORT'),
      );
    }
    equal(answerTo(arch, { number, args: [30, 1] }), 'EAFNOSUPPORT');
  });

  test(`each jump of the program for ${arch} stays in it, and each way through it ends`, () => {
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

test('calls of x32 are as if the kernel had none', () => {
  const calls = [0x40000000, 0x40000029, 0x40000208, 0x7fffffff, 0xffffffff, 512, 521, 547];
  deepEqual(
    calls.map(number => answerTo('x64', { number })),
    calls.map(() => 'ENOSYS'),
  );
});

test('there is a program for two processors', () => {
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

function decoded(arch: SeccompArch, hasUnixSockets = false): Instruction[] {
  const bytes = seccompProgram(arch, hasUnixSockets);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  equal(bytes.length % 8, 0);
  return Array.from({ length: bytes.length / 8 }, (_, index) => ({
    code: view.getUint16(index * 8, true),
    ifTrue: view.getUint8(index * 8 + 2),
    ifFalse: view.getUint8(index * 8 + 3),
    value: view.getUint32(index * 8 + 4, true),
  }));
}

/** What the kernel would do with a call: runs the program on its `struct seccomp_data`. */
function answerTo(
  arch: SeccompArch,
  { number, audit, args = [] }: Call,
  hasUnixSockets = false,
): string {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, audit ?? audits[arch], true);
  for (const [index, arg] of args.entries()) {
    data.setBigUint64(16 + 8 * index, BigInt(arg), true);
  }
  const program = decoded(arch, hasUnixSockets);
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
  327681: 'EPERM',
  327718: 'ENOSYS',
  327773: 'EPROTONOSUPPORT',
  327777: 'EAFNOSUPPORT',
};

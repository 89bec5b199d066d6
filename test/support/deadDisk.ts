import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { atEnd } from './processes.ts';

/**
 * Mounts a disk that never answers: its program reads no request. The test itself must make no
 * system call in there, or it would hang, too.
 *
 * @returns why the disk can't be mounted; `undefined`: it is mounted until the end of the test.
 */
export function mountDeadDisk(t: TestContext, at: string): string | undefined {
  const mounted = mount(t, at);
  return typeof mounted === 'string' ? mounted : undefined;
}

/**
 * Mounts a FUSE file system with the file `a.txt` (`text`), served by this test; or says why it
 * can't be mounted.
 */
export function mountDisk(t: TestContext, at: string, text: string) {
  const device = mount(t, at);
  if (typeof device === 'string') {
    return device;
  }
  const request = Buffer.alloc(200_000);
  const timer = setInterval(() => {
    for (let length = read(device, request); length > 0; length = read(device, request)) {
      const answer = answerTo(request, Buffer.from(text));
      if (answer !== undefined) {
        send(device, request, answer);
      }
    }
  }, 1);
  /** From now on it answers no request, while the system still caches earlier answers. */
  const stop = () => clearInterval(timer);
  atEnd(t, stop);
  return { stop };
}

function mount(t: TestContext, at: string): number | string {
  if (process.platform !== 'linux') {
    return 'Only Linux mounts a disk of a test’s own.';
  }
  let device: number;
  try {
    device = openSync('/dev/fuse', constants.O_RDWR | constants.O_NONBLOCK);
  } catch (error) {
    return `This machine has no FUSE: ${String(error)}`;
  }
  mkdirSync(at);
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
  const { status, stderr } = spawnSync('mount', ['-t', 'fuse', '-o', options, 'dead', at], {
    stdio: ['ignore', 'ignore', 'pipe', device],
  });
  if (status !== 0) {
    closeSync(device);
    return `This machine lets nobody mount: ${stderr}`;
  }
  atEnd(t, () => {
    // Ends all calls that wait for the disk, even those of an ending process.
    closeSync(device);
    spawnSync('umount', ['-l', at]);
  });
  return device;
}

/** The length of a request that has arrived; 0: none has. */
function read(device: number, request: Buffer): number {
  try {
    return readSync(device, request);
  } catch {
    return 0;
  }
}

/**
 * The part of the FUSE protocol (include/uapi/linux/fuse.h) that reading a file needs. Gives the
 * answer, which may be an error; `undefined`: no answer.
 */
function answerTo(request: Buffer, text: Buffer): readonly Buffer[] | number | undefined {
  const [opcode, node] = [request.readUInt32LE(4), request.readBigUInt64LE(16)];
  const rest = request.subarray(40);
  switch (opcode) {
    case 1: {
      const isThere = rest.toString('utf8', 0, 6) === 'a.txt\0';
      const entry = [2n, 0n, remembered, remembered, 0n].map(word);
      return isThere ? [...entry, attributes(2n, text)] : -2;
    }
    case 3:
      return [word(remembered), word(0n), attributes(node, text)];
    case 14: // open
    case 27: // opendir
      return [Buffer.alloc(16)];
    case 15: {
      const offset = Number(rest.readBigUInt64LE(8));
      return [text.subarray(offset, offset + rest.readUInt32LE(16))];
    }
    case 17: // statfs
      return [Buffer.alloc(80)];
    case 2: // forget
    case 36: // interrupt
    case 42: // batch forget
      return undefined;
    case 18: // release
    case 25: // flush
    case 29: // releasedir
    case 28: // readdir: it names nothing
      return [];
    case 26: {
      const init = Buffer.alloc(64);
      init.writeUInt32LE(7, 0);
      init.writeUInt32LE(31, 4);
      init.writeUInt32LE(4096, 20);
      return [init];
    }
    default:
      return -38; // The call is not implemented.
  }
}

/** For how many seconds the system need not ask again. */
const remembered = 600n;

function word(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function attributes(node: bigint, text: Buffer): Buffer {
  const bytes = Buffer.alloc(88);
  bytes.writeBigUInt64LE(node, 0);
  bytes.writeBigUInt64LE(BigInt(node === 1n ? 0 : text.length), 8);
  bytes.writeUInt32LE(node === 1n ? 0o40755 : 0o100644, 60);
  bytes.writeUInt32LE(1, 64);
  bytes.writeUInt32LE(4096, 80);
  return bytes;
}

function send(device: number, request: Buffer, answer: readonly Buffer[] | number): void {
  const body = typeof answer === 'number' ? Buffer.alloc(0) : Buffer.concat(answer);
  const head = Buffer.alloc(16);
  head.writeUInt32LE(head.length + body.length, 0);
  head.writeInt32LE(typeof answer === 'number' ? answer : 0, 4);
  request.copy(head, 8, 8, 16);
  writeSync(device, Buffer.concat([head, body]));
}

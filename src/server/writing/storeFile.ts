import { randomBytes } from 'node:crypto';
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { whileBusy } from '../../base/busyFile.ts';
import { isSameFile } from '../../base/fileIdentity.ts';
import type { Outcome } from '../paths/refusal.ts';
import { lookAt } from './identity.ts';
import { refuseChange } from './reasons.ts';
import type { WritableFolder } from './writableFolder.ts';

/**
 * Creates a file in a writable folder. A part of one is not left behind.
 * @throws what the system says; `EEXIST` when something has that name.
 */
export function createFile({ at }: WritableFolder, name: string, bytes: Uint8Array): void {
  const path = at(name);
  const fd = openSync(path, asNew, 0o666);
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } catch (error) {
    if (isSameFile(fstatSync(fd, { bigint: true }), lookAt(path))) {
      unlinkSync(path);
    }
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** The reason not to replace a file, in a finished sentence; `undefined` when it may be. */
export function whyNotReplace(stats: BigIntStats): string | undefined {
  if (stats.isDirectory()) {
    return 'It is a folder.';
  }
  if (stats.isSymbolicLink()) {
    // Links were followed before: this one has come since.
    return 'It became a link while it was being worked on: look at it, and try again.';
  }
  if (!stats.isFile()) {
    return 'It is no regular file, but a pipe, a socket or a device.';
  }
  // Replacing asks for the permissions of the folder only, and so would not notice.
  return (Number(stats.mode) & 0o222) === 0
    ? 'It is read-only: nobody may write to it, until somebody changes its mode.'
    : undefined;
}

/**
 * Puts `bytes` in the place of a file of a writable folder, all at once or not at all, with the owner
 * and the permissions that it has. Other names of the same file keep what they have.
 *
 * `isCurrent` is asked right before; when it says no, nothing is changed and `false` is answered.
 * @throws what the system says.
 */
export function replaceFile(
  { at }: WritableFolder,
  name: string,
  bytes: Uint8Array,
  { before, isCurrent }: { readonly before: BigIntStats; readonly isCurrent: () => boolean },
): boolean {
  accessSync(at(name), constants.W_OK);
  // Nobody can put something there first whose name cannot be guessed.
  const draft = at(`.mcp-roots-${randomBytes(12).toString('hex')}.tmp`);
  let isReplaced = false;
  writeDraft(draft, bytes, before);
  try {
    whileBusy(() => {
      if (isCurrent()) {
        renameSync(draft, at(name));
        isReplaced = true;
      }
    });
  } finally {
    if (!isReplaced) {
      unlinkSync(draft);
    }
  }
  return isReplaced;
}

function writeDraft(path: string, bytes: Uint8Array, before: BigIntStats): void {
  const fd = openSync(path, asNew, 0o600);
  try {
    writeFileSync(fd, bytes);
    keepOwner(fd, before);
    fchmodSync(fd, Number(before.mode) & 0o777);
    fsyncSync(fd);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

// A file that quietly changed hands could no longer be read by the one it was taken from.
function keepOwner(fd: number, before: BigIntStats): void {
  const now = fstatSync(fd, { bigint: true });
  if (now.uid !== before.uid || now.gid !== before.gid) {
    fchownSync(fd, Number(before.uid), Number(before.gid));
  }
}

const asNew =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The bytes of a text that is to go into a file; `input` is the path that is spoken of. */
export function encode(input: string, text: string): Outcome<Uint8Array> {
  // Half a character would be written as U+FFFD: the file would not hold what was sent.
  return /\p{Surrogate}/u.test(text)
    ? refuseChange(input, 'The text holds half of a character (a lone surrogate).')
    : { ok: true, value: Buffer.from(text) };
}

import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { whileBusy } from '../../base/busyFile.ts';
import { type FileIdentity, isSameFile } from '../../base/fileIdentity.ts';
import { codeOf, systemError } from '../../base/messageOf.ts';
import { quotePath } from '../../domain/printable.ts';
import type { Outcome } from '../paths/refusal.ts';
import { type Draft, withDraft } from './draft.ts';
import { lookAt } from './identity.ts';
import { reasonOf, refuseChange } from './reasons.ts';
import type { WritableFolder } from './writableFolder.ts';

/**
 * Creates a file in a writable folder, which gets its name when it is whole, or answers why not.
 * @throws what the system says; `EEXIST` when something has that name.
 */
export function createFile(
  folder: WritableFolder,
  name: string,
  bytes: Uint8Array,
): string | undefined {
  return withDraft(folder, name, { bytes, mode: 0o666 }, ({ fd, path }) =>
    folder.add(to => moveFile(fstatSync(fd, { bigint: true }), path(), to), unlinkSync),
  );
}

/**
 * Moves a file to a name that is free, and never over what came there in the last moment. That is
 * why it is there under both names for a moment, and stays so if the process is killed then.
 * @throws what the system says, when all is as it was; `ESTALE` when another file took a name.
 */
export function moveFile(stats: FileIdentity, source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error) ?? '')) {
      throw error;
    }
    if (lookAt(target)) {
      throw systemError('EEXIST');
    }
    renameSync(source, target);
    return;
  }
  try {
    whileBusy(() => {
      if (!isSameFile(stats, lookAt(target)) || !isSameFile(stats, lookAt(source))) {
        throw systemError('ESTALE');
      }
      unlinkSync(source);
    });
  } catch (error) {
    unlinkSync(target);
    throw error;
  }
}

/** Errors of file systems that have no hard links, or not for this file. */
const withoutLinks: ReadonlySet<string> = new Set([
  'EISDIR', // FAT on Windows
  'EMLINK',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EPERM',
]);

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
  // Root may write to it all the same, and so would not notice.
  return (Number(stats.mode) & 0o222) === 0
    ? 'It is read-only: nobody may write to it, until somebody changes its mode.'
    : undefined;
}

/**
 * Puts `bytes` into a file of a writable folder; answers the reason when it did not.
 *
 * It stays the same file, as with most editors, and so keeps its owner, its access control list and
 * its attributes: Node can copy none of these, and without its list the mode of a file can let others
 * read it. A reader may see a part of the new content for a moment. Whoever is killed meanwhile
 * leaves all of it in the draft.
 *
 * A file with other names becomes a file of its own, because these may lie outside. Its group may do
 * to that only what everybody may: the bits of the group may have stood for a list.
 *
 * `isCurrent` is asked right before; when it says no, nothing is changed.
 * @throws what the system says, when nothing is changed.
 */
export function replaceFile(
  folder: WritableFolder,
  name: string,
  bytes: Uint8Array,
  isCurrent: (fd: number) => boolean = () => true,
): string | undefined {
  // Before it is opened: that may do something to a device.
  if (!lookAt(folder.at(name))?.isFile()) {
    return writtenMeanwhile;
  }
  const fd = whileBusy(() => openSync(folder.at(name), toWrite));
  try {
    return withDraft(folder, name, { bytes, mode: 0o600 }, draft => {
      const isSame = isCurrent(fd) && draft.isHeld();
      const opened = fstatSync(fd, { bigint: true });
      // Looked up last: then no other name can have been the only one that was left.
      const now = lookAt(folder.at(name));
      if (!isSame || !now?.isFile() || !isSameFile(opened, now)) {
        return writtenMeanwhile;
      }
      if (opened.nlink === 1n && now.nlink === 1n) {
        return overwrite(fd, bytes, draft);
      }
      // A file that quietly changed hands could no longer be read by the one it was taken from.
      fchownSync(draft.fd, Number(opened.uid), Number(opened.gid));
      const mode = Number(opened.mode);
      fchmodSync(draft.fd, mode & (0o707 | ((mode & 0o007) << 3)));
      whileBusy(() => renameSync(draft.path(), folder.at(name)));
      return undefined;
    });
  } finally {
    closeSync(fd);
  }
}

const writtenMeanwhile = 'Somebody wrote to it at the same time: read it again.';

/** Writes over what a file holds, and keeps the draft until that is done; or else says where it is. */
function overwrite(fd: number, bytes: Uint8Array, draft: Draft): string | undefined {
  draft.isKept = true;
  try {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(fd, bytes, done, bytes.length - done, done);
    }
    ftruncateSync(fd, bytes.length);
    fsyncSync(fd);
  } catch (error) {
    const whole = `All of it is in ${quotePath(basename(draft.path()))} beside the file`;
    return `${reasonOf(error)} ${whole}, which may hold a part.`;
  }
  draft.isKept = false;
  return undefined;
}

// A pipe would otherwise be waited for.
const toWrite = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a text that is to go into a file; `input` is the path that is spoken of. */
export function encode(input: string, text: string): Outcome<Uint8Array> {
  // Half a character would be written as U+FFFD: the file would not hold what was sent.
  return /\p{Surrogate}/u.test(text)
    ? refuseChange(input, 'The text holds half of a character (a lone surrogate).')
    : { ok: true, value: Buffer.from(text) };
}

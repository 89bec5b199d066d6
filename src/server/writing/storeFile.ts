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
import { isFolder, notRegular, type Outcome } from '../paths/refusal.ts';
import { type Draft, withDraft } from './draft.ts';
import { reasonOf, refuseChange } from './reasons.ts';
import { lookAt, type WritableFolder } from './writableFolder.ts';

/**
 * Creates a file in a writable folder, or returns why not. Only the complete file gets the name.
 * @throws the system's error; `EEXIST` if the name is taken.
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
 * Moves a file to a free name. Never replaces an entry that took the name in the last moment. For a
 * moment, the file has both names. If the process is killed then, both names stay.
 * @throws the system's error, and nothing has changed. `ESTALE`: another file took one of the names.
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

/** Errors of file systems without hard links, or without hard links for this file. */
const withoutLinks: ReadonlySet<string> = new Set([
  'EISDIR', // FAT on Windows
  'EMLINK',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EPERM',
]);

/** Why a file must not be replaced, as a finished sentence. `undefined`: it can be replaced. */
export function whyNotReplace(stats: BigIntStats): string | undefined {
  if (stats.isDirectory()) {
    return isFolder;
  }
  if (stats.isSymbolicLink()) {
    // All earlier links were followed, so this link is new.
    return 'The file became a link during the call: look at the path, and try again.';
  }
  if (!stats.isFile()) {
    return notRegular;
  }
  // Checked here, because the system lets the root user write to a read-only file.
  return (Number(stats.mode) & 0o222) === 0 ? unwritable : undefined;
}

const unwritable = 'The file is read-only until somebody changes its mode.';

/** The outcome of storing a file, in finished sentences. */
interface Stored {
  /** Why the file was not stored. `undefined`: the file was stored. */
  readonly failed: string | undefined;
  readonly note?: string;
}

/**
 * Writes `bytes` into a file of a writable folder.
 *
 * Makes a draft with the new content beside the file, and then overwrites the file. So the file
 * keeps its owner, access control list and attributes, which Node cannot copy. A reader may briefly
 * see a part of the new content. If the process is killed then, the draft stays, with the whole
 * content. If the system refuses a draft there, overwrites the file, and the note says so.
 *
 * If the file has several names (hard links), some may be outside. So the draft replaces only this
 * name. Its group gets everybody's rights: the old bits may be the mask of an access control list.
 * Calls `isCurrent` with the open file right before the write. On `false`, writes nothing.
 * @throws the system's error. Nothing has changed then.
 */
export function replaceFile(
  folder: WritableFolder,
  name: string,
  bytes: Uint8Array,
  isCurrent: (fd: number) => boolean = () => true,
): Stored {
  // Checked before opening, because opening a device may have effects.
  if (!lookAt(folder.at(name))?.isFile()) {
    return { failed: writtenMeanwhile };
  }
  const fd = whileBusy(() => openSync(folder.at(name), toWrite));
  const store = (draft?: Draft) => {
    const isSame = isCurrent(fd) && draft?.isHeld() !== false;
    const opened = fstatSync(fd, { bigint: true });
    // Looks at the name last. If the file has only one name then, it is this name, in a root.
    const now = lookAt(folder.at(name));
    if (!isSame || !now?.isFile() || !isSameFile(opened, now)) {
      return writtenMeanwhile;
    }
    if (opened.nlink === 1n && now.nlink === 1n) {
      return overwrite(fd, bytes, draft);
    }
    if (!draft) {
      return otherNames;
    }
    // Keeps the owner. Under another owner, the old owner could no longer read the file.
    fchownSync(draft.fd, Number(opened.uid), Number(opened.gid));
    const mode = Number(opened.mode);
    fchmodSync(draft.fd, mode & (0o707 | ((mode & 0o007) << 3)));
    whileBusy(() => renameSync(draft.path(), folder.at(name)));
    return undefined;
  };
  try {
    return { failed: withDraft(folder, name, { bytes, mode: 0o600 }, store) };
  } catch (error) {
    if (!takesNoDraft.has(codeOf(error) ?? '')) {
      throw error;
    }
    return { failed: store(), note: withoutDraft };
  } finally {
    closeSync(fd);
  }
}

const takesNoDraft: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);
const withoutDraft =
  '(No new file can be created in the folder, so the file was overwritten without a safety copy.)';
const otherNames =
  'The file has other names (hard links), which may be outside the shared folders. To replace the file, this server needs to create a file in the folder, which the system refuses: check the permissions and the owner of the folder.';
const writtenMeanwhile = 'The file changed during the call: read the file again.';

/** Overwrites the file. Keeps the draft until the write is done. If it fails, the reason names the draft. */
function overwrite(fd: number, bytes: Uint8Array, draft?: Draft): string | undefined {
  const keep = (isKept: boolean) => draft && Object.assign(draft, { isKept });
  keep(true);
  try {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(fd, bytes, done, bytes.length - done, done);
    }
    ftruncateSync(fd, bytes.length);
    fsyncSync(fd);
  } catch (error) {
    const left = draft
      ? `The whole text is in ${quotePath(basename(draft.path()))} beside the file. The file may have only a part of the text.`
      : 'The file may have only a part of the text.';
    return `${reasonOf(error)} ${left}`;
  }
  keep(false);
  return undefined;
}

// Without `O_NONBLOCK`, opening a pipe would block.
const toWrite = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a text for a file. `input` is the path for a refusal. */
export function encode(input: string, text: string): Outcome<Uint8Array> {
  // Half a character would become U+FFFD, and the file would differ from the client's text.
  return /\p{Surrogate}/u.test(text)
    ? refuseChange(input, 'The text has half of a character (a lone surrogate).')
    : { ok: true, value: Buffer.from(text) };
}

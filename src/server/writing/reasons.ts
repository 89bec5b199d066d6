import { codeOf } from '../../base/messageOf.ts';
import type { ScopeRoot } from '../../domain/paths/pathScope.ts';
import { quotePath } from '../../domain/printable.ts';
import { diskFailed, type Refusal, tooManyFiles } from '../paths/refusal.ts';

/** Refuses a change at a path in a root. `reason` is a finished sentence. */
export function refuseChange(input: string, reason: string): Refusal {
  const message = `${quotePath(input)} cannot be changed. ${reason}`;
  return { ok: false, kind: 'unusable', message };
}

/** Refuses any change of a protected name, whether a file of that name exists or not. */
export function refuseReadOnly(input: string, name: string): Refusal {
  const reason = `This server may not change ${quotePath(name)} or its contents, because other programs run what is written there.`;
  return refuseChange(input, reason);
}

/** Refuses to move or delete a root, or a folder that contains one. */
export function staysShared(input: string, { announced }: ScopeRoot): Refusal {
  const reason = `The folder ${quotePath(announced)} is a shared folder, which this server never moves or deletes.`;
  return refuseChange(input, reason);
}

/** Why not to add an entry that makes a folder look like Git's `.git` folder. */
export function makesRepository(folder: string): string {
  return `With this entry, Git would take ${quotePath(folder)} for a repository, and run what is written there: use another name.`;
}

/** Refuses a change, because another program is changing the same place at this moment. */
export function refuseWhileChanging(input: string): Refusal {
  return refuseChange(
    input,
    'Another program is changing the path, or this server is not allowed to open its folder: look at the path, and try again.',
  );
}

/** The reason for a system error, by its code. Any other error is thrown again. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) {
    throw error;
  }
  // Windows reports the same code for a file that another program has open.
  const isOpen = process.platform === 'win32' && reasons[code] === forbidden;
  return isOpen ? usedOrForbidden : (reasons[code] ?? `The system refused the change (${code}).`);
}

const elsewhere = 'The path changed during the call: look at the path, and try again.';
const forbidden = 'The system does not allow the change: check the permissions and the owner.';
const full = 'The disk is full.';
const used = 'Another program uses the path, or a mount is there: close the program, or unmount.';
const usedOrForbidden =
  'Another program has the file open, or the system does not allow the change. Close the program, or check the permissions.';

const reasons: Readonly<Record<string, string>> = {
  ...tooManyFiles,
  EACCES: forbidden,
  EBUSY: used,
  EDQUOT: full,
  EEXIST: elsewhere,
  EFBIG: 'The file would be too large for the disk.',
  EIO: diskFailed,
  EISDIR: elsewhere,
  ELOOP: elsewhere,
  ENAMETOOLONG: 'The name is too long for the disk: use a shorter name.',
  ENOENT: elsewhere,
  ENOSPC: full,
  ENOTDIR: elsewhere,
  ENOTEMPTY: 'Another program added something to the folder: look at the folder, and try again.',
  EPERM: forbidden,
  EROFS: 'The path is on a read-only file system.',
  ESTALE: elsewhere,
  ETXTBSY: used,
  EXDEV: 'The new path is on another file system: write the file there, and delete the old one.',
};

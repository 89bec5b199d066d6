import { codeOf } from '../../base/messageOf.ts';
import type { ScopeRoot } from '../../domain/paths/pathScope.ts';
import { quotePath } from '../../domain/printable.ts';
import { diskFailed, type Refusal, tooManyFiles } from '../paths/refusal.ts';

/** The path lies in a root, but the requested change is impossible. */
export function refuseChange(input: string, reason: string): Refusal {
  const message = `${quotePath(input)} cannot be changed. ${reason}`;
  return { ok: false, kind: 'unusable', message };
}

/** Refuses any change of a protected name, whether it exists or not. */
export function refuseReadOnly(input: string, name: string): Refusal {
  const reason = `${quotePath(name)} and all in it is read-only for this server, because other programs run what is written there.`;
  return refuseChange(input, reason);
}

/** Refuses to move or delete a root, or a folder that contains one. */
export function staysShared(input: string, { announced }: ScopeRoot): Refusal {
  const reason = `The folder ${quotePath(announced)} is shared itself: it stays until it is no longer shared.`;
  return refuseChange(input, reason);
}

/** Why not to add an entry that makes a folder look like Git's `.git` folder. */
export function makesRepository(folder: string): string {
  return `With it, ${quotePath(folder)} would be a repository to Git, which runs what is written there: use another name.`;
}

/** Another program is changing the same place at this moment. */
export function refuseWhileChanging(input: string): Refusal {
  return refuseChange(
    input,
    'The path is changing at this moment, or this server may not open its folder: look at it, and try again.',
  );
}

/** The reason for a system error, by its code. Any other error is thrown again. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) {
    throw error;
  }
  // Windows also reports this for a file that another program has open.
  const isOpen = process.platform === 'win32' && reasons[code] === forbidden;
  return isOpen ? usedOrForbidden : (reasons[code] ?? `The system does not allow it (${code}).`);
}

const elsewhere = 'It changed while it was being worked on: look at it, and try again.';
const forbidden = 'This server may not do that there: look at the permissions and the owner.';
const full = 'The disk is full.';
const used = 'Another program is using it, or it is a mount: try again when that is over.';
const usedOrForbidden =
  'Another program has it open, or this server may not do that there: close it, or look at the permissions.';

const reasons: Readonly<Record<string, string>> = {
  ...tooManyFiles,
  EACCES: forbidden,
  EBUSY: used,
  EDQUOT: full,
  EEXIST: elsewhere,
  EFBIG: 'The file would be too large for that disk.',
  EIO: diskFailed,
  EISDIR: elsewhere,
  ELOOP: elsewhere,
  ENAMETOOLONG: 'Its name is longer than a name can be there.',
  ENOENT: elsewhere,
  ENOSPC: full,
  ENOTDIR: elsewhere,
  ENOTEMPTY: 'Something was added to it meanwhile: look at it, and try again.',
  EPERM: forbidden,
  EROFS: 'It lies on a file system that is read-only.',
  ESTALE: elsewhere,
  ETXTBSY: used,
  EXDEV: 'It would move to another file system: write it anew there, and then delete it here.',
};

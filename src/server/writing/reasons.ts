import { codeOf } from '../../base/messageOf.ts';
import type { ScopeRoot } from '../../domain/paths/pathScope.ts';
import { quotePath } from '../../domain/printable.ts';
import { diskFailed, type Refusal, tooManyFiles } from '../paths/refusal.ts';

/** The path lies in a root, and what was asked for cannot be done to it. */
export function refuseChange(input: string, reason: string): Refusal {
  const message = `${quotePath(input)} cannot be changed. ${reason}`;
  return { ok: false, kind: 'unusable', message };
}

/** A protected name stays as it is, whether it exists or not. */
export function refuseReadOnly(input: string, name: string): Refusal {
  const what = `${quotePath(name)} and all in it is read-only for this server`;
  return refuseChange(input, `${what}, because other programs run what is written there.`);
}

/** A root stays where it is, and so does every folder that it lies in. */
export function staysShared(input: string, { announced }: ScopeRoot): Refusal {
  const shared = `The folder ${quotePath(announced)} is shared itself`;
  return refuseChange(input, `${shared}: it stays until it is no longer shared.`);
}

/** Somebody else is at work there at the same time. */
export function refuseWhileChanging(input: string): Refusal {
  return refuseChange(
    input,
    'It is changing at this moment, or this server may not open its folder: look at it, and try again.',
  );
}

/** The reason for a failure that the system gave a code for; anything else is thrown again. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) {
    throw error;
  }
  // Windows says so of what another program has open, too.
  const isOpen = process.platform === 'win32' && reasons[code] === forbidden;
  return isOpen ? usedOrForbidden : (reasons[code] ?? `The system does not allow it (${code}).`);
}

const elsewhere = 'It changed while it was being worked on: look at it, and try again.';
const forbidden = 'This server may not do that there: look at the permissions and the owner.';
const full = 'There is no space left for it.';
const used = 'Another program is using it: try again when it is done.';
const usedOrForbidden =
  'Another program has it open, or this server may not do that there: close it, or look at the permissions.';

const reasons: Readonly<Record<string, string>> = {
  ...tooManyFiles,
  EACCES: forbidden,
  EBUSY: used,
  EDQUOT: full,
  EEXIST: elsewhere,
  EFBIG: 'It is larger than a file can be there.',
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

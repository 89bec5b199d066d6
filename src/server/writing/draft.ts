import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { isSameFile } from '../../base/fileIdentity.ts';
import { systemError } from '../../base/messageOf.ts';
import { plainName } from '../../domain/paths/protectedPath.ts';
import { quotePath } from '../../domain/printable.ts';
import { lookAt, type WritableFolder } from './writableFolder.ts';

/** A temporary file with a file's new content. Only one server at a time has a file's draft. */
export interface Draft {
  readonly fd: number;
  path(): string;
  /** Whether this draft still exists. Another server may have taken it for abandoned and removed it. */
  isHeld(): boolean;
  /** Whether the draft stays when `work` has ended. */
  isKept: boolean;
}

/**
 * Runs `work` with a draft beside the file `target`. Returns why the file was not written.
 * @throws the system's error; `EBUSY` while another server has a draft for the same file.
 */
export function withDraft(
  { at }: WritableFolder,
  target: string,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number },
  work: (draft: Draft) => string | undefined,
): string | undefined {
  // All servers use the same name for the draft, whatever the spelling or length of the file's name.
  const hash = createHash('sha256').update(plainName(target)).digest('hex');
  const name = `.mcp-roots-${hash.slice(0, 24)}.tmp`;
  const path = () => at(name);
  const left = lookAt(path());
  // Checks both directions: if the clock was wrong, a draft from the future is abandoned, too.
  if (left && Math.abs(Date.now() - Number(left.mtimeMs)) < longestDraft) {
    throw systemError('EBUSY');
  }
  if (left && isSameFile(left, lookAt(at(target)))) {
    // Both names mean one file: a server was killed right after it gave its draft the file's name.
    unlinkSync(path());
  } else if (left) {
    return `An earlier write was not finished. Its text may be in ${quotePath(name)} beside the file. Look at that text, and then move or delete it.`;
  }
  const fd = openSync(path(), asNew, mode);
  const isHeld = () => isSameFile(fstatSync(fd, { bigint: true }), lookAt(path()));
  const draft: Draft = { fd, path, isHeld, isKept: false };
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
    return work(draft);
  } finally {
    try {
      if (!draft.isKept && isHeld()) {
        unlinkSync(path());
      }
    } finally {
      closeSync(fd);
    }
  }
}

/** The longest life of a draft, in milliseconds. An older draft is from a server that was killed. */
const longestDraft = 10_000;

const asNew =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

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
import { lookAt } from './identity.ts';
import type { WritableFolder } from './writableFolder.ts';

/** A file with the content that another one is to have. Only one server at a time has it. */
export interface Draft {
  readonly fd: number;
  path(): string;
  /** Whether it is there still: another server may have taken it for one that was left. */
  isHeld(): boolean;
  /** Whether it is left there at the end. */
  isKept: boolean;
}

/**
 * Runs `work` with what a file is to hold in a draft beside that; answers why the file is not written.
 * @throws what the system says; `EBUSY` while another server has a draft for the same file.
 */
export function withDraft(
  { at }: WritableFolder,
  target: string,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode: number },
  work: (draft: Draft) => string | undefined,
): string | undefined {
  // One for all servers that write to it, however they spell it and however long it is.
  const hash = createHash('sha256').update(plainName(target)).digest('hex');
  const name = `.mcp-roots-${hash.slice(0, 24)}.tmp`;
  const path = () => at(name);
  const left = lookAt(path());
  // The clock may have been wrong: a draft of hours from now was left as well.
  if (left && Math.abs(Date.now() - Number(left.mtimeMs)) < longestDraft) {
    throw systemError('EBUSY');
  }
  if (left && isSameFile(left, lookAt(at(target)))) {
    // Its server was killed right after it had given a new file its name.
    unlinkSync(path());
  } else if (left) {
    const text = `Its text may be in ${quotePath(name)} beside the file`;
    return `An earlier write was not finished. ${text}: look at that, and move or delete it first.`;
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

/** In milliseconds. Nothing is written for so long: a draft that is older was left by a killed server. */
const longestDraft = 10_000;

const asNew =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

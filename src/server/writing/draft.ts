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
import { lookAt } from './identity.ts';
import type { WritableFolder } from './writableFolder.ts';

/** A file with the content that another one is to have. Only one server at a time has it. */
export interface Draft {
  readonly fd: number;
  readonly name: string;
  path(): string;
  /** Whether it is there still: it may have been taken for one that was left. */
  isHeld(): boolean;
  close(options?: { readonly isKept: boolean }): void;
}

/**
 * Writes what a file is to hold into a draft beside that.
 * @throws what the system says; `EBUSY` while another program has a draft for the same file.
 */
export function writeDraft(
  { at }: WritableFolder,
  target: string,
  bytes: Uint8Array,
  mode: number,
): Draft {
  // One for all servers that write to it, however they spell it and however long it is.
  const hash = createHash('sha256').update(plainName(target)).digest('hex');
  const name = `.mcp-roots-${hash.slice(0, 24)}.tmp`;
  const left = lookAt(at(name));
  if (left) {
    // By the clock, which may be wrong: a draft of hours from now was left as well.
    if (Math.abs(Date.now() - Number(left.mtimeMs)) < longestDraft) {
      throw systemError('EBUSY');
    }
    unlinkSync(at(name));
  }
  const fd = openSync(at(name), asNew, mode);
  const draft: Draft = {
    fd,
    name,
    path: () => at(name),
    isHeld: () => isSameFile(fstatSync(fd, { bigint: true }), lookAt(at(name))),
    close: ({ isKept } = { isKept: false }) => {
      try {
        if (!isKept && draft.isHeld()) {
          unlinkSync(at(name));
        }
      } finally {
        closeSync(fd);
      }
    },
  };
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
    return draft;
  } catch (error) {
    draft.close();
    throw error;
  }
}

/** In milliseconds. Nothing is written for so long: a draft that is older was left by a killed server. */
const longestDraft = 10_000;

const asNew =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

import { isUtf8 } from 'node:buffer';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { missing, type Outcome } from '../paths/refusal.ts';
import type { HeldFolder } from './heldFolder.ts';
import { isSame, lookAt } from './identity.ts';
import { changing, unchanged } from './reasons.ts';
import { whyNotReplace } from './storeFile.ts';

/** A text, and the file it was read from as it was right before. */
export interface ReadText {
  readonly text: string;
  readonly before: BigIntStats;
}

/** Reads a file of a held folder that is to be replaced by another text. A byte order mark stays. */
export function readText(input: string, { at }: HeldFolder, name: string): Outcome<ReadText> {
  const before = lookAt(at(name));
  if (!before) {
    return missing(input);
  }
  // Asked before it is opened: that may do something to a device.
  const reason = whyNotReplace(before);
  if (reason !== undefined) {
    return unchanged(input, reason);
  }
  if (before.size > maxFileSize) {
    return unchanged(input, 'It is larger than 8 MB, which is too large to be edited here.');
  }
  const fd = openSync(at(name), flags);
  try {
    if (!isSame(before, fstatSync(fd, { bigint: true }))) {
      return changing(input);
    }
    const bytes = readFileSync(fd);
    return isUtf8(bytes) && !bytes.includes(0)
      ? { ok: true, value: { text: bytes.toString('utf8'), before } }
      : unchanged(input, 'It is not UTF-8 text (binary, or another encoding).');
  } finally {
    closeSync(fd);
  }
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const maxFileSize = 8 * 1024 * 1024;

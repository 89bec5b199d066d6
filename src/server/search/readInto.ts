import { readSync } from 'node:fs';

/** Reads a file from its start until the buffer is full or the file ends; answers how much that is. */
export function readInto(fd: number, bytes: Uint8Array): number {
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(fd, bytes, length, bytes.length - length, length);
    if (read === 0) {
      break;
    }
    length += read;
  }
  return length;
}

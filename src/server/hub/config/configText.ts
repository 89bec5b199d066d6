import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** The text of a configuration file without its byte order mark, or why there is none. */
export type ConfigText = { readonly ok: true; readonly text: string } | NoConfigText;

/** Why a configuration file has no text. */
export interface NoConfigText {
  readonly ok: false;
  readonly isMissing: boolean;
  /** To be read after the file. */
  readonly reason: string;
}

const maxBytes = 1024 * 1024;

/** Reads the file, of at most 1 MB. Never throws. */
export async function readConfigText(path: string): Promise<ConfigText> {
  try {
    // Without waiting: nobody may ever write to a pipe.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return await textOf(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return unread(error);
  }
}

async function textOf(file: FileHandle): Promise<ConfigText> {
  const stats = await file.stat();
  if (!stats.isFile()) {
    return refused('is no file.');
  }
  const bytes = await firstBytes(file, maxBytes + 1);
  if (bytes.length > maxBytes) {
    return refused('is larger than 1 MB.');
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refused('is not UTF-8.'); // The decoder throws for nothing else.
  }
}

/** Not by the size that it says it has: it may be growing. */
async function firstBytes(file: FileHandle, most: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(most);
  let length = 0;
  while (length < most) {
    const { bytesRead } = await file.read(bytes, length, most - length, length);
    if (bytesRead === 0) {
      break;
    }
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

function unread(error: unknown): ConfigText {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? { ok: false, isMissing: true, reason: 'is not there.' }
    : refused(`cannot be read (${code}).`);
}

function refused(reason: string): ConfigText {
  return { ok: false, isMissing: false, reason };
}

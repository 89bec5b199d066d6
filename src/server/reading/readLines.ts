import { readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { longestMessage } from '../../base/lineReader.ts';
import type { LongCall } from '../runningCall.ts';
import { readInto } from '../search/folderTree.ts';
import { isText } from './mediaType.ts';

/** A range of lines, counted from 1. A line includes its line feed. */
export type LineRange = { readonly from: number; readonly to: number } | { readonly last: number };

/** A part of a text. */
export interface TextPart {
  readonly text: string;
  /** The numbers of the first and last line. Absent: the text was read from the end. */
  readonly firstLine?: number;
  readonly lastLine?: number;
  /** The number of the line after the text. Absent: there is no such line. */
  readonly nextLine?: number;
  /** Whether some of the requested text is left out, to keep the answer below the limit. */
  readonly isCut: boolean;
}

/** An open file, and its size when it was opened. */
export interface FileToRead {
  readonly fd: number;
  readonly size: number;
}

/**
 * Reads lines from an open file. `undefined`: the lines are not UTF-8 text.
 *
 * The answer has a size limit, and is cut at the end of a line where possible. Long files are read
 * in slices, so that other work goes on.
 *
 * @throws the reason of the signal when it is aborted.
 */
export async function readLines(
  { fd, size }: FileToRead,
  range: LineRange,
  call: Pick<LongCall, 'signal'>,
): Promise<TextPart | undefined> {
  if ('last' in range) {
    return lastLines(fd, size, range.last);
  }
  const start = await startOfLine({ fd, size }, range.from, call);
  return start === 'binary' ? undefined : linesFrom(fd, start, { ...range, size });
}

function linesFrom(
  fd: number,
  start: number | undefined,
  { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
): TextPart | undefined {
  const bytes = start === undefined ? Buffer.alloc(0) : readAt(fd, start, size - start);
  const { end, lines, isCut } = windowFrom(bytes, to - from + 1);
  const text = decode(bytes.subarray(0, end));
  if (text === undefined || end === 0) {
    return text === undefined ? undefined : { text, isCut: false };
  }
  const lastLine = from + lines - (bytes[end - 1] === lineFeed ? 1 : 0);
  const next = end < bytes.length && { nextLine: lastLine + 1 };
  return { text, firstLine: from, lastLine, ...next, isCut };
}

function lastLines(fd: number, size: number, count: number): TextPart | undefined {
  const start = Math.max(0, size - maxTextBytes - 1);
  const bytes = readAt(fd, start, size - start);
  const { begin, isCut } = windowTo(bytes, count);
  const text = decode(bytes.subarray(begin));
  return text === undefined ? undefined : { text, isCut };
}

/** The offset of a line. `undefined`: the line does not exist. `binary`: a NUL comes before it. */
async function startOfLine(
  { fd, size }: FileToRead,
  line: number,
  call: Pick<LongCall, 'signal'>,
): Promise<number | 'binary' | undefined> {
  const slice = Buffer.allocUnsafe(line === 1 ? 0 : sliceBytes);
  let missing = line - 1;
  let start = 0;
  for (let position = 0; missing > 0; position += slice.length) {
    const bytes = slice.subarray(0, readSync(fd, slice, 0, slice.length, position));
    if (bytes.includes(0)) {
      return 'binary';
    }
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
      if (position + at + 1 === size) {
        break; // This line feed ends the last line, and no line follows.
      }
      start = position + at + 1;
      missing -= 1;
      if (missing === 0) {
        return start;
      }
    }
    if (bytes.length < slice.length) {
      return startOfPart({ fd, size }, start, missing, call);
    }
    await setImmediate();
    call.signal.throwIfAborted();
  }
  return 0;
}

/**
 * Returns the offset after `parts` parts of the last line, which begins at offset `line`. The parts
 * of a line too long for one answer count as lines in ranges. `undefined`: no such part.
 */
async function startOfPart(
  { fd, size }: FileToRead,
  line: number,
  parts: number,
  call: Pick<LongCall, 'signal'>,
): Promise<number | undefined> {
  let start = line;
  for (let part = 0; part < parts; part++) {
    const { end, isCut } = windowFrom(readAt(fd, start, size - start), 1);
    if (!isCut) {
      return undefined;
    }
    start += end;
    await setImmediate();
    call.signal.throwIfAborted();
  }
  return start;
}

/**
 * The bytes at a position, up to one byte more than an answer may have. If the file has grown, only its
 * first `size` bytes count. A file of size 0 is read, too, because files in `/sys` have content.
 */
function readAt(fd: number, position: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.min(maxTextBytes + 1, size > 0 ? size : 4096));
  return bytes.subarray(0, readInto(fd, bytes, position));
}

function decode(bytes: Buffer): string | undefined {
  return isText(bytes) ? bytes.toString('utf8') : undefined;
}

const sliceBytes = 1024 * 1024;

/** The most text in one answer, in bytes. A message has the text twice: see {@link fittingOf}. */
export const maxTextBytes = longestMessage / 8;

const lineFeed = 10;

/**
 * Returns where the text for an answer ends: after `lines` lines, or at the limit. If the limit is
 * within a line, the text ends before that line. Only a too long first line is cut, at a character.
 */
export function windowFrom(
  bytes: Buffer,
  lines: number,
): { readonly end: number; readonly lines: number; readonly isCut: boolean } {
  const fitting = fittingOf(bytes.subarray(0, maxTextBytes));
  let found = 0;
  let afterLine = 0;
  let at = bytes.indexOf(lineFeed);
  while (at !== -1 && at < fitting) {
    found += 1;
    afterLine = at + 1;
    if (found === lines) {
      return { end: afterLine, lines: found, isCut: false };
    }
    at = bytes.indexOf(lineFeed, afterLine);
  }
  const isCut = fitting < bytes.length;
  const end = isCut ? afterLine || startOfCharacter(bytes, fitting, -1) : fitting;
  return { end, lines: found, isCut };
}

/** Returns where the last `lines` lines begin, or as many of these lines as the limit allows. */
export function windowTo(
  bytes: Buffer,
  lines: number,
): { readonly begin: number; readonly isCut: boolean } {
  const first = bytes.length - fittingOf(bytes.subarray(-maxTextBytes));
  let found = 0;
  let afterLine = 0;
  // A line feed at the very end belongs to the last line.
  let at = lastLineFeed(bytes, bytes.length - 1);
  while (at >= first) {
    found += 1;
    afterLine = at + 1;
    if (found === lines) {
      return { begin: afterLine, isCut: false };
    }
    at = lastLineFeed(bytes, at);
  }
  const isCut = first > 0;
  return { begin: isCut ? afterLine || startOfCharacter(bytes, first, 1) : 0, isCut };
}

/** The last line feed before a position, or -1. */
function lastLineFeed(bytes: Buffer, before: number): number {
  return before > 0 ? bytes.lastIndexOf(lineFeed, before - 1) : -1;
}

/**
 * How many bytes of a text fit into an answer. The answer has the text twice, as JSON, and must be
 * shorter than the longest message. If many bytes take six bytes each in JSON, a third fits.
 */
function fittingOf(bytes: Buffer): number {
  const third = Math.floor(maxTextBytes / 3);
  const mayBeHeavy = bytes.length > third && sixfold.some(byte => bytes.includes(byte));
  const isHeavy = mayBeHeavy && jsonLength(bytes) > 2 * maxTextBytes;
  return isHeavy ? third : bytes.length;
}

/** The control characters that take six bytes in JSON, as in `\u0001`. */
const sixfold = [...Array(32).keys()].filter(byte => byte < 8 || byte === 11 || byte > 13);

function jsonLength(bytes: Buffer): number {
  return JSON.stringify(bytes.toString('latin1')).length - '""'.length;
}

function startOfCharacter(bytes: Buffer, from: number, step: 1 | -1): number {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) {
    at += step;
  }
  return at;
}

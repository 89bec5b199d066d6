import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { deserializeMessage, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { droppedBytes, type LineReader } from '../../base/lineReader.ts';
import { isPlainRequest, isPlainResult } from '../../domain/plainMessage.ts';
import { ComplexityLimit, isHarmless } from '../complexityLimit.ts';
import { ReadingTurn } from '../readingTurn.ts';
import type { Defect, UnreadMessage } from '../unreadMessage.ts';

/**
 * Reads the output of a process line by line, in turns: one that floods has its next turn only after
 * everything else that waits, and meanwhile has to wait itself, because its pipe is full.
 */
export class OutputReader {
  private readonly output: Readable;
  private readonly lines: LineReader;
  private readonly turn = new ReadingTurn();
  private readonly onIdle = new Set<() => void>();
  private rest: Buffer[] = [];
  private isWaiting = false;
  private isHeld = false;
  private hasEnded = false;

  constructor(output: Readable, lines: LineReader) {
    this.output = output;
    this.lines = lines;
    output.on('data', (chunk: Buffer) => this.add(chunk));
    output.on('end', () => {
      this.hasEnded = true;
      this.goOn();
    });
  }

  /** Reads no further, until it is released. */
  hold(): void {
    this.isHeld = true;
    this.output.pause();
  }

  release(): void {
    if (this.isHeld) {
      this.isHeld = false;
      this.goOnSoon();
    }
  }

  /** Resolves when every line that has arrived was read. */
  idle(): Promise<void> {
    return new Promise(resolve => {
      this.onIdle.add(resolve);
      this.goOnSoon();
    });
  }

  private add(chunk: Buffer): void {
    this.rest.push(chunk);
    if (!this.isWaiting) {
      this.goOn();
    }
  }

  private goOn(): void {
    while (this.rest.length > 0 && !this.isHeld) {
      if (this.turn.isOver()) {
        this.output.pause();
        this.goOnSoon();
        return;
      }
      this.takeLine();
    }
    if (!this.isHeld) {
      this.becomeIdle();
    }
  }

  private takeLine(): void {
    const [chunk = Buffer.alloc(0), ...more] = this.rest;
    const end = chunk.indexOf(lineFeed) + 1 || chunk.length;
    // Before the line is taken: its reader may hold the lines that follow.
    this.rest = end < chunk.length ? [chunk.subarray(end), ...more] : more;
    this.lines.push(chunk.subarray(0, end));
  }

  private becomeIdle(): void {
    if (this.output.isPaused()) {
      this.output.resume();
    }
    if (this.hasEnded) {
      this.lines.end();
    }
    const settled = [...this.onIdle];
    this.onIdle.clear();
    for (const resolve of settled) {
      resolve();
    }
  }

  private goOnSoon(): void {
    if (!this.isWaiting) {
      this.isWaiting = true;
      setImmediate(() => {
        this.isWaiting = false;
        this.turn.renew();
        this.goOn();
      });
    }
  }
}

/** A part of a line of output: a message, or bytes that are none. */
export type LinePart =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | ({ readonly kind: 'unread' } & UnreadMessage);

const start = '{"jsonrpc"';
/** Limit of starts of messages tried in one line: it may be full of them and hold no message. */
const mostStarts = 16;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const tab = 9;

/**
 * The messages in a line of output, which may not be the only thing there: a print without a line
 * end glues itself to the message after it, and two threads that print at once do worse. A message
 * is taken as it was sent or not at all: bytes that are no UTF-8 make it rubbish.
 */
export function partsOf(line: Buffer): readonly LinePart[] {
  const whole = parsed(line);
  if (typeof whole === 'object') {
    return [{ kind: 'message', message: whole }];
  }
  const starts = startsIn(line);
  if (starts.length === 0) {
    return unread(line, whole);
  }
  const parts = starts.flatMap((at, index) => partsFrom(line.subarray(at, starts[index + 1])));
  return [...unread(line.subarray(0, starts[0]), 'malformed'), ...parts];
}

/** The last places in a line where messages may begin. */
function startsIn(line: Buffer): number[] {
  const found: number[] = [];
  let at = line.lastIndexOf(start);
  while (at !== -1 && found.length < mostStarts) {
    found.unshift(at);
    at = at === 0 ? -1 : line.lastIndexOf(start, at - 1);
  }
  return found;
}

/** A message at the start of the piece, and what follows it. */
function partsFrom(piece: Buffer): LinePart[] {
  const end = piece.lastIndexOf('}') + 1;
  const message = parsed(piece.subarray(0, end));
  return typeof message === 'object'
    ? [{ kind: 'message', message }, ...unread(piece.subarray(end), 'malformed')]
    : unread(piece, message);
}

/** An unread part; none at all for blanks. */
function unread(bytes: Buffer, defect: Defect): LinePart[] {
  return bytes.every(isBlank) ? [] : [{ kind: 'unread', defect, bytes: droppedBytes(bytes) }];
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab || byte === carriageReturn || byte === lineFeed;
}

/** The message, or why these bytes are none. */
function parsed(bytes: Buffer): JSONRPCMessage | Defect {
  // A text without an object is no message, and an exception would cost more than this look.
  if (bytes.indexOf('{') === -1 || !isUtf8(bytes)) {
    return 'malformed';
  }
  const text = bytes.toString();
  if (!isHarmless(text) && new ComplexityLimit().add(bytes)) {
    return 'complex';
  }
  try {
    const value = JSON.parse(text);
    return isPlainResult(value) || isPlainRequest(value) ? value : deserializeMessage(text);
  } catch {
    return 'malformed'; // Not an error of ours: the caller reports it.
  }
}

import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { isTooComplex } from '../../../base/complexityLimit.ts';
import { droppedBytes, type LineReader } from '../../../base/lineReader.ts';
import { isSameJson } from '../../../domain/json.ts';
import { isPlainResult, mendedMessage } from '../../../domain/plainMessage.ts';
import { ReadingTurn } from '../readingTurn.ts';
import type { Defect, UnreadMessage } from '../unreadMessage.ts';

/**
 * Reads the output of a process line by line, in turns. If the process floods, all other waiting
 * work comes before its next turn. Meanwhile its pipe fills up, so that the process must wait, too.
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

  /** Stops reading until `release`. */
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
    // Keeps the rest before the line is taken, because the line's reader may call `hold`.
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

/** A part of a line of output: a message, or bytes that are not a message. */
export type LinePart =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage; readonly isMended?: boolean }
  | ({ readonly kind: 'unread' } & UnreadMessage);

const start = '{"jsonrpc"';
const lineFeed = 10;
/** Space, tab, carriage return and line feed. */
const blanks = [32, 9, 13, 10];

/**
 * The parts of a line: at most one message, and the unread bytes before and after the message. A program that
 * prints without a line end leaves such bytes. A message with bytes outside UTF-8 is malformed.
 */
export function partsOf(line: Buffer): readonly LinePart[] {
  const whole = parsed(line);
  if (typeof whole === 'object') {
    return [whole];
  }
  const [begin, end] = [line.indexOf(start), line.lastIndexOf('}') + 1];
  const message = begin < 0 ? whole : parsed(line.subarray(begin, end));
  return typeof message === 'object'
    ? [
        ...unread(line.subarray(0, begin), 'malformed'),
        message,
        ...unread(line.subarray(end), 'malformed'),
      ]
    : unread(line, whole);
}

/** The bytes as an unread part. Empty: there are only blanks. */
function unread(bytes: Buffer, defect: Defect): LinePart[] {
  return bytes.every(byte => blanks.includes(byte))
    ? []
    : [{ kind: 'unread', defect, bytes: droppedBytes(bytes) }];
}

/** The message, or why these bytes are not a message. */
function parsed(bytes: Buffer): LinePart | Defect {
  // Text without an object holds no message, and this check costs less than an exception.
  if (bytes.indexOf('{') === -1 || !isUtf8(bytes)) {
    return 'malformed';
  }
  const text = bytes.toString();
  if (isTooComplex(text)) {
    return 'complex';
  }
  try {
    const value = JSON.parse(text);
    if (isPlainResult(value)) {
      return { kind: 'message', message: value };
    }
    const message = parseJSONRPCMessage(mendedMessage(value));
    return { kind: 'message', message, isMended: !isSameJson(message, value) };
  } catch {
    return 'malformed'; // The caller reports it: the mistake is the server's.
  }
}

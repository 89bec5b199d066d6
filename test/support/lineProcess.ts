import {
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { LineReader } from '../../src/base/lineReader.ts';
import { within } from '../../src/base/timeLimit.ts';
import { patience } from './patience.ts';
import { atEnd, killed } from './processes.ts';

/** A JSON-RPC message as it came: nothing of it is checked or left out. */
export interface WireMessage {
  readonly id?: unknown;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what it is made of is for the tests to say.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How to start a process that speaks line by line. */
export interface LineProcessStart extends SpawnOptionsWithoutStdio {
  readonly command: string;
  readonly args: readonly string[];
}

/** A process that writes a message a line; it is killed at the end of the test. */
export class LineProcess {
  readonly process: ChildProcessWithoutNullStreams;
  /** Settles when the process has ended and all that it wrote has come. */
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  stderr = '';
  private readonly waiting = new Set<() => void>();
  private hasEnded = false;

  constructor(
    t: Pick<TestContext, 'after'>,
    { command, args, ...options }: LineProcessStart,
    onLine: (line: string) => void,
  ) {
    const child = spawn(command, args, options);
    this.process = child;
    this.exited = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    child.stdin.on('error', () => {}); // The end of the process says more.
    child.stderr.on('data', text => {
      this.stderr += text;
      this.wake();
    });
    // Not `readline`: it takes characters within a message for ends of lines.
    const lines = new LineReader(Number.MAX_SAFE_INTEGER, line => {
      onLine(line.toString());
      this.wake();
    });
    child.stdout.on('data', chunk => lines.push(chunk));
    child.once('close', code => {
      // A last message without a line break; after a kill it may be incomplete.
      if (code === 0) {
        lines.end();
      }
      this.hasEnded = true;
      this.wake();
    });
    atEnd(t, () => killed(child));
  }

  /**
   * Ends it by the end of its input, before it is killed: a hub that is killed may leave a server that
   * is just being started, which nobody knows of yet and which writes into its folder while that is
   * removed.
   */
  endsInPeace(t: Pick<TestContext, 'after'>): void {
    atEnd(t, async () => {
      this.process.stdin.end();
      await this.found('its end', () => this.hasEnded || undefined);
    });
  }

  /** Settles when the operating system has the bytes: what does not fit waits for the process. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise(resolve => this.process.stdin.write(bytes, () => resolve()));
  }

  /**
   * The first value that `find` has, which is asked after each line.
   *
   * @throws when the process ends before, or does not have it in time.
   */
  async found<T>(what: string, find: () => T | undefined): Promise<T> {
    const end = performance.now() + patience;
    for (;;) {
      const value = find();
      if (value !== undefined) {
        return value;
      }
      if (this.hasEnded) {
        throw new Error(`The process has ended before ${what}. It said: ${this.stderr}`);
      }
      const changed = new Promise<true>(resolve => this.waiting.add(() => resolve(true)));
      if (!(await within(changed, end - performance.now(), false))) {
        throw new Error(`Waited in vain for ${what}. The process said: ${this.stderr}`);
      }
    }
  }

  async stderrHas(text: string): Promise<void> {
    await this.found(text, () => this.stderr.includes(text) || undefined);
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) {
      resolve();
    }
  }
}

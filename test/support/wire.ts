import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { type Message, serverMain } from './bundledServer.ts';
import { busyTimeOf } from './cpuTime.ts';
import { patience } from './patience.ts';
import { atEnd, killed } from './processes.ts';

/** The two ages of the protocol: with a handshake, and with all of it in every request. */
export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

/** Whatever a client may put into a message. */
export type Json = unknown;

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/**
 * The streams of a server process with its roots given on the command line: any bytes in, and the
 * messages that come out. An unhandled rejection ends the server.
 */
export class Wire {
  readonly process: ChildProcessWithoutNullStreams;
  /** Answers without an id: those to what is no message, or not for certain a request. */
  readonly toNobody: Message[] = [];
  /** Second answers to an id. */
  readonly unexpected: Message[] = [];
  stderr = '';
  private readonly era: Era;
  private readonly answers = new Map<unknown, Message>();
  private readonly answered = new Set<unknown>();
  private readonly waiting = new Set<() => void>();
  private lastId = 1_000_000;
  private hasEnded = false;

  constructor(t: Pick<TestContext, 'after'>, era: Era, args: readonly string[]) {
    this.era = era;
    const child = spawn(process.execPath, ['--unhandled-rejections=strict', serverMain, ...args]);
    this.process = child;
    child.stdin.on('error', () => {}); // The end of the process says more.
    child.stderr.on('data', text => {
      this.stderr += text;
      this.wake();
    });
    createInterface({ input: child.stdout }).on('line', line => this.receive(JSON.parse(line)));
    child.once('close', () => {
      this.hasEnded = true;
      this.wake();
    });
    atEnd(t, () => killed(child));
  }

  /** The handshake, where the era has one. */
  async open(): Promise<this> {
    if (this.era === 'legacy') {
      const clientInfo = { name: 'test', version: '1' };
      await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
      await this.write(this.line({ method: 'notifications/initialized' }));
    }
    return this;
  }

  /** A message as a line, with what the era wants to see in every one. */
  line(message: { readonly id?: Json; readonly method: string; readonly params?: object }): string {
    const { params = {} } = message;
    const whole = this.era === 'modern' ? { _meta: meta, ...params } : params;
    return `${JSON.stringify({ jsonrpc: '2.0', ...message, params: whole })}\n`;
  }

  /** A call of a tool as a line. */
  call(id: Json, name: string, args: Json = {}): string {
    return this.line({ id, method: 'tools/call', params: { name, arguments: args } });
  }

  /** Settles when the operating system has the bytes: what does not fit waits for the server. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise(resolve => this.process.stdin.write(bytes, () => resolve()));
  }

  /** Sends a request under an id of its own. */
  async ask(method: string, params: object = {}): Promise<Message> {
    this.lastId += 1;
    const id = this.lastId;
    await this.write(this.line({ id, method, params }));
    return this.answer(id);
  }

  /** The answer with that id, which is forgotten then. */
  async answer(id: Json): Promise<Message> {
    for (;;) {
      const answer = this.answers.get(id);
      if (answer) {
        this.answers.delete(id);
        this.answered.add(id);
        return answer;
      }
      await this.change(`an answer to ${JSON.stringify(id)}`);
    }
  }

  /** Settles when that many answers without an id have come. */
  async answersToNobody(count: number): Promise<void> {
    while (this.toNobody.length < count) {
      await this.change(`${count} answers without an id (${this.toNobody.length} came)`);
    }
  }

  /** The most memory the server has had so far in MB; 0 where the system does not tell. */
  peakMemory(): number {
    if (process.platform !== 'linux') {
      return 0;
    }
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** How long the server has computed so far, in hundredths of a second; 0 where the system does not tell. */
  busyTime(): number {
    return busyTimeOf(this.process.pid);
  }

  /** The exit code, once all that it wrote has come. */
  async ended(): Promise<number | null> {
    if (!this.hasEnded) {
      await once(this.process, 'close');
    }
    return this.process.exitCode;
  }

  private receive(message: Message): void {
    if (message.method !== undefined) {
      return; // That the tools have changed, for example.
    }
    if ((message.id ?? null) === null) {
      this.toNobody.push(message);
    } else if (this.answers.has(message.id) || this.answered.has(message.id)) {
      this.unexpected.push(message);
    } else {
      this.answers.set(message.id, message);
    }
    this.wake();
  }

  private async change(what: string): Promise<void> {
    if (this.hasEnded) {
      throw new Error(`The server has ended before ${what}. It said: ${this.stderr}`);
    }
    const changed = new Promise<true>(resolve => this.waiting.add(() => resolve(true)));
    if (!(await within(changed, patience, false))) {
      throw new Error(`Waited in vain for ${what}. The server said: ${this.stderr}`);
    }
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) {
      resolve();
    }
  }
}

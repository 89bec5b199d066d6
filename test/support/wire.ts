import type { TestContext } from 'node:test';
import { type Message, serverMain } from './bundledServer.ts';
import { LineProcess } from './lineProcess.ts';

/** The two ages of the protocol: with a handshake, and with all of it in every request. */
export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

/** A value that a client may put into a message. */
export type Json = unknown;

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/**
 * A server process with its roots given on the command line: any bytes in, and the messages that come
 * out. An unhandled rejection ends the server.
 */
export class Wire extends LineProcess {
  /** Answers without an id: to invalid messages, or to messages that may not be requests. */
  readonly toNobody: Message[] = [];
  /** Second answers to an id. */
  readonly unexpected: Message[] = [];
  private readonly era: Era;
  private readonly answers = new Map<unknown, Message>();
  private readonly answered = new Set<unknown>();
  private lastId = 1_000_000;

  constructor(t: Pick<TestContext, 'after'>, era: Era, args: readonly string[]) {
    // Under a load, Node's heap for young objects grows to 128 MB whatever lives: with a small one, the
    // peak of its memory tells what the server keeps.
    const flags = ['--unhandled-rejections=strict', '--max-semi-space-size=8'];
    const all = [...flags, serverMain, ...args];
    super(t, { command: process.execPath, args: all }, line => this.receive(JSON.parse(line)));
    this.era = era;
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

  /** A message as a line, with the members that the era requires. */
  line(message: { readonly id?: Json; readonly method: string; readonly params?: object }): string {
    const { params = {} } = message;
    const whole = this.era === 'modern' ? { _meta: meta, ...params } : params;
    return `${JSON.stringify({ jsonrpc: '2.0', ...message, params: whole })}\n`;
  }

  /** A call of a tool as a line. */
  call(id: Json, name: string, args: Json = {}): string {
    return this.line({ id, method: 'tools/call', params: { name, arguments: args } });
  }

  /** Sends a request under a new id. */
  async ask(method: string, params: object = {}): Promise<Message> {
    this.lastId += 1;
    const id = this.lastId;
    await this.write(this.line({ id, method, params }));
    return this.answer(id);
  }

  /** The answer with that id, which is forgotten then. */
  answer(id: Json): Promise<Message> {
    return this.found(`an answer to ${JSON.stringify(id)}`, () => {
      const answer = this.answers.get(id);
      if (this.answers.delete(id)) {
        this.answered.add(id);
      }
      return answer;
    });
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
  }
}

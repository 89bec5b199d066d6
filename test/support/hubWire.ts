import type { TestContext } from 'node:test';
import { rootOf, serverMain } from './bundledServer.ts';
import { writeConfig } from './hub.ts';
import { LineProcess, type WireMessage } from './lineProcess.ts';
import type { Era } from './wire.ts';

/** How to start the hub, and what its client is. */
export interface HubWireOptions {
  readonly era: Era;
  readonly config: object;
  /** The folders that the client serves as its roots. */
  readonly roots: readonly string[];
  readonly args?: readonly string[];
  /** What the client offers besides its roots. It answers nothing of that. */
  readonly offers?: object;
}

/** A hub as a process of its own, and a client that sees each message as it is. It answers for roots. */
export class HubWire extends LineProcess {
  readonly configFile: string;
  /** Everything the hub sent that was neither an answer nor a question for roots. */
  readonly notices: WireMessage[] = [];
  private readonly era: Era;
  private readonly roots: readonly string[];
  private readonly capabilities: object;
  private readonly clientInfo = { name: 'test', version: '1' };
  private readonly answers = new Map<unknown, WireMessage>();
  private lastId = 0;

  private constructor(
    t: TestContext,
    { era, config, roots, args = [], offers = {} }: HubWireOptions,
  ) {
    const configFile = writeConfig(t, config);
    const all = [serverMain, '--config', configFile, ...args];
    super(t, { command: process.execPath, args: all }, line => this.take(JSON.parse(line)));
    this.era = era;
    this.capabilities = { roots: { listChanged: true }, ...offers };
    this.roots = roots;
    this.configFile = configFile;
    this.endsInPeace(t);
  }

  /** Starts the hub and shakes hands, if that is done in this era. */
  static async start(t: TestContext, options: HubWireOptions): Promise<HubWire> {
    const hub = new HubWire(t, options);
    if (options.era === 'legacy') {
      const { capabilities, clientInfo } = hub;
      const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
      await hub.request('initialize', params);
      hub.send({ method: 'notifications/initialized' });
    }
    return hub;
  }

  send(message: WireMessage): void {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** The answer, after all questions for roots. */
  async request(method: string, params: object = {}): Promise<WireMessage> {
    for (let more = {}; ; ) {
      const answer = await this.answerTo(this.begin(method, { ...params, ...more }));
      const { resultType, inputRequests, requestState } = answer.result ?? {};
      if (resultType !== 'input_required') {
        return answer;
      }
      more = this.answersFor(inputRequests, requestState);
    }
  }

  /** What goes with a request whose questions, all of them for roots, are answered. */
  answersFor(inputRequests: object = {}, requestState?: unknown): object {
    const keys = Object.keys(inputRequests);
    const inputResponses = Object.fromEntries(keys.map(key => [key, this.rootsAnswer]));
    return { inputResponses, ...(requestState !== undefined && { requestState }) };
  }

  /** Sends a request without waiting; answers with its id. */
  begin(method: string, params: object = {}): number {
    this.lastId += 1;
    const id = this.lastId;
    const { _meta } = params as { readonly _meta?: object };
    const meta = { ...this.envelope, ..._meta };
    const whole = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
    this.send({ id, method, params: whole });
    return id;
  }

  answerTo(id: number): Promise<WireMessage> {
    return this.found(`the answer to ${id}`, () => this.answers.get(id));
  }

  /** A call of a tool, exposed or of the hub. */
  call(name: string, args: object = {}, more: object = {}): Promise<WireMessage> {
    return this.request('tools/call', { name, arguments: args, ...more });
  }

  /** Settles when so many notices of a method have come; answers with all of them. */
  noticesOf(method: string, count = 1): Promise<readonly WireMessage[]> {
    return this.found(`${count} × ${method}`, () => {
      const found = this.notices.filter(notice => notice.method === method);
      return found.length < count ? undefined : found;
    });
  }

  private get rootsAnswer(): object {
    return { roots: this.roots.map(folder => rootOf(folder)) };
  }

  private get envelope(): object {
    return this.era === 'legacy'
      ? {}
      : {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': this.clientInfo,
          'io.modelcontextprotocol/clientCapabilities': this.capabilities,
        };
  }

  private take(message: WireMessage): void {
    const { id, method } = message;
    if (method === 'roots/list') {
      this.send({ id, result: this.rootsAnswer });
    } else if (method === undefined) {
      this.answers.set(id, message);
    } else {
      this.notices.push(message);
    }
  }
}

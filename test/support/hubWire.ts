import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { rootOf, serverMain } from './bundledServer.ts';
import { writeConfig } from './hub.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';
import type { Era } from './wire.ts';

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
export class HubWire {
  readonly process: ChildProcess;
  readonly configFile: string;
  /** Everything the hub sent that was neither an answer nor a question for roots. */
  readonly notices: WireMessage[] = [];
  stderr = '';
  private readonly era: Era;
  private readonly roots: readonly string[];
  private readonly capabilities: object;
  private readonly answers = new Map<unknown, Answer>();
  private readonly listening = new Set<() => void>();
  private lastId = 0;

  private constructor(
    t: TestContext,
    { era, config, roots, args = [], offers = {} }: HubWireOptions,
  ) {
    this.era = era;
    this.capabilities = { roots: { listChanged: true }, ...offers };
    this.roots = roots;
    this.configFile = writeConfig(t, config);
    const all = [serverMain, '--config', this.configFile, ...args];
    this.process = spawn(process.execPath, all, { stdio: 'pipe' });
    this.process.stderr?.on('data', text => {
      this.stderr += text;
    });
    createInterface({ input: this.process.stdout! }).on('line', line =>
      this.take(JSON.parse(line)),
    );
    this.process.stdin?.on('error', () => {}); // The end of the process says more.
    const ended = once(this.process, 'close');
    atEnd(t, async () => {
      this.process.stdin?.end();
      await this.inTime(ended, 'its end').finally(() => this.process.kill('SIGKILL'));
    });
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
    this.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
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
    this.answers.set(id, openAnswer());
    this.send({ id, method, params: whole });
    return id;
  }

  answerTo(id: number): Promise<WireMessage> {
    return this.inTime(this.answers.get(id)!.promise, `the answer to ${id}`);
  }

  /** A call of a tool, exposed or of the hub. */
  call(name: string, args: object = {}, more: object = {}): Promise<WireMessage> {
    return this.request('tools/call', { name, arguments: args, ...more });
  }

  /** Settles when so many notices of a method have come; answers with all of them. */
  async noticesOf(method: string, count = 1): Promise<readonly WireMessage[]> {
    const found = () => this.notices.filter(notice => notice.method === method);
    while (found().length < count) {
      const next = new Promise<void>(resolve => this.listening.add(resolve));
      await this.inTime(next, `${count} × ${method}`);
    }
    return found();
  }

  private readonly clientInfo = { name: 'test', version: '1' };

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
      this.answers.get(id)?.resolve(message);
    } else {
      this.notices.push(message);
      const listening = [...this.listening];
      this.listening.clear();
      for (const heard of listening) {
        heard();
      }
    }
  }

  private async inTime<T>(promise: Promise<T>, what: string): Promise<T> {
    const answer = await within(
      promise.then(value => ({ value })),
      patience,
      undefined,
    );
    if (!answer) {
      throw new Error(`Waited in vain for ${what}. The hub has said: ${this.stderr}`);
    }
    return answer.value;
  }
}

interface Answer {
  readonly promise: Promise<WireMessage>;
  readonly resolve: (message: WireMessage) => void;
}

function openAnswer(): Answer {
  let resolve: Answer['resolve'] = () => {};
  const promise = new Promise<WireMessage>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}

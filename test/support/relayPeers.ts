import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterReal } from '../../src/base/clock.ts';
import { judge } from '../../src/domain/gate/gate.ts';
import { Relay, type RelayHost } from '../../src/mcp/link/relay.ts';
import { KnownSecrets } from '../../src/mcp/process/knownSecrets.ts';
import { openWire, type Target } from '../../src/mcp/process/openWire.ts';
import type { ProcessStart } from '../../src/mcp/process/stdio/serverProcess.ts';
import type { Traffic, Wire } from '../../src/mcp/process/wire.ts';
import type { TestRoot } from './bundledServer.ts';
import { LineProcess, type WireMessage } from './lineProcess.ts';
import { atEnd, until } from './processes.ts';
import { testTimes } from './recordingConnection.ts';
import { testOwner } from './testOwner.ts';
import type { Era } from './wire.ts';

/** The client's answers by method: the result, or a function that gives it. */
export type Answers = Readonly<Record<string, object | (() => object)>>;

/** A client that writes a test's messages, and keeps the received ones. */
export class RawClient {
  /** All that came, in its order. */
  readonly received: WireMessage[] = [];
  answers: Answers = {};
  era: Era = 'legacy';
  /** The client's description of itself. */
  clientInfo: object = { name: 'raw', version: '1' };
  capabilities: object = {};
  private readonly write: (line: string) => void;
  private lastId = 0;

  constructor(write: (line: string) => void) {
    this.write = write;
  }

  take(line: string): void {
    const message: WireMessage = JSON.parse(line);
    this.received.push(message);
    const { id, method = '' } = message;
    const answer = this.answers[method];
    if (id !== undefined && answer) {
      this.send({ id, result: typeof answer === 'function' ? answer() : answer });
    }
  }

  send(message: WireMessage): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Sends a line as it is, without its end. */
  sendText(line: string): void {
    this.write(line);
  }

  notify(method: string, params?: object): void {
    this.send({ method, ...(params && { params }) });
  }

  /** Sends a request, and answers with its id. */
  request(method: string, params: object = {}): number {
    this.lastId += 1;
    this.send({ id: this.lastId, method, params: this.declaring(params) });
    return this.lastId;
  }

  /** The response to a request, without the members common to all. */
  async response(id: number | string): Promise<Pick<WireMessage, 'result' | 'error'>> {
    const { result, error } = await this.next(one => one.id === id && one.method === undefined);
    return error ? { error } : { result };
  }

  /** Sends a request and gives its outcome. */
  ask(method: string, params: object = {}) {
    return this.response(this.request(method, params));
  }

  call(name: string, args: object = {}, more: object = {}) {
    return this.ask('tools/call', { name, arguments: args, ...more });
  }

  /** The same, round by round, answering what a modern server asks meanwhile. */
  callInRounds(name: string, args: object = {}, more: object = {}) {
    return this.askInRounds('tools/call', { name, arguments: args, ...more });
  }

  async askInRounds(method: string, params: object = {}) {
    for (let answers = {}; ; ) {
      const answer = await this.ask(method, { ...params, ...answers });
      if (answer.result?.resultType !== 'input_required') {
        return answer;
      }
      const { inputRequests, requestState } = answer.result;
      answers = { inputResponses: this.answersTo(inputRequests), requestState };
    }
  }

  private answersTo(questions: Readonly<Record<string, { readonly method: string }>>): object {
    const all = Object.entries(questions).map(([key, { method }]) => {
      const answer = this.answers[method];
      assert.ok(answer, `It is asked for ${method}.`);
      return [key, typeof answer === 'function' ? answer() : answer];
    });
    return Object.fromEntries(all);
  }

  /** The first message that fits; it stays among the received ones. */
  async next(fits: (message: WireMessage) => boolean): Promise<WireMessage> {
    await until(`a message that ${fits}`, () => this.received.some(fits));
    return this.received.find(fits)!;
  }

  /** The server's requests and notices, without ids. */
  get told(): readonly WireMessage[] {
    return this.received.flatMap(({ method, params }) => (method ? [{ method, params }] : []));
  }

  async initialize(protocolVersion = '2025-11-25') {
    const answer = await this.response(this.beginHandshake(protocolVersion));
    this.notify('notifications/initialized');
    return answer;
  }

  /** Sends the first request of a handshake, and answers with its id. */
  beginHandshake(protocolVersion = '2025-11-25'): number {
    const { capabilities, clientInfo } = this;
    return this.request('initialize', { protocolVersion, capabilities, clientInfo });
  }

  declaring(params: object): object {
    return this.era === 'legacy' ? params : { ...params, _meta: this.meta(params) };
  }

  private meta(params: { readonly _meta?: object }): object {
    return {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': this.clientInfo,
      'io.modelcontextprotocol/clientCapabilities': this.capabilities,
      ...params._meta,
    };
  }
}

/** A client that has started the server itself, over stdio. */
export function directClient(t: TestContext, start: ProcessStart): RawClient {
  const child = new LineProcess(t, start, line => client.take(line));
  const client = new RawClient(line => void child.write(`${line}\n`));
  return client;
}

/** A host of a relay that lets free requests pass. */
type RelayedTerms = Partial<Omit<RelayHost, 'admit'>> & {
  /** Left out: all passes. */
  readonly admit?: (signal: AbortSignal) => Promise<string | undefined> | undefined;
};

/** A client of a relay to a server that is started for it. */
export async function relayedClient(
  t: TestContext,
  target: Target,
  roots: readonly TestRoot[] | undefined,
  { admit, ...host }: RelayedTerms = {},
) {
  const wire = await openedWire(t, target);
  /** All that went over the server's wire. */
  const traffic: Traffic[] = [];
  wire.onDidPass(passed => traffic.push(passed));
  const named = roots?.map(({ uri, name = '' }) => ({ uri, name }));
  const relay = new Relay(wire, named, {
    label: 'label',
    isOfWindow: () => false,
    write: line => client.take(line.toString()),
    lookAgain: () => undefined,
    admit: ({ method, params = {} }, signal) =>
      judge({ method, params }).kind === 'free' ? undefined : admit?.(signal),
    shown: (_, result) => result,
    after: afterReal,
    ...host,
  });
  const client = new RawClient(line => relay.takeFromClient(JSON.parse(line), Buffer.from(line)));
  atEnd(t, () => relay.dispose());
  /** Has these messages come from the server. */
  const serverSays = (...messages: readonly WireMessage[]) => {
    for (const message of messages) {
      wire.take?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage, () => {}, undefined);
    }
  };
  return { client, relay, wire, traffic, serverSays };
}

async function openedWire(t: TestContext, target: Target): Promise<Wire> {
  const wire = openWire(target, testOwner(t), new KnownSecrets([]), testTimes);
  await wire.start();
  atEnd(t, () => wire.close());
  return wire;
}

/** The messages that went to the server. */
export function sentTo(traffic: readonly Traffic[]): readonly WireMessage[] {
  return traffic.flatMap(passed =>
    passed.kind === 'message' && passed.direction === 'to-server'
      ? [passed.message as WireMessage]
      : [],
  );
}

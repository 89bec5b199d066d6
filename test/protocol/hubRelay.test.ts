import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { auditEntries } from '../support/auditLines.ts';
import { type Message, RawSession, rootOf, type ToolResult } from '../support/bundledServer.ts';
import { startHub, writeConfig } from '../support/hub.ts';
import { startHubOverHttp } from '../support/hubOverHttp.ts';
import {
  askingServer,
  configOf,
  everythingServer,
  type HubServer,
  newestServer,
} from '../support/hubServers.ts';
import { atEnd, until } from '../support/processes.ts';
import { RawHttpClient } from '../support/rawHttp.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

type Call = (server: string, tool: string, args?: Record<string, unknown>) => Promise<ToolResult>;

/** A client that answers what it is asked, over one of the ways to the hub. */
interface Way {
  readonly name: string;
  readonly connect: (t: TestContext, config: object, person: Person) => Promise<Call>;
}

/** What the client answers with, and how often it was asked. */
interface Person {
  readonly answer: Record<string, unknown>;
  readonly asked: string[];
}

const capabilities = { elicitation: {}, sampling: {} };
const accepted = { action: 'accept', content: { name: 'Ada' } };
const poem = { role: 'assistant', content: { type: 'text', text: 'Roses' }, model: 'm' };

const ways: readonly Way[] = [
  overStdio('legacy'),
  overStdio('modern'),
  {
    name: 'a modern client over HTTP',
    connect: async (t, config, person) => {
      const url = await startHubOverHttp(t, config);
      const client = new Client(
        { name: 'test', version: '1' },
        {
          capabilities: { ...capabilities, roots: {} },
          versionNegotiation: { mode: { pin: '2026-07-28' } },
        },
      );
      const root = rootOf(tempFolder(t));
      client.setRequestHandler('roots/list', () => ({ roots: [root] }));
      answerWith(client, person);
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      atEnd(t, () => client.close());
      return async (serverName, toolName, toolArgs = {}) => {
        const args = { serverName, toolName, toolArgs };
        return (await client.callTool({ name: 'call-tool', arguments: args })) as ToolResult;
      };
    },
  },
];

for (const { name, connect } of ways) {
  describe(`what a server asks during a call, of ${name}`, { concurrency: 2 }, () => {
    test('is answered by the client, round by round and side by side', async t => {
      const person = { answer: accepted, asked: [] };
      const call = await connect(t, configOf({ asking: askingServer(t) }), person);
      const rounds = [['name'], ['name', 'poem', 'name'], ['poem']];
      const answers = rounds.map(round => round.map(each => (each === 'name' ? accepted : poem)));
      deepEqual(told(await call('asking', 'ask', { rounds })), answers);
      deepEqual(person.asked, ['name', 'name', 'name', 'poem', 'poem']);
      deepEqual(told(await call('asking', 'ask', { rounds: [] })), []);
    });

    test('is declined and cancelled as the person says', async t => {
      for (const action of ['decline', 'cancel']) {
        const person = { answer: { action }, asked: [] };
        const call = await connect(t, configOf({ asking: askingServer(t) }), person);
        deepEqual(told(await call('asking', 'ask', { rounds: [['name']] })), [[{ action }]]);
      }
    });

    test('goes through for the reference server', async t => {
      const call = await connect(t, configOf({ every: everythingServer(t) }), {
        answer: accepted,
        asked: [],
      });
      const elicited = await call('every', 'trigger-elicitation-request');
      match(JSON.stringify(elicited.content), /Ada/);
      const sampled = await call('every', 'trigger-sampling-request', { prompt: 'A poem' });
      match(JSON.stringify(sampled.content), /Roses/);
    });

    test('may be asked by a server of the newest revision beside its question for roots', async t => {
      const call = await connect(t, configOf({ newest: newestServer(t) }), {
        answer: accepted,
        asked: [],
      });
      const { name, roots } = told(await call('newest', 'who-and-where')) as {
        readonly [key: string]: { readonly roots?: readonly unknown[] };
      };
      deepEqual(name, accepted);
      equal(roots?.roots?.length, 1);
    });
  });
}

test('calls of one modern client with other roots have servers of their own, started once', async t => {
  const child = askingServer(t);
  const { session, send } = modernHub(t, child);
  const ids = ['one', 'two', 'three', 'one', 'two'].map(name =>
    send({ rounds: [] }, { roots: [name] }),
  );
  for (const id of ids) {
    const { result } = await session.answerTo(id);
    deepEqual(told(result as ToolResult), []);
  }
  equal(child.recorded.pids().length, 3);
});

describe('a call that is held for a modern client', { concurrency: 2 }, () => {
  test('is gone on with by its name alone, once, and by the same call', async t => {
    const { session, folder, call } = modernHub(t, askingServer(t));
    const args = { rounds: [['name'], ['poem']], path: join(folder, 'a') };
    const first = await call(args);
    const { inputRequests, requestState } = first;
    deepEqual(Object.keys(inputRequests ?? {}), ['server.1', 'roots']);
    match(String(requestState), /^held:[0-9a-f-]{36}$/);
    const answers = { 'server.1': accepted };
    const others: readonly [Record<string, unknown>, RegExp][] = [
      [{ ...args, path: join(folder, 'b') }, /another call/],
      [{ rounds: args.rounds }, /another call/],
    ];
    for (const [other, reason] of others) {
      isRefused(await call(other, { requestState, answers }), reason);
    }
    isRefused(await call(args, { requestState: 'held:x', answers }), /has ended/);
    const second = await call(args, { requestState, answers });
    deepEqual(Object.keys(second.inputRequests ?? {}), ['server.2', 'roots']);
    notEqual(second.requestState, requestState);
    isRefused(await call(args, { requestState, answers }), /has ended/);
    const { requestState: last } = second;
    const third = await call(args, { requestState: last, answers: { 'server.2': poem } });
    deepEqual(told(third), [[accepted], [poem]]);
    ok(!session.stderr.includes('held:'));
  });

  test('fails for the server alone where the client leaves answers out', async t => {
    const { call } = modernHub(t, askingServer(t));
    const args = { rounds: [['name']] };
    const { requestState } = await call(args);
    const result = await call(args, { requestState, answers: { 'server.9': accepted } });
    deepEqual(told(result), [['MCP error -32603: The client has not answered.']]);
  });

  test('is not sent to the server again, and tells how far it is in whichever round is open', async t => {
    const child = askingServer(t);
    const { session, call } = modernHub(t, child);
    const args = { rounds: [['name'], ['name']] };
    const first = await call(args, { progressToken: 'one' });
    const answers = { 'server.1': accepted };
    const { requestState } = first;
    const second = await call(args, { requestState, answers, progressToken: 'two' });
    const { params } = await session.next(isProgress);
    deepEqual([params?.['progressToken'], params?.['progress']], ['two', 1]);
    const last = { requestState: second.requestState, answers: { 'server.2': accepted } };
    deepEqual(told(await call(args, { ...last, progressToken: 'three' })), [
      [accepted],
      [accepted],
    ]);
    equal((await session.next(isProgress)).params?.['progressToken'], 'three');
    equal(child.heard().length, 1);
  });

  test('ends when the round is called off that is open, and not with one that is over', async t => {
    const child = askingServer(t);
    const { session, call, send } = modernHub(t, child);
    const args = { rounds: [['name'], ['for ever']] };
    const { requestState } = await call(args, { progressToken: 'one' });
    // The request is over: this is about nothing.
    session.send(cancellation(1));
    const answers = { 'server.1': accepted };
    const id = send(args, { requestState, answers, progressToken: 'two' });
    equal((await session.next(isProgress)).params?.['progressToken'], 'two');
    equal(child.recorded.count('notifications/cancelled'), 0);
    session.send(cancellation(id));
    await until('the child is told', () => child.recorded.count('notifications/cancelled') === 1);
  });

  test('goes on with more roots than it began with, and ends with fewer', async t => {
    const child = askingServer(t);
    const { folder, call } = modernHub(t, child);
    const args = { rounds: [['name']], path: join(folder, 'one') };
    const answers = { 'server.1': accepted };
    const first = await call(args, { roots: ['one', 'two'] });
    const more = { requestState: first.requestState, answers, roots: ['one', 'two', 'three'] };
    deepEqual(told(await call(args, more)), [[accepted]]);
    const { requestState } = await call(args, { roots: ['one', 'two'] });
    isRefused(await call(args, { requestState, answers, roots: ['one'] }), /is no longer/);
    await until('the child is told', () => child.recorded.count('notifications/cancelled') === 1);
    isRefused(await call(args, { requestState, answers, roots: ['one', 'two'] }), /has ended/);
  });

  test('ends when its arguments lead outside by now; the audit has one verdict for the call', async t => {
    const child = askingServer(t);
    const { folder, call, audited } = modernHub(t, child);
    const path = join(folder, 'one', 'a');
    const args = { rounds: [['name']], path };
    const { requestState } = await call(args, { roots: ['one'] });
    rmSync(path);
    symlinkSync(join(folder, 'two', 'a'), path);
    const round = { requestState, answers: { 'server.1': accepted }, roots: ['one'] };
    isRefused(await call({ rounds: [] }, round), /another call/);
    isRefused(await call(args, round), /^Access denied/);
    await until('the child is told', () => child.recorded.count('notifications/cancelled') === 1);
    ok(!child.recorded.bytes().includes('Access denied'));
    isRefused(await call(args, round), /has ended/);
    deepEqual(audited(), ['allowed', 'round-refused', 'round-refused', 'round-refused']);
  });

  test('has one verdict, however many rounds it takes', async t => {
    const { call, audited } = modernHub(t, askingServer(t));
    const args = { rounds: [['name'], ['name']] };
    const first = await call(args);
    const answers = { 'server.1': accepted };
    const second = await call(args, { requestState: first.requestState, answers });
    const last = { requestState: second.requestState, answers: { 'server.2': accepted } };
    deepEqual(told(await call(args, last)), [[accepted], [accepted]]);
    deepEqual(audited(), ['allowed']);
  });

  test('is gone on with in its own servers when the roots of other calls are others', async t => {
    const child = askingServer(t);
    const { call } = modernHub(t, child);
    const args = { rounds: [['name']] };
    const first = await call(args, { roots: ['one'] });
    deepEqual(told(await call({ rounds: [] }, { roots: ['two'] })), []);
    const more = { requestState: first.requestState, answers: { 'server.1': accepted } };
    deepEqual(told(await call(args, { ...more, roots: ['one'] })), [[accepted]]);
    equal(child.recorded.pids().length, 2);
  });

  test('is not over where the roots have to be asked for once more', async t => {
    const { session, call, folder } = modernHub(t, askingServer(t));
    const args = { rounds: [['name']] };
    const { requestState } = await call(args);
    session.send(roundRequest(900, args, { requestState, answers: {} }, { roots: {} }));
    const { result } = (await session.answerTo(900)) as { readonly result: RoundResult };
    deepEqual(Object.keys(result.inputRequests ?? {}), ['roots']);
    equal(result.requestState, requestState);
    const answers = { roots: { roots: [rootOf(folder)] }, 'server.1': accepted };
    session.send(roundRequest(901, args, { requestState, answers }, { roots: {} }));
    const last = (await session.answerTo(901)) as { readonly result: ToolResult };
    deepEqual(told(last.result), [[accepted]]);
  });

  test('is gone on with over HTTP by the server that it was begun by', async t => {
    const asking = askingServer(t);
    const definition = { ...asking.definition, autoStart: true };
    const config = configOf({ asking: { ...asking, definition } });
    const url = await startHubOverHttp(t, config, '--root', tempFolder(t));
    const client = new RawHttpClient(url, {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'call-tool',
    });
    const args = { rounds: [['name']] };
    const first = await client.post(roundRequest(1, args, {}));
    const { result } = (await first.next()) as { readonly result: RoundResult };
    const { requestState } = result;
    const more = { requestState, answers: { 'server.1': accepted } };
    const second = await (await client.post(roundRequest(2, args, more))).next();
    deepEqual(told(second?.result as ToolResult), [[accepted]]);
    equal(asking.recorded.pids().length, 1);
    // The next one is another's, as far as anybody can tell.
    await (await client.post(roundRequest(3, args, {}))).next();
    equal(asking.recorded.pids().length, 2);
  });

  test('ends over HTTP when the client leaves in the middle of a round', async t => {
    const child = askingServer(t);
    const url = await startHubOverHttp(t, configOf({ asking: child }), '--root', tempFolder(t));
    const client = new RawHttpClient(url, {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'call-tool',
    });
    const args = { rounds: [['name'], ['for ever']] };
    const first = await client.post(roundRequest(1, args, { progressToken: 'one' }));
    const { result } = (await first.next()) as { readonly result: RoundResult };
    const { requestState } = result;
    const answers = { 'server.1': accepted };
    const more = { requestState, answers, progressToken: 'two' };
    const second = await client.post(roundRequest(2, args, more));
    equal((await second.next())?.params?.['progressToken'], 'two');
    second.leave();
    await until('the child is told', () => child.recorded.count('notifications/cancelled') === 1);
  });
});

/** One round of a call as it goes over the wire. */
interface Round {
  readonly requestState?: unknown;
  readonly answers?: Record<string, unknown>;
  readonly progressToken?: string;
  /** The folders that the client shares in this round, below that of the test. */
  readonly roots?: readonly string[];
}

type RoundResult = NonNullable<Message['result']> & {
  readonly inputRequests?: Record<string, unknown>;
  readonly requestState?: unknown;
};

/** A hub with one server, and a client that sends each round by hand. */
function modernHub(t: TestContext, server: HubServer) {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/a': '', 'two/a': '', 'three/a': '' });
  const audit = join(folder, 'audit.jsonl');
  const config = writeConfig(t, configOf({ asking: server }));
  const session = new RawSession(t, ['--config', config, '--audit', audit]);
  atEnd(t, async () => {
    session.process.stdin?.end();
    await session.exited;
  });
  let lastId = 0;
  const send = (toolArgs: object, { roots = ['.'], answers, ...round }: Round = {}) => {
    lastId += 1;
    const served = { roots: roots.map(name => rootOf(join(folder, name))) };
    const all = { roots: served, ...answers };
    session.send(roundRequest(lastId, toolArgs, { ...round, answers: all }, { roots: {} }));
    return lastId;
  };
  const call = async (toolArgs: object, round?: Round) => {
    const { result, error } = await session.answerTo(send(toolArgs, round));
    ok(result, JSON.stringify(error));
    return result as RoundResult;
  };
  /** The verdicts, and what else was said of calls. */
  const audited = () =>
    auditEntries(audit).flatMap(({ event, verdict }) =>
      event === 'round-refused' ? event : (verdict ?? []),
    );
  return { session, folder, call, send, audited };
}

/** A call of the tool `ask`, by a client of the newest revision. */
function roundRequest(
  id: number,
  toolArgs: object,
  { requestState, answers, progressToken }: Omit<Round, 'roots'>,
  more: object = {},
): object {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { ...capabilities, ...more },
    ...(progressToken !== undefined && { progressToken }),
  };
  const params = {
    name: 'call-tool',
    arguments: { serverName: 'asking', toolName: 'ask', toolArgs },
    ...(answers && { inputResponses: answers }),
    ...(requestState !== undefined && { requestState }),
    _meta,
  };
  return { id, method: 'tools/call', params };
}

function isProgress({ method }: Message): boolean {
  return method === 'notifications/progress';
}

function cancellation(requestId: number): object {
  return { method: 'notifications/cancelled', params: { requestId } };
}

function overStdio(era: 'legacy' | 'modern'): Way {
  return {
    name: `a ${era} client over stdio`,
    connect: async (t, config, person) => {
      const roots = [tempFolder(t)];
      const hub = await startHub(t, { era, config, roots, capabilities });
      answerWith(hub.client, person);
      return hub.call;
    },
  };
}

function answerWith(client: Client, { answer, asked }: Person): void {
  client.setRequestHandler('elicitation/create', () => {
    asked.push('name');
    asked.sort();
    return answer as { action: 'accept' };
  });
  client.setRequestHandler('sampling/createMessage', () => {
    asked.push('poem');
    asked.sort();
    return poem as never;
  });
}

function told({ content }: ToolResult): unknown {
  return JSON.parse(content?.[0]?.text ?? 'null');
}

function isRefused({ isError, content }: ToolResult, reason: RegExp): void {
  equal(isError, true);
  match(content[0]?.text ?? '', reason);
}

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { auditEntries } from '../support/auditLines.ts';
import { rootOf, type ToolResult } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { askingServer, configOf, type HubServer, newestServer } from '../support/hubServers.ts';
import { HubWire } from '../support/hubWire.ts';
import { until } from '../support/processes.ts';
import { skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

/** The questions during a call that a client declares. */
const capabilities = { elicitation: {}, sampling: {} };
/** Its answer to the question for a name. */
const accepted = { action: 'accept' as const, content: { name: 'Ada' } };
/** And when it is asked for a poem. */
const content = { type: 'text' as const, text: 'Roses' };
const poem = { role: 'assistant' as const, content, model: 'm' };

test('what a server asks during a call', async t => {
  const config = configOf({ asking: askingServer(t), newest: newestServer(t) });
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)], capabilities });
  const asked: string[] = [];
  hub.client.setRequestHandler('elicitation/create', () => {
    asked.push('name');
    return accepted;
  });
  hub.client.setRequestHandler('sampling/createMessage', () => {
    asked.push('poem');
    return poem;
  });

  await t.test('is answered by the client, round by round and side by side', async () => {
    const rounds = [['name'], ['name', 'poem', 'name'], ['poem']];
    const answers = rounds.map(round => round.map(each => (each === 'name' ? accepted : poem)));
    deepEqual(told(await hub.call('asking', 'ask', { rounds })), answers);
    deepEqual(asked.sort(), ['name', 'name', 'name', 'poem', 'poem']);
    deepEqual(told(await hub.call('asking', 'ask', { rounds: [] })), []);
  });

  await t.test('can come together with a question for roots', async () => {
    const { name, roots } = told(await hub.call('newest', 'who-and-where')) as {
      readonly [key: string]: { readonly roots?: readonly unknown[] };
    };
    deepEqual(name, accepted);
    equal(roots?.roots?.length, 1);
  });
});

describe('a suspended call of a modern client', { concurrency: 2 }, () => {
  test('is sent to the server once, and reports progress in every round', async t => {
    const child = askingServer(t);
    const { client, call, audited, progressOf } = await modernHub(t, child);
    const args = { rounds: [['name'], ['name']] };
    const { inputRequests, requestState } = await call(args, { progressToken: 'one' });
    deepEqual(Object.keys(inputRequests), ['server.1', 'roots']);
    match(requestState, /^[0-9a-f-]{36}$/);
    const answers = { 'server.1': accepted };
    const second = await call(args, { requestState, answers, progressToken: 'two' });
    isRefused(await call(args, { requestState, answers }), /has ended/);
    equal(await progressOf('two'), 1);
    const last = { requestState: second.requestState, answers: { 'server.2': accepted } };
    const answer = await call(args, { ...last, progressToken: 'three' });
    deepEqual(told(answer), [[accepted], [accepted]]);
    await progressOf('three');
    equal(child.heard().length, 1);
    // The call has one verdict, whatever the number of rounds.
    deepEqual(audited(), ['allowed', 'round-refused']);
    ok(!client.hub.stderr.includes(requestState));
  });

  test('goes on with more roots than at its start, and ends with fewer', async t => {
    const child = askingServer(t);
    const { folder, call } = await modernHub(t, child);
    const args = { rounds: [['name']], path: join(folder, 'one') };
    const answers = { 'server.1': accepted };
    const first = await call(args, { roots: ['one', 'two'] });
    const more = { requestState: first.requestState, answers, roots: ['one', 'two', 'three'] };
    deepEqual(told(await call(args, more)), [[accepted]]);
    const { requestState } = await call(args, { roots: ['one', 'two'] });
    isRefused(await call(args, { requestState, answers, roots: ['one'] }), /stopped sharing/);
    await until('the child is told', () => child.recorded.count('notifications/cancelled') === 1);
    isRefused(await call(args, { requestState, answers, roots: ['one', 'two'] }), /has ended/);
  });

  test('ends when its arguments now lead outside, with one verdict in the audit', {
    skip: skipLinks,
  }, async t => {
    const child = askingServer(t);
    const { folder, call, audited } = await modernHub(t, child);
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

  test('says that it ended when the roots of another call end its server', async t => {
    const child = askingServer(t);
    const { call } = await modernHub(t, child);
    const args = { rounds: [['name']] };
    const first = await call(args, { roots: ['one'] });
    deepEqual(told(await call({ rounds: [] }, { roots: ['two'] })), []);
    const more = { requestState: first.requestState, answers: { 'server.1': accepted } };
    isRefused(
      await call(args, { ...more, roots: ['one'] }),
      /ended, because the roots have changed/,
    );
    equal(child.recorded.pids().length, 2);
  });

  test('goes on after another question for roots', async t => {
    const { call } = await modernHub(t, askingServer(t));
    const args = { rounds: [['name']] };
    const { requestState } = await call(args);
    const again = await call(args, { requestState, roots: 'untold' });
    deepEqual([Object.keys(again.inputRequests), again.requestState], [['roots'], requestState]);
    deepEqual(told(await call(args, { requestState, answers: { 'server.1': accepted } })), [
      [accepted],
    ]);
  });
});

/** One round of a call. */
interface Round {
  readonly requestState?: unknown;
  readonly answers?: Record<string, unknown>;
  readonly progressToken?: string;
  /** The client's folders in this round, below the test's; left out: the test's folder. */
  readonly roots?: readonly string[] | 'untold';
}

/** A hub with one server, and a modern client that sends each round by hand. */
async function modernHub(t: TestContext, server: HubServer) {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/a': '', 'two/a': '', 'three/a': '' });
  const audit = join(folder, 'audit.jsonl');
  const client = await HubWire.start(t, {
    era: 'modern',
    config: configOf({ asking: server }),
    roots: [],
    args: ['--audit', audit],
    offers: capabilities,
  });
  /** One round of a call of the tool `ask`; gives the client's result or next question. */
  const call = async (toolArgs: object, round: Round = {}) => {
    const { roots = ['.'], answers, progressToken, ...state } = round;
    const served = roots !== 'untold' && {
      roots: { roots: roots.map(name => rootOf(join(folder, name))) },
    };
    const { result, error } = await client.call(
      'call-tool',
      { serverName: 'asking', toolName: 'ask', toolArgs },
      { ...state, inputResponses: { ...served, ...answers }, _meta: { progressToken } },
    );
    ok(result, JSON.stringify(error));
    return result;
  };
  /** The verdicts, and other entries about calls. */
  const audited = () =>
    auditEntries(audit).flatMap(({ event, verdict }) =>
      event === 'round-refused' ? event : (verdict ?? []),
    );
  /** Settles when the client gets progress with this token. */
  const progressOf = async (token: string) => {
    const { params } = await client.next(({ params }) => params?.progressToken === token);
    return params.progress;
  };
  return { client, folder, call, audited, progressOf };
}

/** The answers that the tool `ask` got, a list for each round. */
function told({ content }: ToolResult): unknown {
  return JSON.parse(content?.[0]?.text ?? 'null');
}

function isRefused({ isError, content }: ToolResult, reason: RegExp): void {
  equal(isError, true);
  match(content[0]?.text ?? '', reason);
}

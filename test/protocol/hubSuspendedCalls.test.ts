import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Message, rootOf, type ToolResult } from '../support/bundledServer.ts';
import { accepted, modernHub, type RoundResult, roundRequest, told } from '../support/hubRounds.ts';
import { askingServer } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { skipLinks } from '../support/systems.ts';

test('calls of one modern client with other roots wait for those before, and then for none', async t => {
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
  test('is not sent to the server again, and tells how far it is in whichever round is open', async t => {
    const child = askingServer(t);
    const { session, call, audited } = modernHub(t, child);
    const args = { rounds: [['name'], ['name']] };
    const { inputRequests, requestState } = await call(args, { progressToken: 'one' });
    deepEqual(Object.keys(inputRequests ?? {}), ['server.1', 'roots']);
    match(String(requestState), /^[0-9a-f-]{36}$/);
    const answers = { 'server.1': accepted };
    const second = await call(args, { requestState, answers, progressToken: 'two' });
    isRefused(await call(args, { requestState, answers }), /has ended/);
    const { params } = await session.next(isProgress);
    deepEqual([params?.['progressToken'], params?.['progress']], ['two', 1]);
    const last = { requestState: second.requestState, answers: { 'server.2': accepted } };
    deepEqual(told(await call(args, { ...last, progressToken: 'three' })), [
      [accepted],
      [accepted],
    ]);
    equal((await session.next(isProgress)).params?.['progressToken'], 'three');
    equal(child.heard().length, 1);
    // It has one verdict, however many rounds it takes.
    deepEqual(audited(), ['allowed', 'round-refused']);
    ok(!session.stderr.includes(String(requestState)));
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

  test('ends when its arguments lead outside by now; the audit has one verdict for the call', {
    skip: skipLinks,
  }, async t => {
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

  test('ends with its server when another call names roots that end that, and says so', async t => {
    const child = askingServer(t);
    const { call } = modernHub(t, child);
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
});

function isProgress({ method }: Message): boolean {
  return method === 'notifications/progress';
}

function isRefused({ isError, content }: ToolResult, reason: RegExp): void {
  equal(isError, true);
  match(content[0]?.text ?? '', reason);
}

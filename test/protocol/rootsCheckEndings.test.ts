import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/processes.ts';
import { testTimes } from '../support/recordingConnection.ts';
import {
  type RawServerOptions,
  type RecordingServer,
  rawServer,
} from '../support/recordingServer.ts';
import { findingsOf, hasty, homemade, rootsCheck } from '../support/rootsCheck.ts';

test('what was found before a server died is kept, with its end', async t => {
  const { check } = rootsCheck(t, homemade('dies-in-calls'), hasty);
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: undefined,
    called: ['read'],
    cutShort: 'ended',
  });
});

test('a server that dies at its start is a failure with its last words', async t => {
  const server = rawServer(t, { dies: 'at-start' });
  const { check } = rootsCheck(t, () => server.start);
  const outcome = await check.run();
  assert.equal(outcome.kind, 'failed');
  const failure = outcome.kind === 'failed' && outcome.failure;
  assert.equal(
    failure && failure.kind === 'ended' && failure.end.stderr.at(-1),
    'no such option: --fast',
  );
});

const stuck: readonly (readonly [string, RawServerOptions])[] = [
  ['a server that answers nothing', { isMute: true, isStubborn: true }],
  ['a stubborn server with a process of its own', { isStubborn: true, leavesGrandchild: true }],
];
const hasLeft = (server: RecordingServer, { leavesGrandchild }: RawServerOptions) =>
  server.grandchildren().length === (leavesGrandchild ? 1 : 0);
const shortGrace = { ...testTimes, stop: { end: 100, terminate: 100 } };

for (const [what, options] of stuck) {
  test(`${what} is ended when the check is cancelled, and nothing of it is left`, async t => {
    const server = rawServer(t, options);
    const { check } = rootsCheck(t, () => server.start, { connection: shortGrace });
    const running = check.run();
    await until('it runs', () => server.pids().length === 1);
    await until('it has what it leaves', () => hasLeft(server, options));
    check.cancel();
    assert.deepEqual(await running, { kind: 'cancelled' });
  });
}

test('a server that answers nothing is ended when the time of a start is over', async t => {
  const server = rawServer(t, { isMute: true, isStubborn: true });
  const { check } = rootsCheck(t, () => server.start, {
    connection: { ...shortGrace, handshake: 500 },
  });
  assert.deepEqual(await check.run(), {
    kind: 'failed',
    failure: { kind: 'silent', seconds: 0.5 },
  });
});

test('what was found before the time was over is kept, and a stubborn server is ended', async t => {
  const server = rawServer(t, { asks: 'never', isStubborn: true, leavesGrandchild: true });
  const { check, pids } = rootsCheck(t, () => server.start, {
    whole: 3000,
    connection: shortGrace,
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const running = check.run();
  await until('it runs', () => pids.length === 1);
  t.mock.timers.tick(3000);
  const clock = setInterval(() => t.mock.timers.tick(100), 1);
  const outcome = await running.finally(() => clearInterval(clock));
  assert.deepEqual(findingsOf(outcome), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: undefined,
    called: [],
    cutShort: 'time',
  });
});

test('a check that is killed leaves no folder, at once, and no process', async t => {
  const server = rawServer(t, { isStubborn: true });
  const { check, folders } = rootsCheck(t, () => server.start, { connection: shortGrace });
  const running = check.run();
  await until('it runs', () => server.pids().length === 1);
  check.kill();
  assert.equal(existsSync(dirname(folders[0]!)), false);
  assert.deepEqual(await running, { kind: 'cancelled' });
});

test('a check that may not start leaves nothing and says why', async t => {
  const reason = new Error('Its working directory is missing.');
  const { check } = rootsCheck(t, () => {
    throw reason;
  });
  await assert.rejects(check.run(), reason);
});

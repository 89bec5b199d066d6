import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sentence } from '../../src/domain/sentence.ts';
import { isSoak } from '../support/effort.ts';
import { legacyServer, modernServer, programStart, rawServer } from '../support/recordingServer.ts';
import { findingsOf, hasty, homemade, rootsCheck } from '../support/rootsCheck.ts';
import { tempFolder } from '../support/temp.ts';

test('a server that never asks is found to never ask, and is told of throw-away folders only', async t => {
  const server = rawServer(t, { asks: 'never' });
  const { check } = rootsCheck(t, () => server.start, hasty);
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: undefined,
    asksAgain: false,
    called: [],
    ...{ outside: undefined, added: undefined, withdrawn: undefined },
  });
  assert.equal(server.count('notifications/roots/list_changed'), 1);
  assert.doesNotMatch(server.bytes(), /file:/);
});

test('a server of the older SDK is told of the first folder, then of the second', async t => {
  const server = legacyServer(t);
  const { check, folders } = rootsCheck(t, () => server.start);
  const findings = findingsOf(await check.run());
  assert.deepEqual([findings.firstAsked, findings.asksAgain], [sentence('at its start'), true]);
  const told = server
    .messages()
    .flatMap(({ result }) => (result as { roots?: { uri: string }[] } | undefined)?.roots ?? [])
    .map(({ uri }) => fileURLToPath(uri));
  assert.deepEqual(told.map(dirname), [dirname(folders[0]!), dirname(folders[0]!)]);
  assert.equal(told[0], folders[0]);
  assert.notEqual(told[1], folders[0]);
  const capabilities = server
    .messages()
    .filter(({ method }) => method === 'initialize')
    .map(({ params }) => (params as { capabilities: object }).capabilities);
  assert.deepEqual(capabilities, [{ roots: { listChanged: true } }]);
});

test('no tool is called that is not sure to change nothing, and then nothing can be told of a modern server', async t => {
  const server = modernServer(t);
  const { check } = rootsCheck(t, () => server.start, hasty);
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: undefined,
    called: [],
  });
  assert.equal(server.count('tools/call'), 0);
});

test('a server that reads what it was never told of is found to', async t => {
  const { check } = rootsCheck(t, homemade('reads-everything'), hasty);
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: undefined,
    asksAgain: false,
    called: ['read'],
    ...{ outside: true, added: true, withdrawn: true },
  });
});

test('a server that asks inside its calls, in the older way, is found to', async t => {
  const { check } = rootsCheck(t, homemade('asks-in-calls'), hasty);
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: sentence('in a call of {0}', 'read'),
    asksAgain: true,
    called: ['read'],
    ...{ outside: false, added: true, withdrawn: false },
  });
});

test('an echo of the path, and an error that holds the text, are no reading', async t => {
  for (const behavior of isSoak
    ? (['echoes', 'leaks-in-errors'] as const)
    : (['leaks-in-errors'] as const)) {
    const { check } = rootsCheck(t, homemade(behavior), hasty);
    const { called, outside, added } = findingsOf(await check.run());
    assert.deepEqual([called, outside, added], [['read'], undefined, undefined]);
  }
});

test('a tool that answers nothing is given up, and nothing is told of what it reads', async t => {
  const { check } = rootsCheck(t, homemade('hangs-in-calls'), hasty);
  // For the calls alone: the list of the tools is waited for as long as it takes.
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, 'timeout', () => timeout(200));
  const { called, outside, cutShort } = findingsOf(await check.run());
  assert.deepEqual([called, outside, cutShort], [['read'], undefined, undefined]);
});

test('the server works in the first throw-away folder, in which there is one file that says why', async t => {
  let seen: readonly string[] = [];
  const { check } = rootsCheck(
    t,
    ([folder]) => {
      seen = readdirSync(folder!);
      return programStart(folder!, join(tempFolder(t), 'no-such-program.js'));
    },
    hasty,
  );
  assert.equal((await check.run()).kind, 'failed');
  assert.match(seen.join(), /^note\.txt$/);
});

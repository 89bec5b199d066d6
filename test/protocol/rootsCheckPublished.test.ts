import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../src/domain/sentence.ts';
import { serverMain } from '../support/bundledServer.ts';
import { packaged } from '../support/hubServers.ts';
import { findingsOf, hasty, inFirstFolder, rootsCheck } from '../support/rootsCheck.ts';

const published = (name: string) => inFirstFolder(packaged(name));

test('server-filesystem asks at its start and after a change, and keeps to each list', async t => {
  const { check } = rootsCheck(t, published('@modelcontextprotocol/server-filesystem'));
  const { called, ...findings } = findingsOf(await check.run());
  // One of several that read, since it may be called before the server is ready with its roots.
  assert.ok(called.includes('read_file'), called.join());
  assert.ok(!called.some(name => /write|edit|move|create/.test(name)), called.join());
  assert.deepEqual(findings, {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: sentence('at its start'),
    ...{ outside: false, added: true, withdrawn: false, asksAgain: true },
  });
});

test('server-filesystem-2 does not ask in the latest revision, and reads nothing', async t => {
  const { check } = rootsCheck(t, published('server-filesystem-2'), hasty);
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read_file'), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: undefined,
  });
});

test('server-filesystem-2 asks when it is spoken to in an older revision, and keeps to each list', async t => {
  const { check } = rootsCheck(t, published('server-filesystem-2'), {}, 'legacy');
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read_file'), called.join());
  assert.deepEqual(findings, {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: sentence('at its start'),
    ...{ outside: false, added: true, withdrawn: false, asksAgain: true },
  });
});

test('our own server asks inside its calls and keeps to each list', async t => {
  const { check } = rootsCheck(t, inFirstFolder(serverMain));
  const { called, firstAsked, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file'), called.join());
  assert.deepEqual(firstAsked, sentence('in a call of {0}', called[0]!));
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    ...{ outside: false, added: true, withdrawn: false, asksAgain: true },
  });
});

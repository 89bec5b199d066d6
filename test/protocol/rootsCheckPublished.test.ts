import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packaged } from '../support/hubServers.ts';
import { findingsOf, hasty, inFirstFolder, rootsCheck } from '../support/rootsCheck.ts';

const published = (name: string) => inFirstFolder(packaged(name));
const legacy = { era: 'legacy', protocolVersion: '2025-11-25', firstAsked: { kind: 'start' } };
const keepsToIt = { outside: false, added: true, withdrawn: false, asksAgain: true };

test('server-filesystem asks at its start and after each change, and keeps its folders when told of none', async t => {
  // What it keeps it is waited for in vain to give up.
  const { check } = rootsCheck(t, published('@modelcontextprotocol/server-filesystem'), {
    times: { settle: 3000 },
  });
  const { called, ...findings } = findingsOf(await check.run());
  // One of several that read, since it may be called before the server is ready with its roots.
  assert.ok(called.includes('read_file'), called.join());
  assert.ok(!called.some(name => /write|edit|move|create/.test(name)), called.join());
  assert.deepEqual(findings, { ...legacy, ...keepsToIt, emptied: true });
});

test('its successor gives its folders up when told of none, in the older revisions', async t => {
  const { check } = rootsCheck(t, published('server-filesystem-2'), { protocol: 'legacy' });
  assert.deepEqual(findingsOf(await check.run()), {
    ...legacy,
    ...keepsToIt,
    called: ['read_file'],
    emptied: false,
  });
});

test('its successor does not ask in the latest revision, and reads nothing', async t => {
  const { check } = rootsCheck(t, published('server-filesystem-2'), { times: hasty });
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read_file'), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'never' },
  });
});

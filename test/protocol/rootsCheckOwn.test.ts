import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverMain } from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import { findingsOf, inFirstFolder, rootsCheck } from '../support/rootsCheck.ts';

const bundled = inFirstFolder(serverMain);

const ours = {
  asksAgain: true,
  reading: {
    tool: 'read-file',
    outside: 'refused',
    added: 'served',
    withdrawn: 'refused',
    emptied: 'refused',
  },
  naming: {
    tool: 'get-roots',
    outside: 'refused',
    added: 'served',
    withdrawn: 'refused',
    emptied: 'refused',
  },
  startsWithoutRoots: true,
  cutShort: undefined,
  sandbox: undefined,
};

test('our own server of the later revision asks inside its calls and keeps to each list', async t => {
  const { check } = rootsCheck(t, bundled);
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file') && called.includes('get-roots'), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'call', tool: 'check-path' },
    ...ours,
  });
});

test('our own server of the older revisions asks at its start and keeps to each list', async t => {
  const { check } = rootsCheck(t, bundled, { protocol: 'legacy' });
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file'), called.join());
  assert.deepEqual(findings, {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    ...ours,
  });
});

test('our own server over HTTP is found to be the same', async t => {
  const { url } = await startService(t);
  const { check } = rootsCheck(t, () => ({ url, headers: {} }));
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file'), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'call', tool: 'check-path' },
    ...ours,
  });
});

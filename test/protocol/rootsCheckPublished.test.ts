import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../src/domain/sentence.ts';
import { packaged } from '../support/hubServers.ts';
import { patience } from '../support/patience.ts';
import { findingsOf, hasty, inFirstFolder, rootsCheck } from '../support/rootsCheck.ts';

const published = (name: string) => inFirstFolder(packaged(name));
const filesystemSees = { outside: 'refused', added: 'served', withdrawn: 'refused' };

test('server-filesystem asks at its start and after each change, and keeps its folders when told of none', async t => {
  const { check, times } = rootsCheck(t, published('@modelcontextprotocol/server-filesystem'));
  check.onDidStep(step => {
    // What it keeps it is waited for in vain to give up.
    times.settle = inEnglish(step) === 'Telling it of no folder' ? 1500 : times.settle;
  });
  const { called, reading, ...findings } = findingsOf(await check.run());
  // One of several that read, since it may be called before the server is ready with its roots.
  const { tool, ...seen } = reading ?? assert.fail();
  assert.ok(called.includes(tool), called.join());
  assert.deepEqual(seen, { ...filesystemSees, emptied: 'served' });
  assert.deepEqual(findings, {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    asksAgain: true,
    naming: { tool: 'list_allowed_directories', ...filesystemSees, emptied: 'served' },
    startsWithoutRoots: true,
    cutShort: undefined,
    sandbox: undefined,
  });
});

test('its successor gives its folders up when told of none, in the older revisions', async t => {
  const { check } = rootsCheck(t, published('server-filesystem-2'), {
    protocol: 'legacy',
    // It ends where it is offered no roots, whenever that is.
    times: { steady: patience },
  });
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    asksAgain: true,
    called: ['read_file', 'list_allowed_directories'],
    reading: { tool: 'read_file', ...filesystemSees, emptied: 'refused' },
    naming: { tool: 'list_allowed_directories', ...filesystemSees, emptied: 'refused' },
    startsWithoutRoots: false,
    cutShort: undefined,
    sandbox: undefined,
  });
});

test('its successor does not ask in the latest revision, and reads nothing', async t => {
  const { check } = rootsCheck(t, published('server-filesystem-2'), { times: hasty });
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read_file'), called.join());
  assert.ok(!called.some(name => /write|edit|move|create/.test(name)), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'never' },
    asksAgain: undefined,
    reading: undefined,
    naming: undefined,
    startsWithoutRoots: true,
    cutShort: undefined,
    sandbox: undefined,
  });
});

test('server-everything asks at its start and after each change, and names no folder when told of none', async t => {
  const { check, steps } = rootsCheck(t, published('@modelcontextprotocol/server-everything'));
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    asksAgain: true,
    called: ['get-roots-list'],
    reading: undefined,
    naming: {
      tool: 'get-roots-list',
      outside: 'refused',
      added: 'served',
      withdrawn: 'refused',
      emptied: 'refused',
    },
    startsWithoutRoots: true,
    cutShort: undefined,
    sandbox: undefined,
  });
  assert.deepEqual(steps, [
    'Starting it with a throw-away folder',
    'Waiting for it to ask for its folders',
    'Looking for a tool that reads',
    'Telling it of another folder instead',
    'Telling it of no folder',
    'Starting it without roots',
  ]);
});

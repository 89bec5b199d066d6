import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  answerFrom,
  lastSaid,
  readSnapshots,
  type Snapshot,
  snapshotsFolder,
} from '../../../src/connect/snapshot.ts';
import type { WindowWish } from '../../../src/connect/windowChoice.ts';
import { thisPlatform } from '../../support/systems.ts';
import { tempFolder } from '../../support/temp.ts';

const old = { protocolVersion: '2025-06-18', capabilities: {} };
const tools = { tools: [] };
const snapshot: Snapshot = {
  identity: 'i',
  answers: { 'initialize 2025-11-25': old, 'tools/list legacy': tools },
};
const modern: Snapshot = {
  identity: 'i',
  answers: {
    'server/discover modern': { supportedVersions: ['2026-07-28'] },
    'tools/list modern': tools,
  },
};
const ofModern = { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } };

describe('a snapshot', () => {
  test('answers a handshake as the server did, and none of a revision that nobody has asked for', () => {
    const answers = ['2025-11-25', '2025-06-18', '2026-01-01'].map(protocolVersion =>
      answerFrom(snapshot, 'initialize', { protocolVersion }),
    );
    deepEqual(answers, [{ result: old }, undefined, undefined]);
  });

  test('answers each family of revisions from what that was told', () => {
    deepEqual(answerFrom(snapshot, 'tools/list', {}), { result: tools });
    equal(answerFrom(snapshot, 'tools/list', ofModern), undefined);
    equal(answerFrom(modern, 'tools/list', {}), undefined);
    deepEqual(answerFrom(modern, 'tools/list', ofModern), { result: tools });
    equal(answerFrom(modern, 'initialize', { protocolVersion: '2025-06-18' }), undefined);
    deepEqual(answerFrom(modern, 'server/discover', ofModern), {
      result: { supportedVersions: ['2026-07-28'] },
    });
  });

  test('leaves to the server what it does not know', () => {
    equal(answerFrom(snapshot, 'prompts/list', {}), undefined);
    equal(answerFrom(snapshot, 'tools/list', { cursor: '2' }), undefined);
    equal(answerFrom(undefined, 'server/discover', ofModern), undefined);
    deepEqual(answerFrom(undefined, 'ping', {}), { result: {} });
  });
});

describe('what a server said last', () => {
  const said = (identity: string, others: Partial<Snapshot> = {}) => ({
    ...snapshot,
    identity,
    ...others,
  });

  /** A home with what these windows left, the later the later it was there. */
  function left(
    t: TestContext,
    windows: Readonly<Record<string, readonly [string, Readonly<Record<string, Snapshot>>]>>,
  ) {
    const home = tempFolder(t);
    const folder = snapshotsFolder(home);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'broken.json'), '{');
    writeFileSync(join(folder, 'older.json'), JSON.stringify({ identity: 'i', answers: {} }));
    for (const [at, [id, [path, servers]]] of Object.entries(windows).entries()) {
      const all = { name: id, folders: [path], writtenAt: at, servers };
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(all));
    }
    return (cwd: string, others: Partial<WindowWish> = {}, server = 'files') => {
      const known = lastSaid(home, server, { cwd, ...others }, thisPlatform);
      return known && [known.snapshot.identity, known.isOfWindow];
    };
  }

  test('is that of the window of the client, whatever others have a server of that name', t => {
    const known = left(t, {
      a: ['/w/api', { files: said('a'), '../x': said('x') }],
      b: ['/w/web', { files: said('b') }],
      c: ['/w/web/in', {}],
    });
    deepEqual(
      [
        known('/w/api/src'),
        known('/w/web'),
        known('/w/web/in'),
        known('/elsewhere'),
        known('/elsewhere', { workspace: '/w/web' }),
        known('/elsewhere', { roots: ['/w/api'] }),
        known('/elsewhere', { window: 'a', isNowhere: true }),
        known('/w/api', { window: 'none' }),
        known('/w/api', {}, '../x'),
        known('/w/api', {}, 'toString'),
      ],
      [
        ['a', true],
        ['b', true],
        undefined,
        undefined,
        ['b', true],
        ['a', true],
        ['a', true],
        undefined,
        ['x', true],
        undefined,
      ],
    );
  });

  test('is the latest of windows with the same folder', t => {
    const known = left(t, { b: ['/w', { files: said('b') }], a: ['/w', { files: said('a') }] });
    deepEqual(known('/w'), ['a', true]);
  });

  test('is for a client outside of all windows only what the user has in all of them', t => {
    const known = left(t, {
      a: ['/w/api', { files: said('own', { isOfUser: true }) }],
      b: ['/w/web', { files: said('of a workspace', { isOfUser: false }) }],
    });
    deepEqual(known('/home/u/.codex'), ['own', false]);
  });

  test('is no promise of tools that nobody has listed', t => {
    const listed = { 'tools/list legacy': tools };
    const withTools = { ...old, capabilities: { tools: {} } };
    const handshake = { 'initialize 2025-11-25': withTools };
    const known = left(t, {
      a: ['/none', { files: said('a', { answers: handshake }) }],
      b: ['/listed', { files: said('b', { answers: { ...handshake, ...listed } }) }],
      c: ['/toolless', { files: said('c', { answers: { 'initialize 2025-11-25': old } }) }],
      d: ['/modern', { files: said('d', { answers: { 'server/discover modern': withTools } }) }],
      e: ['/listsAlone', { files: said('e', { answers: listed }) }],
    });
    deepEqual(
      ['/none', '/listed', '/toolless', '/modern', '/listsAlone'].map(cwd => known(cwd)),
      [undefined, ['b', true], ['c', true], undefined, undefined],
    );
  });

  test('is nothing without a file that can be read', t => {
    const home = tempFolder(t);
    equal(lastSaid(home, 'files', { cwd: '/' }, thisPlatform), undefined);
    equal(readSnapshots(join(home, 'none.json')), undefined);
  });
});

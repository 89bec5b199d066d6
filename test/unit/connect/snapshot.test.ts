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
import { foundAsExpected } from '../../support/cases.ts';
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
  test('answers a handshake in revisions that were used before', () => {
    const answers = ['2025-11-25', '2025-06-18', '2026-01-01'].map(protocolVersion =>
      answerFrom(snapshot, 'initialize', { protocolVersion }),
    );
    deepEqual(answers, [{ result: old }, undefined, undefined]);
  });

  test('answers each era from its own answers', () => {
    deepEqual(answerFrom(snapshot, 'tools/list', {}), { result: tools });
    equal(answerFrom(snapshot, 'tools/list', ofModern), undefined);
    equal(answerFrom(modern, 'tools/list', {}), undefined);
    deepEqual(answerFrom(modern, 'tools/list', ofModern), { result: tools });
    equal(answerFrom(modern, 'initialize', { protocolVersion: '2025-06-18' }), undefined);
    deepEqual(answerFrom(modern, 'server/discover', ofModern), {
      result: { supportedVersions: ['2026-07-28'] },
    });
  });

  test('leaves unknown requests to the server', () => {
    equal(answerFrom(snapshot, 'prompts/list', {}), undefined);
    equal(answerFrom(snapshot, 'tools/list', { cursor: '2' }), undefined);
    equal(answerFrom(undefined, 'server/discover', ofModern), undefined);
    deepEqual(answerFrom(undefined, 'ping', {}), { result: {} });
  });
});

describe('the last snapshot', () => {
  const said = (identity: string, others: Partial<Snapshot> = {}) => ({
    ...snapshot,
    identity,
    ...others,
  });

  /** A home with the snapshots of these windows, the latest last. */
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

  test("comes from the client's window", t => {
    const known = left(t, {
      a: ['/w/api', { files: said('a'), '../x': said('x') }],
      b: ['/w/web', { files: said('b') }],
      c: ['/w/web/in', {}],
      d: ['/w/twice', { files: said('d') }],
      e: ['/w/twice', { files: said('e') }],
    });
    foundAsExpected({
      'in its folder': [known('/w/api/src'), ['a', true]],
      'its folder': [known('/w/web'), ['b', true]],
      'the latest of two': [known('/w/twice'), ['e', true]],
      'without that server': [known('/w/web/in'), undefined],
      'in no window': [known('/elsewhere'), undefined],
      'named by its folder': [known('/elsewhere', { workspace: '/w/web' }), ['b', true]],
      'by the roots of the client': [known('/elsewhere', { roots: ['/w/api'] }), ['a', true]],
      'by itself': [known('/elsewhere', { window: 'a', isNowhere: true }), ['a', true]],
      'by itself, and not open': [known('/w/api', { window: 'none' }), undefined],
      'of an odd name': [known('/w/api', {}, '../x'), ['x', true]],
      'of a name that objects have': [known('/w/api', {}, 'toString'), undefined],
    });
  });

  test('outside of all windows comes from a user server', t => {
    const known = left(t, {
      a: ['/w/api', { files: said('own', { isOfUser: true }) }],
      b: ['/w/web', { files: said('of a workspace', { isOfUser: false }) }],
    });
    deepEqual(known('/home/u/.codex'), ['own', false]);
  });

  test('promises no tools that were never listed', t => {
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

  test('is missing without a readable file', t => {
    const home = tempFolder(t);
    equal(lastSaid(home, 'files', { cwd: '/' }, thisPlatform), undefined);
    equal(readSnapshots(join(home, 'none.json')), undefined);
  });
});

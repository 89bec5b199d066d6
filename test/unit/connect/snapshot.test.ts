import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import {
  answerFrom,
  readSnapshot,
  type Snapshot,
  snapshotFile,
} from '../../../src/connect/snapshot.ts';
import { tempFolder } from '../../support/temp.ts';

const old = { protocolVersion: '2025-06-18', capabilities: {} };
const tools = { tools: [] };
const snapshot: Snapshot = {
  identity: 'i',
  legacy: { initialize: { '2025-11-25': old }, lists: { 'tools/list': tools } },
};
const modern: Snapshot = {
  identity: 'i',
  modern: { discover: { supportedVersions: ['2026-07-28'] }, lists: { 'tools/list': tools } },
};
const ofModern = { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } };

describe('a snapshot', () => {
  test('answers a handshake in the revision that was asked for, as far as the server goes', () => {
    const answers = ['2024-11-05', '2025-06-18', '2025-11-25', '2026-01-01'].map(protocolVersion =>
      answerFrom(snapshot, 'initialize', { protocolVersion }),
    );
    deepEqual(
      answers,
      ['2024-11-05', '2025-06-18', '2025-06-18', '2025-06-18'].map(protocolVersion => ({
        result: { ...old, protocolVersion },
      })),
    );
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

  test('is read from a file of its own, whatever the server is called', async t => {
    const home = tempFolder(t);
    const file = snapshotFile(home, '../x');
    equal(dirname(file), join(home, '.mcp-roots', 'snapshots'));
    equal(readSnapshot(file), undefined);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(snapshot));
    deepEqual(readSnapshot(file), snapshot);
    writeFileSync(file, '{');
    equal(readSnapshot(file), undefined);
  });
});

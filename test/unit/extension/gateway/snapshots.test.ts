import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { readSnapshot, snapshotFile } from '../../../../src/connect/snapshot.ts';
import { Snapshots } from '../../../../src/extension/gateway/snapshots.ts';
import { tempFolder } from '../../../support/temp.ts';

test('of the revisions that clients make up, the last are kept', t => {
  const home = tempFolder(t);
  const snapshots = new Snapshots(home, {
    trace() {},
    debug() {},
    info() {},
    warn() {},
    error() {},
  });
  const asked = Array.from({ length: 20 }, (_, index) => `2025-01-${index + 10}`);
  for (const protocolVersion of asked) {
    const result = { protocolVersion: '2025-06-18' };
    snapshots.note('files', 'a1', { method: 'initialize', params: { protocolVersion }, result });
  }
  const { legacy } = readSnapshot(snapshotFile(home, 'files')) ?? {};
  deepEqual(Object.keys(legacy?.initialize ?? {}), asked.slice(-16));
});

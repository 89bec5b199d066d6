import { deepEqual } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { readSnapshot, snapshotFile } from '../../../../src/connect/snapshot.ts';
import { Snapshots } from '../../../../src/extension/gateway/snapshots.ts';
import { until } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp.ts';

const ignore = () => {};
const logger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A window whose one server, "files", is usable or not, and what the file of it says of whom. */
function windowOf(home: string, identity: string, isUsable: boolean) {
  const snapshots = new Snapshots(home, logger);
  const server = { definition: { id: 'f', label: 'files' }, identity };
  const servers = { all: [server], onDidChange: new Emitter<undefined>().event };
  return snapshots.follow(servers as never, () => isUsable);
}

test('a window in which a server was never agreed to leaves what another window may use', t => {
  const home = tempFolder(t);
  const result = { tools: [] };
  new Snapshots(home, logger).note('files', 'a1', { method: 'tools/list', params: {}, result });
  windowOf(home, 'b2', false).dispose();
  deepEqual(readSnapshot(snapshotFile(home, 'files'))?.identity, 'a1');
  windowOf(home, 'b2', true).dispose();
  deepEqual(readSnapshot(snapshotFile(home, 'files')), undefined);
});

test('what a server said goes when it may not be used any more', async t => {
  const home = tempFolder(t);
  const snapshots = new Snapshots(home, logger);
  snapshots.note('files', 'a1', { method: 'tools/list', params: {}, result: { tools: [] } });
  let isUsable = true;
  const didChange = new Emitter<undefined>();
  const server = { definition: { id: 'f', label: 'files' }, identity: 'a1' };
  const servers = { all: [server], onDidChange: didChange.event };
  const following = snapshots.follow(servers as never, () => isUsable);
  t.after(() => following.dispose());
  isUsable = false;
  didChange.fire(undefined);
  const file = snapshotFile(home, 'files');
  await until('the file is gone', () => !existsSync(file));
});

test('of the revisions that clients make up, the last are kept', t => {
  const home = tempFolder(t);
  const snapshots = new Snapshots(home, logger);
  const asked = Array.from({ length: 20 }, (_, index) => `2025-01-${index + 10}`);
  for (const protocolVersion of asked) {
    const result = { protocolVersion: '2025-06-18' };
    snapshots.note('files', 'a1', { method: 'initialize', params: { protocolVersion }, result });
  }
  const { legacy } = readSnapshot(snapshotFile(home, 'files')) ?? {};
  deepEqual(Object.keys(legacy?.initialize ?? {}), asked.slice(-16));
});

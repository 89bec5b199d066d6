import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity } from '../../../../src/domain/activity.ts';
import { ActivityFile } from '../../../../src/extension/activity/activityFile.ts';
import { ActivityLog } from '../../../../src/extension/activity/activityLog.ts';
import { noLogger } from '../../../support/noLogger.ts';
import { tempFolder } from '../../../support/temp.ts';

function exposure(at: number, name = `${at}`): Activity {
  return {
    kind: 'exposure',
    at,
    serverId: 'bundled',
    serverLabel: 'MCP Roots Server',
    era: 'modern',
    trigger: { kind: 'tools/call', tool: 'get-roots' },
    count: 1,
    roots: [{ uri: 'file:///proj/api', name }],
  };
}

/** A log, and the errors that it reports. */
function logOf(file: ConstructorParameters<typeof ActivityLog>[0]) {
  const errors: (string | Error)[] = [];
  const error = (problem: string | Error) => void errors.push(problem);
  return { log: new ActivityLog(file, { ...noLogger, error }), errors };
}

test('keeps an entry added before the file was read once in the log and once on disk', async t => {
  const folder = tempFolder(t);
  await new ActivityFile(folder).append([exposure(1)]);
  const { log, errors } = logOf(new ActivityFile(folder));
  log.add(exposure(2));
  await log.load();
  log.add(exposure(3));
  await log.load();
  await log.flush();
  const expected = [exposure(1), exposure(2), exposure(3)];
  assert.deepEqual(log.all, expected);
  assert.deepEqual(await new ActivityFile(folder).read(), expected);
  assert.deepEqual(errors, []);
});

test('remembers the newest 5000 exposures, also without a file', async () => {
  const { log } = logOf(undefined);
  let changes = 0;
  log.onDidChange(() => changes++);
  for (let at = 1; at <= 5010; at++) {
    log.add(exposure(at));
  }
  await log.flush();
  assert.deepEqual([log.all.length, log.all[0]?.at, log.all.at(-1)?.at], [5000, 11, 5010]);
  // The last change announces the read.
  assert.equal(changes, 5011);
});

test('joins equal entries of a server and client in a row, with a count and the last time', async t => {
  const folder = tempFolder(t);
  const { log } = logOf(new ActivityFile(folder));
  const of = (at: number, serverId: string, name = 'api') => ({ ...exposure(at, name), serverId });
  const first = of(1, 'loud');
  log.add(first);
  await log.load();
  const [kept] = log.all;
  for (let at = 2; at <= 5220; at++) {
    log.add(of(at, 'loud'));
    if (at % 1000 === 0) {
      log.add(of(at, 'quiet'));
    }
  }
  const expected = [
    { ...of(5000, 'quiet'), count: 5 },
    { ...of(5220, 'loud'), count: 5220 },
  ];
  assert.equal(log.all.length, 2);
  assert.deepEqual(log.all, expected);
  assert.equal(log.all[1], kept, 'its row stays the same');
  assert.deepEqual([first.at, first.count], [1, 1]);
  await log.flush();
  const { log: again } = logOf(new ActivityFile(folder));
  await again.load();
  assert.deepEqual(again.all, expected);
  again.add(of(5221, 'loud', 'other'));
  again.add({ ...of(5222, 'loud', 'other'), client: 'codex' });
  again.add(of(5223, 'loud'));
  const counts = ['5000 5', '5220 5220', '5221 1', '5222 1', '5223 1'];
  assert.deepEqual(
    again.all.map(({ at, count }) => `${at} ${count}`),
    counts,
  );
});

test('a server that fills the log removes no entry of another server', () => {
  const { log } = logOf(undefined);
  const quiet = Array.from({ length: 10 }, (_, at) => ({ ...exposure(at), serverId: 'quiet' }));
  for (const entry of quiet) {
    log.add(entry);
  }
  for (let at = 11; at <= 5020; at++) {
    log.add(exposure(at));
  }
  assert.deepEqual([log.all.length, log.all.slice(0, 10)], [5000, quiet]);
  assert.deepEqual([log.all[10]?.at, log.all.at(-1)?.at], [31, 5020]);
});

test('reports a file that cannot be read or written, and goes on', async () => {
  const [unreadable, full] = [new Error('unreadable'), new Error('full')];
  const file = { read: () => Promise.reject(unreadable), append: () => Promise.reject(full) };
  const { log, errors } = logOf(file);
  log.add(exposure(1));
  await log.flush();
  log.add(exposure(2));
  await log.flush();
  assert.deepEqual(log.all, [exposure(1), exposure(2)]);
  assert.deepEqual(errors, [unreadable, full, full]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../../../../src/base/logger.ts';
import type { Activity } from '../../../../src/domain/activity.ts';
import { ActivityFile } from '../../../../src/extension/activity/activityFile.ts';
import { ActivityLog } from '../../../../src/extension/activity/activityLog.ts';
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

/** A logger, and the errors it was given. */
function recordingLogger() {
  const errors: (string | Error)[] = [];
  const none = () => {};
  const error = (problem: string | Error) => void errors.push(problem);
  const logger: Logger = { trace: none, debug: none, info: none, warn: none, error };
  return { logger, errors };
}

test('what is added before the file was read is in the log once, and on disk once', async t => {
  const folder = tempFolder(t);
  await new ActivityFile(folder).append([exposure(1)]);
  const { logger, errors } = recordingLogger();
  const log = new ActivityLog(new ActivityFile(folder), logger);
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

test('of more than 5000 exposures the newest are remembered, also without a file', async () => {
  const log = new ActivityLog(undefined, recordingLogger().logger);
  let changes = 0;
  log.onDidChange(() => changes++);
  for (let at = 1; at <= 5010; at++) {
    log.add(exposure(at));
  }
  await log.flush();
  assert.deepEqual([log.all.length, log.all[0]?.at, log.all.at(-1)?.at], [5000, 11, 5010]);
  // The last one is what the read has to say.
  assert.equal(changes, 5011);
});

test('equal entries of a server and client in a row are one, with a count and the last time', async t => {
  const folder = tempFolder(t);
  const { logger } = recordingLogger();
  const log = new ActivityLog(new ActivityFile(folder), logger);
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
  const again = new ActivityLog(new ActivityFile(folder), logger);
  await again.load();
  assert.deepEqual(again.all, expected);
  again.add(of(5221, 'loud', 'other'));
  again.add({ ...of(5222, 'loud', 'other'), client: 'codex' });
  again.add(of(5223, 'loud'));
  assert.deepEqual(
    again.all.map(({ at, count }) => [at, count]),
    [
      [5000, 5],
      [5220, 5220],
      [5221, 1],
      [5222, 1],
      [5223, 1],
    ],
  );
});

test('a server that fills the log takes no place of another', () => {
  const log = new ActivityLog(undefined, recordingLogger().logger);
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

test('a file that can be neither read nor written is reported, and the log goes on', async () => {
  const { logger, errors } = recordingLogger();
  const [unreadable, full] = [new Error('unreadable'), new Error('full')];
  const file = { read: () => Promise.reject(unreadable), append: () => Promise.reject(full) };
  const log = new ActivityLog(file, logger);
  log.add(exposure(1));
  await log.flush();
  log.add(exposure(2));
  await log.flush();
  assert.deepEqual(log.all, [exposure(1), exposure(2)]);
  assert.deepEqual(errors, [unreadable, full, full]);
});

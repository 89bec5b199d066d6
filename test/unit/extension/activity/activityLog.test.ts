import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../../../../src/base/logger.ts';
import type { Activity } from '../../../../src/domain/activity.ts';
import { ActivityFile } from '../../../../src/extension/activity/activityFile.ts';
import { ActivityLog } from '../../../../src/extension/activity/activityLog.ts';
import { tempFolder } from '../../../support/temp.ts';

function exposure(at: number): Activity {
  return {
    kind: 'exposure',
    at,
    serverId: 'bundled',
    serverLabel: 'MCP Roots Server',
    era: 'modern',
    trigger: { kind: 'tools/call', tool: 'get-roots' },
    count: 1,
    roots: [],
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

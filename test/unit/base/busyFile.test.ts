import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { whileBusy } from '../../../src/base/busyFile.ts';

/** Work that fails so often with that code, on that system: gives tries and outcome. */
function tried(failures: number, code: string, platform: NodeJS.Platform) {
  let count = 0;
  const waits: number[] = [];
  const work = () => {
    count += 1;
    if (count <= failures) {
      throw Object.assign(new Error(code), { code });
    }
    return 'done';
  };
  const run = () => whileBusy(work, platform, time => waits.push(time));
  return { run, count: () => count, waits };
}

test('retries a busy file on Windows for a moment', () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    const { run, count, waits } = tried(3, code, 'win32');
    deepEqual([run(), count(), waits.length], ['done', 4, 3]);
  }
  const endless = tried(Number.POSITIVE_INFINITY, 'EBUSY', 'win32');
  throws(endless.run, /EBUSY/);
  equal(endless.count(), 26);
});

test('retries no other error, and nothing on other systems', () => {
  const missing = tried(1, 'ENOENT', 'win32');
  throws(missing.run, /ENOENT/);
  const forbidden = tried(1, 'EPERM', 'linux');
  throws(forbidden.run, /EPERM/);
  deepEqual([missing.count(), forbidden.count()], [1, 1]);
});

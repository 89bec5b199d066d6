import { deepEqual, rejects } from 'node:assert/strict';
import { closeSync, openSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type FileToRead, readLines } from '../../../../src/server/reading/readLines.ts';
import { atEnd } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp.ts';

const farOn = { from: 1_000_000_000, to: 1_000_000_001 };

test('looking for a line far on ends when nobody waits for it any more', async t => {
  const path = join(tempFolder(t), 'long');
  writeFileSync(path, 'line\n'.repeat(1_000_000));
  const signal = AbortSignal.abort(new Error('revoked'));
  await rejects(readLines(opened(t, path), farOn, { signal }), /^Error: revoked$/);
});

test('a file that is no text is not looked through for a line', async t => {
  const path = join(tempFolder(t), 'hole');
  writeFileSync(path, 'text\n');
  truncateSync(path, 20 * 1024 ** 3);
  const { signal } = new AbortController();
  deepEqual(await readLines(opened(t, path), farOn, { signal }), undefined);
});

function opened(t: TestContext, path: string): FileToRead {
  const fd = openSync(path, 'r');
  atEnd(t, () => closeSync(fd));
  return { fd, size: statSync(path).size };
}

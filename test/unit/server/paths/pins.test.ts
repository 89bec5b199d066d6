import { deepEqual, equal, throws } from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { workingFolderPin } from '../../../../src/server/paths/pins.ts';
import { atEnd } from '../../../support/processes.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

// The way of macOS, which works on Linux, too.
const skip = onlyOn('posix', 'Windows lets nobody move the working folder');

test('keeps working in the same folder when another takes its path', { skip }, t => {
  const top = folderOf(t);
  writeTree(top, { 'in/a.txt': 'inside', 'out/a.txt': 'outside' });
  const seen = workingFolderPin.inFolder(join(top, 'in'), ({ at }) => {
    renameSync(join(top, 'in'), join(top, 'moved'));
    renameSync(join(top, 'out'), join(top, 'in'));
    return readFileSync(at('a.txt'), 'utf8');
  });
  equal(seen, 'inside');
});

test('leaves no working folder behind, even after a failure', { skip }, t => {
  const top = folderOf(t);
  mkdirSync(join(top, 'in'));
  workingFolderPin.inFolder(join(top, 'in'), () => {});
  const after = [process.cwd()];
  throws(() =>
    workingFolderPin.inFolder(join(top, 'in'), () => {
      throw new Error('It failed.');
    }),
  );
  deepEqual([...after, process.cwd()], ['/', '/']);
});

function folderOf(t: TestContext): string {
  const cwd = process.cwd();
  atEnd(t, () => process.chdir(cwd));
  return tempFolder(t);
}

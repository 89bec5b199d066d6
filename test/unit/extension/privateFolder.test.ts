import { deepEqual, equal, throws } from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makePrivateFolder, removeFile } from '../../../src/extension/privateFolder.ts';
import { onlyOn, skipOwners } from '../../support/systems.ts';
import { tempFolder } from '../../support/temp.ts';

const mode = (path: string) => statSync(path).mode & 0o777;

describe('a private folder', {
  skip: onlyOn('posix', 'Windows has no such modes'),
}, () => {
  test('is created with its parents, and closed to others if it was open', t => {
    const folder = join(tempFolder(t), 'a', 'b');
    makePrivateFolder(folder);
    chmodSync(folder, 0o777);
    makePrivateFolder(folder);
    deepEqual([mode(folder), mode(join(folder, '..'))], [0o700, 0o700]);
  });

  test('must not be a link or a file', t => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'target'), { mode: 0o755 });
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    writeFileSync(join(folder, 'file'), '');
    for (const name of ['link', 'file', 'file/below']) {
      throws(() => makePrivateFolder(join(folder, name)), { name: 'HumanError' });
    }
    deepEqual(mode(join(folder, 'target')), 0o755);
  });

  test("must not be another user's", { skip: skipOwners }, t => {
    const folder = tempFolder(t);
    chownSync(folder, 65534, 65534);
    throws(() => makePrivateFolder(folder), { name: 'HumanError' });
  });
});

test('removes a file of any name, and accepts a missing file', t => {
  const folder = tempFolder(t);
  const file = join(folder, '速 ü.json');
  writeFileSync(file, '');
  removeFile(file);
  equal(existsSync(file), false);
  removeFile(file);
  throws(() => removeFile(folder));
});

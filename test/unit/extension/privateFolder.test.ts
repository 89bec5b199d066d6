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

describe('a folder of our own user alone', {
  skip: onlyOn('posix', 'Windows has no such modes'),
}, () => {
  test('is made with those that it lies in, and closed when it was open', t => {
    const folder = join(tempFolder(t), 'a', 'b');
    makePrivateFolder(folder);
    chmodSync(folder, 0o777);
    makePrivateFolder(folder);
    deepEqual([mode(folder), mode(join(folder, '..'))], [0o700, 0o700]);
  });

  test('is no link and no file', t => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'target'), { mode: 0o755 });
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    writeFileSync(join(folder, 'file'), '');
    for (const name of ['link', 'file', 'file/below']) {
      throws(() => makePrivateFolder(join(folder, name)), { name: 'HumanError' });
    }
    deepEqual(mode(join(folder, 'target')), 0o755);
  });

  test("is not another user's", { skip: skipOwners }, t => {
    const folder = tempFolder(t);
    chownSync(folder, 65534, 65534);
    throws(() => makePrivateFolder(folder), /can't be kept from other users: .* another user/);
  });
});

test('a file is removed whatever its name, and one that is not there needs no removal', t => {
  const folder = tempFolder(t);
  const file = join(folder, '速 ü.json');
  writeFileSync(file, '');
  removeFile(file);
  equal(existsSync(file), false);
  removeFile(file);
  throws(() => removeFile(folder));
});

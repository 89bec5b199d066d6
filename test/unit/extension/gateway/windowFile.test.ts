import { deepEqual, equal, rejects } from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { WindowDescription } from '../../../../src/connect/windowFiles.ts';
import { WindowFile, type WindowState } from '../../../../src/extension/gateway/windowFile.ts';
import { noLogger } from '../../../support/noLogger.ts';
import { atEnd, until } from '../../../support/processes.ts';
import { skipLinks, thisPlatform } from '../../../support/systems.ts';
import { linkTree, tempFolder, writeTree } from '../../../support/temp.ts';

const reach = { socket: '/run/s', nonce: 'n' };
const empty: WindowState = { folders: [], focusedAt: 0, name: 'w', grants: [] };

/** A window without folders, which the test changes, and its file in a missing folder. */
function aWindow(t: TestContext) {
  const changed = new Emitter<void>();
  const window = { id: 'w', state: empty as WindowState | undefined, onDidChange: changed.event };
  const folder = join(tempFolder(t), 'windows');
  const path = join(folder, 'w.json');
  const warnings: string[] = [];
  const logger = { ...noLogger, warn: (text: string) => void warnings.push(text) };
  const write = async () => {
    const file = await WindowFile.write(folder, window, reach, logger);
    atEnd(t, () => file.dispose());
    return file;
  };
  const change = (others: Partial<WindowState> | undefined) => {
    window.state = others && { ...empty, ...window.state, ...others };
    changed.fire();
  };
  const content = (): WindowDescription => JSON.parse(readFileSync(path, 'utf8'));
  return { folder, path, write, change, content, warnings };
}

describe('the file of a window', () => {
  test('follows folders, focus, name and clients, and is closed to other users', async t => {
    const { folder, path, write, change, content } = aWindow(t);
    await write();
    deepEqual(content(), { ...reach, ...empty });
    if (thisPlatform !== 'win32') {
      const modes = [folder, path].map(one => statSync(one).mode & 0o777);
      deepEqual(modes, [0o700, 0o600]);
    }
    writeTree(folder, { 'real/': '' });
    linkTree(folder, { link: 'real' });
    change({ folders: [join(folder, skipLinks ? 'real' : 'link')] });
    change({ focusedAt: 1 });
    change({ name: 'new', grants: ['codex'] });
    await until('the file is written', () => content().name === 'new');
    const now = { folders: [join(folder, 'real')], focusedAt: 1, name: 'new', grants: ['codex'] };
    deepEqual(content(), { ...reach, ...now });
    const { ino } = statSync(path);
    change({});
    change({ focusedAt: 2 });
    await until('the file is written', () => content().focusedAt !== 1);
    equal(content().focusedAt, 2);
    // Another file was put in its place: no reader saw half of one.
    equal(statSync(path).ino === ino, false);
    const left = readdirSync(folder).filter(name => name.startsWith('w.'));
    deepEqual(left, ['w.json']);
  });

  test('is removed with its window, and not created again', async t => {
    const { path, write, change } = aWindow(t);
    const file = await write();
    change({ name: 'late' });
    file.dispose();
    change({ name: 'later' });
    await new Promise(resolve => setImmediate(resolve));
    await new Promise(resolve => setTimeout(resolve, 20));
    equal(existsSync(path), false);
  });

  test('is missing while clients should not find the window', async t => {
    const { path, write, change, content } = aWindow(t);
    await write();
    change(undefined);
    await until('the file is gone', () => !existsSync(path));
    change({});
    await until('the file is written', () => existsSync(path));
    deepEqual(content(), { ...reach, ...empty });
  });

  test('is written again with the next change after its removal', async t => {
    const { path, write, change, content } = aWindow(t);
    await write();
    rmSync(path);
    change({ name: 'new' });
    await until('the file is written', () => existsSync(path));
    equal(content().name, 'new');
  });

  test('replaces the file and socket that a crash left, and no other file', async t => {
    const { folder, path, write, content } = aWindow(t);
    mkdirSync(folder, { mode: 0o700 });
    const elsewhere = join(folder, '..', 'elsewhere.sock');
    for (const name of ['left.sock', 'other.sock', '../elsewhere.sock', 'other.json']) {
      writeFileSync(join(folder, name), '');
    }
    for (const left of [{ socket: join(folder, 'left.sock') }, { socket: elsewhere }, null, {}]) {
      writeFileSync(path, JSON.stringify(left));
      (await write()).dispose();
    }
    await write();
    equal(content().nonce, 'n');
    deepEqual(readdirSync(folder).sort(), ['other.json', 'other.sock', 'w.json']);
    equal(existsSync(elsewhere), true);
  });

  test('reports a failed write, and is written with the next change', async t => {
    const { folder, path, write, change, content, warnings } = aWindow(t);
    writeFileSync(folder, '');
    await rejects(write(), { name: 'HumanError' });
    rmSync(folder);
    await write();
    rmSync(path);
    mkdirSync(join(path, 'x'), { recursive: true });
    change({ name: 'new' });
    await until('a warning', () => warnings.length > 0);
    const left = readdirSync(folder).filter(name => name !== 'w.json');
    deepEqual(left, []);
    rmSync(path, { recursive: true });
    change({ focusedAt: 1 });
    await until('the file', () => existsSync(path));
    equal(content().name, 'new');
  });
});

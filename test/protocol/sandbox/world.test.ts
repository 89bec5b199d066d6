import assert from 'node:assert/strict';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { ShownPath, World } from '../../../src/domain/sandbox/bubblewrap.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { ranIn } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const { tool, skip } = await sandboxHere();

describe('in the world of bubblewrap', { skip, concurrency: true }, () => {
  it('moving a folder uncovers nothing hidden or read-only in it', async t => {
    const root = newRoot(t);
    const outer = shownAt(root, true);
    const inner = shownAt(join(root, 'conf/keys/docs'), false);
    const hidden = [
      { path: join(root, 'conf/keys/k'), isFolder: false },
      { path: join(root, 'conf/secrets/deep'), isFolder: true },
      { path: join(root, 'conf/secrets'), isFolder: true },
    ];
    const script = `
      for moved in conf conf/keys conf/keys/docs conf/secrets; do mv $moved $moved-2; done
      cat conf/keys/k conf/keys/docs/a; ls conf/secrets
      touch conf/keys/docs/b; touch conf/keys/b && echo written`;
    for (const shown of [
      [outer, inner],
      [inner, outer],
    ]) {
      for (const inSomeOrder of [hidden, hidden.toReversed()]) {
        const { out, err } = await said({ shown, hidden: inSomeOrder, cwd: root }, script);
        assert.equal(out, 'a\nwritten\n');
        assert.equal(err.match(/Device or resource busy/g)?.length, 4, err);
        assert.match(err, /touch:.*docs\/b.*Read-only file system/);
      }
    }
  });

  it('a folder with hidden contents is no more open than it is shown', async t => {
    const root = newRoot(t);
    const shown = [shownAt(root, true), shownAt(join(root, 'conf'), false)];
    const hidden = [{ path: join(root, 'conf/keys/k'), isFolder: false }];
    const script = `
      mv conf/keys conf/keys-2
      for folder in conf conf/keys; do touch $folder/b && echo written; done
      cat conf/keys/k`;
    const { out, err } = await said({ shown, hidden, cwd: root }, script);
    assert.equal(out, '');
    assert.equal(err.match(/touch:.*Read-only file system/g)?.length, 2, err);
  });

  it('a program starts with variables of any name', async t => {
    const root = newRoot(t);
    const env = {
      ...{ IFS: 'A', OPTIND: 'x', UID: '1', EUID: '1', PPID: '1', SHELLOPTS: 'x', BASHOPTS: 'x' },
      ...{ PATH: '/usr/bin', names_: 'x', HOME: '/h', _A1: 'a  $b\n"c"' },
    };
    const { out, err } = await said(
      { shown: [shownAt(root, true)], env, cwd: root },
      'cat /proc/self/environ',
    );
    const expected = ['HOME=/h', 'PATH=/usr/bin', `PWD=${root}`, '_A1=a  $b\n"c"', 'names_=x'];
    assert.deepEqual([out.split('\0').filter(Boolean).sort(), err], [expected, '']);
  });

  const noBrowser = !existsSync('/usr/bin/chromium') && 'There is no /usr/bin/chromium.';
  it('a browser opens a page when it may make unix sockets', { skip: noBrowser }, async () => {
    const world: Partial<World> = {
      shown: existsSync('/etc/chromium.d') ? [shownAt('/etc/chromium.d', false)] : [],
      env: { PATH: '/usr/bin:/bin', HOME: '/tmp' },
      ...{ hasNetwork: true, hasUnixSockets: true },
    };
    const page = `chromium --headless --no-sandbox --dump-dom 'data:text/html,<p>opened'`;
    const { out, err } = await said(world, page);
    assert.match(out, /<p>opened/, err);
  });
});

function newRoot(t: TestContext): string {
  const root = tempFolder(t);
  writeTree(root, {
    'conf/keys/k': 'secret',
    'conf/keys/docs/a': 'a\n',
    'conf/secrets/deep/s': 'secret',
  });
  return root;
}

function shownAt(path: string, isWritable: boolean): ShownPath {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return { path, isWritable, place: `${dev}:${ino}` };
}

/** What a script of the shell says in a world. */
async function said(world: Partial<World>, script: string) {
  const start = tool.start(
    {
      ...{ shown: [], hidden: [], links: new Map(), empty: ['/tmp'], cwd: '/' },
      ...{ env: { PATH: '/usr/bin:/bin' }, hasNetwork: false, ...world },
    },
    ['/bin/sh', '-c', script],
  );
  return ranIn(start);
}

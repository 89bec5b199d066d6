import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import type { Guarded, Shown, World } from '../../../src/domain/sandbox/bubblewrap.ts';
import { giveInputs, withStdio } from '../../../src/mcp/stdio/childStdio.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const here = await sandboxHere();
const { skip } = here;

describe('in the world of bubblewrap', { skip, concurrency: true }, () => {
  it('a folder that is moved uncovers nothing that is hidden or read only in it', async t => {
    const root = newRoot(t);
    const outer = shownAt(root, true);
    const inner = shownAt(join(root, 'conf/keys/docs'), false);
    const guarded = guards(root, {
      'conf/keys/k': 'hidden-file',
      'conf/secrets/deep': 'hidden-folder',
      'conf/secrets': 'hidden-folder',
      conf: 'in-place',
      'conf/keys': 'in-place',
    });
    const script = `
      for moved in conf conf/keys conf/keys/docs conf/secrets; do mv $moved $moved-2; done
      cat conf/keys/k conf/keys/docs/a; ls conf/secrets
      touch conf/keys/docs/b; touch conf/keys/b && echo written`;
    for (const shown of [
      [outer, inner],
      [inner, outer],
    ]) {
      for (const inSomeOrder of [guarded, guarded.toReversed()]) {
        const { out, err } = await said({ shown, guarded: inSomeOrder, cwd: root }, script);
        assert.equal(out, 'a\nwritten\n');
        assert.equal(err.match(/Device or resource busy/g)?.length, 4, err);
        assert.match(err, /touch:.*docs\/b.*Read-only file system/);
      }
    }
  });

  it('what stays in its place is no more open than the folder that holds it', async t => {
    const root = newRoot(t);
    const shown = [shownAt(root, true), shownAt(join(root, 'conf'), false)];
    const guarded = guards(root, {
      conf: 'in-place',
      'conf/keys': 'in-place',
      'conf/keys/k': 'hidden-file',
      other: 'read-only',
      'other/sub': 'in-place',
    });
    const script = `
      mv conf/keys conf/keys-2; mv other other-2
      for folder in conf conf/keys other other/sub; do touch $folder/b && echo written; done
      cat conf/keys/k`;
    const { out, err } = await said({ shown, guarded, cwd: root }, script);
    assert.equal(out, '');
    assert.equal(err.match(/touch:.*Read-only file system/g)?.length, 4, err);
  });

  it('a program starts whatever its variables are called', async t => {
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
});

function newRoot(t: TestContext): string {
  const root = tempFolder(t);
  writeTree(root, {
    'conf/keys/k': 'secret',
    'conf/keys/docs/a': 'a\n',
    'conf/secrets/deep/s': 'secret',
    'other/sub/a': 'a',
  });
  return root;
}

function shownAt(path: string, isWritable: boolean): Shown {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return { path, isWritable, place: `${dev}:${ino}` };
}

function guards(root: string, names: Readonly<Record<string, Guarded['as']>>): Guarded[] {
  return Object.entries(names).map(([name, as]) => ({ path: join(root, name), as }));
}

/** What a script of the shell says in a world. */
async function said(world: Partial<World>, script: string) {
  assert.ok(here.skip === false);
  const { command, args, cwd, env, inputs } = here.tool.start(
    {
      ...{ shown: [], guarded: [], links: new Map(), empty: ['/tmp'], cwd: '/' },
      ...{ env: { PATH: '/usr/bin:/bin' }, hasNetwork: false, ...world },
    },
    ['/bin/sh', '-c', script],
  );
  const child = withStdio(inputs, stdio => spawn(command, args, { cwd, env, stdio }));
  giveInputs(child.stdio, inputs);
  child.stdin?.end();
  const [out, err] = await Promise.all(
    [child.stdout, child.stderr].map(output => text(output as NodeJS.ReadableStream)),
  );
  return { out: out ?? '', err: err ?? '' };
}

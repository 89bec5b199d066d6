import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { World } from '../../../src/domain/sandbox/bubblewrap.ts';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { runToEnd } from '../../../src/mcp/sandbox/runToEnd.ts';
import { unixSocketsProblem } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { startHub } from '../../support/hub.ts';
import { untilItHasTools } from '../../support/hubListing.ts';
import { packaged } from '../../support/hubServers.ts';
import { landlockHere, withNamespacesLeft } from '../../support/sandbox/bubblewrap.ts';
import { holder } from '../../support/sandbox/holder.ts';
import {
  mountedRoot,
  ranIn,
  sandboxedServer,
  shownAt,
  textOf,
} from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';
import { testOwner } from '../../support/testOwner.ts';
import { said } from '../../support/texts.ts';

const { tool, skip } = landlockHere();

describe('by Landlock', { skip, concurrency: true }, () => {
  it('a server sees only its folders and what its definition names', async t => {
    const base = tempFolder(t);
    writeTree(base, {
      'server/holder.cjs': holder,
      ...{ 'api/a': 'a', 'api/.env': 'key', 'api/.git/config': 'c', 'api/sub/b': 'b' },
      ...{ 'docs/d': 'd', 'named/read': 'named', 'other/secret': 'secret' },
    });
    const at = (name: string) => join(base, name);
    const server = sandboxedServer(t, {
      tool,
      command: process.execPath,
      args: [at('server/holder.cjs')],
      roots: [
        mountedRoot(at('api'), { hidden: [at('api/.env')] }),
        mountedRoot(at('docs'), { isReadOnly: true }),
      ],
      terms: { read: [at('named/read')] },
    });
    assert.equal((await server.start('by-itself')).kind, 'running');
    const outcomes = async (name: string, paths: readonly string[]) => {
      const calls = paths.map(path =>
        server.link.callTool({ name, arguments: { path: at(path) } }),
      );
      return (await Promise.all(calls)).map(textOf);
    };
    assert.deepEqual(await outcomes('read', ['api/a', 'api/.git/config', 'docs/d', 'named/read']), [
      'a',
      'c',
      'd',
      'named',
    ]);
    const unread = ['api/.env', 'other/secret', 'server/../other/secret'];
    assert.deepEqual(new Set(await outcomes('read', unread)), new Set(['EACCES']));
    const changed = ['api/a', 'api/sub/b', 'api/sub/new'];
    assert.deepEqual(new Set(await outcomes('write', changed)), new Set(['undefined']));
    const kept = ['api/.git/config', 'api/.env', 'api/new', 'docs/d', 'docs/new', 'named/read'];
    assert.deepEqual(new Set(await outcomes('write', kept)), new Set(['EACCES']));
  });

  it('each level of a folder is as open as it is shown', async t => {
    const root = tempFolder(t);
    const levels = ['1', '1/2', '1/2/3', '1/2/3/4'];
    const within = '1/2/3/hidden/shown';
    const open = [...levels.flatMap(one => [`${one}/f`, `${one}/own/f`]), `${within}/f`];
    const files = [...open, '1/2/3/hidden/f', '1/2/key'];
    writeTree(root, Object.fromEntries(files.map(file => [file, ''])));
    const shown = levels.map((one, index) => shownAt(join(root, one), index % 2 === 1));
    const inside = shownAt(join(root, within), true);
    const hidden = [
      { path: join(root, '1/2/3/hidden'), isFolder: true, within: [inside] },
      { path: join(root, '1/2/key'), isFolder: false },
    ];
    const script = `
      for file in ${files.join(' ')}; do
        cat $file && echo read $file; true >>$file && echo change $file
      done
      for one in 1 1/own 1/2 1/2/own 1/2/3 1/2/3/4 ${within}; do true >$one/new && echo add $one; done
      for one in 1 1/2 1/2/3 1/2/3/hidden ${within}; do mv $one $one-2 && echo move $one; done`;
    const changed = /^1\/2\/(?:own\/)?f|\/4\/|shown/;
    const expected = [
      ...open.map(file => `read ${file}`),
      ...open.filter(file => changed.test(file)).map(file => `change ${file}`),
      ...['1/2/own', '1/2/3/4', within].map(one => `add ${one}`),
    ];
    for (const order of [
      [...shown, inside],
      [inside, ...shown.toReversed()],
    ]) {
      const { out } = await runIn({ shown: order, hidden, cwd: root }, script);
      assert.deepEqual(out.trim().split('\n').sort(), expected.sort());
    }
  });

  it('nothing starts if a folder, or a path to leave out, was swapped meanwhile', async t => {
    const swaps: Readonly<Record<string, (at: (name: string) => string) => void>> = {
      'by a link': at => {
        renameSync(at('root'), at('moved'));
        symlinkSync(at('other'), at('root'));
      },
      'by another folder': at => {
        renameSync(at('root'), at('moved'));
        renameSync(at('other'), at('root'));
      },
      'around what is kept': at => renameSync(at('root/sub'), at('root/moved')),
      'around what is kept, by a link': at => {
        renameSync(at('root/sub'), at('root/moved'));
        symlinkSync('moved', at('root/sub'));
      },
      'around what is kept, by a copy': at => {
        renameSync(at('root/sub'), at('root/moved'));
        writeTree(at('root'), { 'sub/.git/config': '', 'sub/.env': '' });
      },
      'hidden away': at => renameSync(at('root/sub/.env'), at('root/sub/env')),
    };
    for (const [how, swap] of Object.entries(swaps)) {
      const base = tempFolder(t);
      const at = (name: string) => join(base, name);
      writeTree(base, { 'root/sub/.git/config': 'c', 'root/sub/.env': 'key', 'other/a': 'a' });
      const shown = [shownAt(at('root'), true), shownAt(at('root/sub/.git'), false)];
      const hidden = [{ path: at('root/sub/.env'), isFolder: false }];
      const world = { shown, hidden, cwd: base };
      assert.equal((await runIn(world, 'echo runs')).out, 'runs\n');
      swap(at);
      const { out, err } = await runIn(world, 'echo runs');
      assert.deepEqual([out, err], ['', 'A folder changed since you allowed it.\n'], how);
    }
  });

  it('no file outside gets another mode, time or owner, and no process a signal', async t => {
    const base = tempFolder(t);
    writeTree(base, { 'root/a': '', key: 'key' });
    const key = join(base, 'key');
    chmodSync(key, 0o600);
    const { mode, mtimeMs } = statSync(key);
    // Its parent is this test, which a signal would end.
    const script = 'chmod 777 "$1"; touch -d 2001-01-01 "$1"; chown 1 "$1"; kill -9 $PPID';
    await runIn({ shown: [shownAt(join(base, 'root'), true)] }, script, key);
    const after = statSync(key);
    assert.deepEqual([after.mode, after.mtimeMs, after.uid], [mode, mtimeMs, process.getuid?.()]);
    assert.equal(readFileSync(key, 'utf8'), 'key');
  });

  it('a program has a folder for its temporary files, which goes with it', async t => {
    const start = tool.start(worldWith({ env: { HOME: '/home' }, empty: ['/tmp', '/home'] }), [
      ...['/bin/sh', '-c', 'echo x >"$TMPDIR/x"; cat "$HOME/x"; pwd; ls /tmp'],
    ]);
    const { output, stderr } = await runToEnd(start, testOwner(t), AbortSignal.timeout(20_000));
    assert.equal(output, 'x\n/\n');
    assert.match(stderr.join(), /Permission denied/);
    assert.equal(existsSync(start.temporary ?? '/'), false);
    const home = tempFolder(t);
    const whole = { shown: [shownAt(home, false)], empty: [home], env: { HOME: home }, cwd: home };
    assert.equal((await runIn(whole, 'echo "$HOME"; pwd')).out, `${home}\n${home}\n`);
  });

  it('no unix socket can be had', async t => {
    const problem = await unixSocketsProblem(tool, testOwner(t));
    assert.match(said(problem ? inEnglish(problem) : ''), /^sandboxTool\.unixSocketsProblem\(/);
  });

  it('a server starts where no namespace can be made, after all ways out were tried', async t => {
    const root = tempFolder(t);
    writeTree(root, { a: 'inside' });
    const args = [packaged('@modelcontextprotocol/server-filesystem'), root];
    const server = { command: process.execPath, args, sandbox: 'on' };
    const hub = await startHub(t, {
      era: 'modern',
      roots: [root],
      config: { mcpServers: { kept: server } },
      starter: withNamespacesLeft(1),
    });
    await untilItHasTools(hub, 'kept');
    const { content } = await hub.call('kept', 'read_text_file', { path: join(root, 'a') });
    assert.equal(content[0]?.text, 'inside');
  });
});

function worldWith(world: Partial<World>): World {
  return {
    ...{ shown: [], hidden: [], links: new Map(), empty: ['/tmp'], cwd: '/' },
    ...{ env: { PATH: '/usr/bin:/bin' }, hasNetwork: false, ...world },
  };
}

/** What a script of the shell says in a world. */
async function runIn(world: Partial<World>, script: string, ...args: readonly string[]) {
  return ranIn(tool.start(worldWith(world), ['/bin/sh', '-c', script, 'sh', ...args]));
}

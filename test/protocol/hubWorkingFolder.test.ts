import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startHub } from '../support/hub.ts';
import { configOf, echoServer } from '../support/hubServers.ts';
import { hubCall, rawHub } from '../support/rawHub.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('a server works in the first root, from where relative paths start', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/': '', 'two/': '' });
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  const server = echoServer(t);
  const hub = await startHub(t, { era: 'legacy', config: configOf({ echo: server }), roots: [] });
  const where = async () => {
    const { content } = await hub.call('echo', 'started');
    return (JSON.parse(content[0]?.text ?? '') as { readonly cwd: string }).cwd;
  };
  const takesRelative = async () =>
    (await hub.call('echo', 'echo', { path: 'a.txt' })).isError !== true;
  // Without a root there is nothing that a path could start from.
  deepEqual([readdirSync(await where()), await takesRelative()], [[], false]);
  for (const roots of [[one], [two], [one, two]]) {
    await hub.setRoots(roots);
    // Straight away, while the server starts again in its new folder.
    equal(await takesRelative(), true, String(roots));
    const [first] = roots;
    // In a session the same server goes on, and knows of no reason to start again.
    equal(await where(), roots.length > 1 ? two : first);
  }
  // What it works in may be no first root here, so that such a path has to be in both folders.
  equal((await hub.call('echo', 'echo', { path: '../one/a.txt' })).isError, undefined);
  equal((await hub.call('echo', 'echo', { path: '../three/a.txt' })).isError, true);
});

test('a server without roots works in an empty folder of the hub, which is no root', async t => {
  const config = configOf({ one: echoServer(t), two: echoServer(t) });
  const session = await rawHub(t, { config, roots: [] });
  let lastId = 100;
  const call = async (server: string, tool: string, args: Record<string, unknown> = {}) => {
    lastId += 1;
    session.send(hubCall(lastId, server, tool, args));
    return (await session.answerTo(lastId)).result;
  };
  const where = async (server: string) => {
    const text = (await call(server, 'started'))?.content[0]?.text ?? '';
    return (JSON.parse(text) as { readonly cwd: string }).cwd;
  };
  const folder = await where('one');
  deepEqual([readdirSync(folder), await where('two')], [[], folder]);
  equal(statSync(folder).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o700);
  for (const path of [folder, join(folder, 'a.txt'), 'a.txt', '.']) {
    equal((await call('one', 'echo', { path }))?.isError, true, path);
  }
  // By hand: the SDK kills what does not end in its time, and then nobody removes the folder.
  session.process.stdin?.end();
  await session.exited;
  equal(existsSync(folder), false);
});

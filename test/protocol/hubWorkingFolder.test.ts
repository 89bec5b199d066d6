import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configOf, echoServer } from '../support/hubServers.ts';
import { hubCall, rawHub } from '../support/rawHub.ts';

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

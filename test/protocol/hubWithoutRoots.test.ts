import { deepEqual, doesNotMatch, equal, match, notEqual } from 'node:assert/strict';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { rootOf } from '../support/bundledServer.ts';
import { type Hub, startHub } from '../support/hub.ts';
import {
  argumentsServer,
  configOf,
  echoServer,
  filesystemServer,
  type HubServer,
  newestServer,
  plainServer,
} from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { hubCall, rawHub } from '../support/rawHub.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('a client of the hub without roots', { concurrency: 2 }, () => {
  test('shares nothing: no path is let through, and no server is told of a folder', async t => {
    const servers = serversOf(t);
    const { hub, folder } = await openHub(t, servers);
    for (const path of [join(folder, 'a.txt'), 'a.txt', '/etc/passwd']) {
      const text = textOf(await hub.call('echo', 'echo', { path }));
      match(text, /^Access denied: Path '.*' is outside .*Current roots: \[\]\./);
      match(text, /Start the server with --root PATH/);
      doesNotMatch(text, /leaveNames/);
    }
    deepEqual(await rootsOf(hub), { legacy: [], modern: [] });
    notEqual((await started(hub, 'echo')).cwd, realpathSync(homedir()));
    const refused = await hub.call('named', 'echo');
    match(textOf(refused), /"named" could not be started: .*it may see none now/);
    equal(servers.named.recorded.pids().length, 0);
    deepEqual(servers.echo.heard(), [{ tool: 'started', args: {} }]);
  });

  test('gets the folders of --root, as the servers do', async t => {
    const servers = serversOf(t);
    const { hub, folder } = await openHub(t, servers, folders => ['--root', folders]);
    equal((await hub.call('echo', 'echo', { path: 'a.txt' })).isError, undefined);
    const refused = textOf(await hub.call('echo', 'echo', { path: '/etc/passwd' }));
    equal(
      refused.includes(` Current roots: [${folder}]. It is the argument "path"`),
      true,
      refused,
    );
    const { uri } = rootOf(folder);
    deepEqual(await rootsOf(hub), { legacy: [uri], modern: [uri] });
    deepEqual(
      [(await started(hub, 'echo')).cwd, (await started(hub, 'named')).folders],
      [folder, [folder]],
    );
    equal(textOf(await hub.call('files', 'read_text_file', { path: join(folder, 'a.txt') })), 'a');
  });

  test('reaches everything with --without-roots=allow, which is warned of', {
    skip: onlyOn('posix', 'there, everything is not one folder'),
  }, async t => {
    const servers = serversOf(t);
    const allow = () => ['--without-roots=allow'];
    const { hub, folder } = await openHub(t, servers, allow);
    await until('the warning', () =>
      hub.stderr.some(line => line.startsWith('[warn] A client that names no roots may reach')),
    );
    for (const path of [join(folder, 'a.txt'), '/etc/passwd']) {
      equal((await hub.call('echo', 'echo', { path })).isError, undefined);
    }
    deepEqual(await rootsOf(hub), { legacy: ['file:///'], modern: ['file:///'] });
    deepEqual(
      [(await started(hub, 'echo')).cwd, (await started(hub, 'named')).folders],
      ['/', ['/']],
    );
  });
});

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
    match(textOf((await call('one', 'echo', { path }))!), / Share a folder in the client first\.$/);
  }
  // By hand: the SDK kills what does not end in its time, and then nobody removes the folder.
  session.process.stdin?.end();
  await session.exited;
  equal(existsSync(folder), false);
});

/** Servers that learn of roots in each of the ways, and one that does not. */
function serversOf(t: TestContext) {
  return {
    echo: echoServer(t),
    legacy: plainServer(t),
    modern: newestServer(t),
    named: argumentsServer(t),
    files: filesystemServer(t),
  };
}

async function openHub(
  t: TestContext,
  servers: Readonly<Record<string, HubServer>>,
  argsFor: (folder: string) => readonly string[] = () => [],
) {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const hub = await startHub(t, {
    era: 'modern',
    config: configOf(servers),
    args: argsFor(folder),
  });
  return { hub, folder };
}

/** The roots that servers of both eras get when they ask. */
async function rootsOf(hub: Hub) {
  const urisIn = (text: string) =>
    (JSON.parse(text) as { readonly uri: string }[]).map(({ uri }) => uri);
  return {
    legacy: urisIn(textOf(await hub.call('legacy', 'ask'))),
    modern: urisIn(textOf(await hub.call('modern', 'where'))),
  };
}

interface Started {
  readonly cwd: string;
  readonly folders: readonly string[];
}

/** How a server says that it was started. */
async function started(hub: Hub, server: string): Promise<Started> {
  return JSON.parse(textOf(await hub.call(server, 'started')));
}

function textOf({ content }: Awaited<ReturnType<Hub['call']>>): string {
  return content.map(({ text }) => text).join('\n');
}

import { deepEqual, doesNotMatch, equal, match, notEqual } from 'node:assert/strict';
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { RawSession, rootOf, textOf, toolCall } from '../support/bundledServer.ts';
import { type Hub, startHub, writeConfig } from '../support/hub.ts';
import {
  argumentsServer,
  configOf,
  echoServer,
  type HubServer,
  newestServer,
  plainServer,
} from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('a client of the hub without roots', { concurrency: 2 }, () => {
  test('shares nothing: no path passes, and no server learns of a folder', async t => {
    const servers = serversOf(t);
    const { hub, folder } = await openHub(t, servers);
    for (const path of [join(folder, 'a.txt'), 'a.txt', '/etc/passwd']) {
      const text = textOf(await hub.call('echo', 'echo', { path }));
      match(text, /^Access denied: .* \[\].* --root PATH/);
      doesNotMatch(text, /leaveNames/);
    }
    deepEqual(await rootsOf(hub), { legacy: [], modern: [] });
    notEqual((await started(hub, 'echo')).cwd, realpathSync(homedir()));
    equal((await hub.call('named', 'echo')).isError, true);
    equal(servers.named.recorded.pids().length, 0);
    deepEqual(servers.echo.heard(), [{ tool: 'started', args: {} }]);
  });

  test('gets the folders of --root, as the servers do', async t => {
    const { hub, folder } = await openHub(t, serversOf(t), folders => ['--root', folders]);
    equal((await hub.call('echo', 'echo', { path: 'a.txt' })).isError, undefined);
    const refused = textOf(await hub.call('echo', 'echo', { path: '/etc/passwd' }));
    equal(refused.includes(` Current roots: [${folder}].`), true, refused);
    await learnOf(hub, { folder, uri: rootOf(folder).uri });
  });

  test('reaches everything with --without-roots=allow, with a warning', {
    skip: onlyOn('posix', 'there, everything is not one folder'),
  }, async t => {
    const { hub } = await openHub(t, serversOf(t), () => ['--without-roots=allow']);
    await until('the warning', () =>
      hub.stderr.some(line => line.includes('--without-roots=allow')),
    );
    equal((await hub.call('echo', 'echo', { path: '/etc/passwd' })).isError, undefined);
    await learnOf(hub, { folder: '/', uri: 'file:///' });
  });
});

test('says why it has no roots wherever they are needed', async t => {
  const folder = tempFolder(t);
  const roots = [join(folder, 'gone'), join(folder, 'never')];
  const config = configOf({ echo: echoServer(t), named: argumentsServer(t) });
  const hub = await startHub(t, { era: 'legacy', config, roots });
  const shown = textOf(await hub.callOwn('get-roots')).split('\n');
  // Each root with its reason, between what follows from that and what to do.
  deepEqual([shown.length, shown[1]?.startsWith(`Skipped ${rootOf(roots[0]!).uri}: `)], [3, true]);
  const reason = shown[1]?.slice('Skipped '.length).replace(': ', ' was skipped. ');
  const answers = [
    await hub.call('echo', 'echo', { path: 'a.txt' }),
    await hub.call('named', 'echo'),
    await hub.callOwn('list-servers'),
  ];
  deepEqual(
    answers.map(answer => textOf(answer).endsWith(`: ${reason} See get-roots.`)),
    [true, true, true],
  );
  mkdirSync(roots[1]!);
  await hub.setRoots(roots);
  equal(textOf(await hub.callOwn('list-servers')).includes('was skipped'), false);
});

test('a client that never names its roots gets its servers and a note on that', async t => {
  const config = configOf({ echo: echoServer(t) });
  const session = new RawSession(t, ['--config', writeConfig(t, config)]);
  await session.initialize();
  await session.rootsRequest();
  session.send(toolCall(2, 'list-servers'));
  const { result } = await session.answerTo(2);
  const [server = '', , why] = result?.content[0]?.text?.split('\n') ?? [];
  deepEqual([server.startsWith('echo: '), why], [true, 'The client has not answered yet.']);
});

test('a server works in the first root, where relative paths start', async t => {
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
  const empty = await where();
  deepEqual([readdirSync(empty), await takesRelative()], [[], false]);
  equal((await hub.call('echo', 'echo', { path: empty })).isError, true);
  for (const roots of [[one], [two], [one, two]]) {
    await hub.setRoots(roots);
    // Straight away, while the server starts again in its new folder.
    equal(await takesRelative(), true, String(roots));
    const [first] = roots;
    // In a session the same server goes on, and knows of no reason to start again.
    equal(await where(), roots.length > 1 ? two : first);
  }
  // Its working folder may differ from the first root, so that the path must be inside from both.
  equal((await hub.call('echo', 'echo', { path: '../one/a.txt' })).isError, undefined);
  equal((await hub.call('echo', 'echo', { path: '../three/a.txt' })).isError, true);
});

/** Servers that learn of roots in each way, and one that does not. */
function serversOf(t: TestContext) {
  return {
    echo: echoServer(t),
    legacy: plainServer(t),
    modern: newestServer(t),
    named: argumentsServer(t),
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

/** Whether servers of all kinds learn of one folder, and start in it. */
async function learnOf(
  hub: Hub,
  { folder, uri }: { readonly folder: string; readonly uri: string },
) {
  deepEqual(await rootsOf(hub), { legacy: [uri], modern: [uri] });
  deepEqual(
    [(await started(hub, 'echo')).cwd, (await started(hub, 'named')).folders],
    [folder, [folder]],
  );
}

interface Started {
  readonly cwd: string;
  readonly folders: readonly string[];
}

/** How a server says that it was started. */
async function started(hub: Hub, server: string): Promise<Started> {
  return JSON.parse(textOf(await hub.call(server, 'started')));
}

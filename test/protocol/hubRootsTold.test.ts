import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RawSession, rootOf, textOf, toolCall } from '../support/bundledServer.ts';
import { type Hub, type HubOptions, startHub, writeConfig } from '../support/hub.ts';
import { argumentsServer, configOf, echoServer } from '../support/hubServers.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('why there are no roots is told wherever they are missed', () => {
  test('those of the client are not there', async t => {
    const folder = tempFolder(t);
    const roots = [join(folder, 'gone'), join(folder, 'never')];
    const config = configOf({ echo: echoServer(t), named: argumentsServer(t) });
    const hub = await startHub(t, { era: 'legacy', config, roots });
    const [uri] = roots.map(root => rootOf(root).uri);
    const why = `No root can be used: ${uri} was skipped. It does not exist. See get-roots.`;
    deepEqual(await endings(hub, why), [true, true, true]);
    const shown = textOf(await hub.callOwn('get-roots')).split('\n');
    deepEqual(shown.slice(0, 2), [
      'No folder is shared, so no path is served.',
      `Skipped ${uri}: It does not exist.`,
    ]);
    equal(shown.length, 3);
    mkdirSync(roots[1] ?? '');
    await hub.setRoots(roots);
    equal(textOf(await hub.callOwn('list-servers')).includes('No root can be used'), false);
  });

  const others: Readonly<Record<string, (root: string) => readonly [Shared, string]>> = {
    'those of the client have nothing in common with --root': root => [
      { roots: [root], args: ['--root', join(root, '..', 'other')] },
      `No root can be used: ${rootOf(root).uri} was skipped. It has nothing in common with the ` +
        'folders that the server was started with (--root). See get-roots.',
    ],
    'that of --root is not there any more': root => [
      { args: ['--root', join(root, 'gone')] },
      `No root can be used: ${rootOf(join(root, 'gone')).uri} was skipped. It does not exist. See get-roots.`,
    ],
    'those of the client are none, and --root names none for it': root => [
      { roots: [], args: ['--root', root] },
      'The client says that it names its roots, and named none; --root only limits them.',
    ],
  };
  for (const [what, shared] of Object.entries(others)) {
    test(what, async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'root/gone/': '', 'other/': '' });
      const [options, why] = shared(join(folder, 'root'));
      const config = configOf({ echo: echoServer(t), named: argumentsServer(t) });
      const hub = await startHub(t, { era: 'legacy', config, ...options });
      rmdirSync(join(folder, 'root/gone'));
      deepEqual(await endings(hub, why), [true, true, true]);
    });
  }
});

type Shared = Pick<HubOptions, 'roots' | 'args'>;

test('a client that never says what its roots are is told of its servers, and of that', async t => {
  const config = configOf({ echo: echoServer(t) });
  const session = new RawSession(t, ['--config', writeConfig(t, config)]);
  await session.initialize();
  await session.rootsRequest();
  session.send(toolCall(2, 'list-servers'));
  const { result } = await session.answerTo(2);
  const [server, , why] = result?.content[0]?.text?.split('\n') ?? [];
  match(server ?? '', /^echo: not running, and starts when it is called\./);
  equal(why, 'The client has not answered yet.');
});

/** Whether a refused path, a server that can't be started and the list of servers end with it. */
async function endings(hub: Hub, why: string): Promise<readonly boolean[]> {
  const answers = [
    await hub.call('echo', 'echo', { path: 'a.txt' }),
    await hub.call('named', 'echo'),
    await hub.callOwn('list-servers'),
  ].map(textOf);
  ok(answers[0]?.startsWith("Access denied: Path 'a.txt'"), answers[0]);
  return answers.map(answer => answer.endsWith(why));
}

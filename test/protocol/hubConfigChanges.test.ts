import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Hub, startHub } from '../support/hub.ts';
import { untilListed } from '../support/hubListing.ts';
import { configOf, echoServer } from '../support/hubServers.ts';
import { isAlive, until } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('a configuration that changes while the hub runs', { concurrency: 2 }, () => {
  test('starts, ends and replaces the servers that it changes, and no other', async t => {
    const [kept, removed, changed, added] = Array.from({ length: 4 }, () => echoServer(t));
    ok(kept && removed && changed && added);
    const before = { kept, removed, changed };
    const hub = await startHub(t, {
      era: 'modern',
      config: configOf(before),
      roots: [tempFolder(t)],
    });
    const first = await allStarted(hub, Object.keys(before));
    const { command, args } = changed.definition;
    hub.edit({
      mcpServers: {
        kept: kept.definition,
        added: added.definition,
        changed: { command, args: [...(args as string[]), 'more'] },
      },
    });
    await untilListed(hub, 'the new servers', listsAll(['kept', 'added', 'changed']));
    const second = await allStarted(hub, ['kept', 'added', 'changed']);
    deepEqual(second['kept'], first['kept']);
    notEqual(second['changed']?.pid, first['changed']?.pid);
    deepEqual([first['changed']?.folders, second['changed']?.folders], [[], ['more']]);
    const refusal = await hub.call('removed', 'echo');
    deepEqual(
      [refusal.isError, refusal.content[0]?.text],
      [true, 'There is no server "removed". There are: kept, added, changed.'],
    );
    const old = [...removed.recorded.pids(), Number(first['changed']?.pid)];
    await until('the old processes are gone', () => !old.some(isAlive));
  });

  test('brings other rules to the next call without a restart, and costs a server with a mistake', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a/.env': '' });
    // Both before the hub, which ends their processes before it is looked whether they are gone.
    const [server, other] = [echoServer(t), echoServer(t)];
    const config = configOf({ echo: server });
    const hub = await startHub(t, { era: 'legacy', config, roots: [folder] });
    const path = join(folder, 'a', '.env');
    const call = () => hub.call('echo', 'echo', { path });
    equal((await call()).isError, undefined);
    hub.edit({ mcpServers: { echo: { ...server.definition, deny: ['**/.env'] } } });
    while ((await call()).isError !== true) {
      await delay(20);
    }
    match((await call()).content[0]?.text ?? '', /^Access denied: Path '.*\.env' is outside/);
    hub.edit({ mcpServers: { echo: { ...server.definition, guard: 'off' } } });
    await untilListed(hub, 'no guard', ({ servers }) =>
      servers.some(one => 'guard' in one && one.guard === 'off'),
    );
    equal((await hub.call('echo', 'echo', { path: '/etc/passwd' })).isError, undefined);

    hub.edit('{ "mcpServers": {\n  "echo": { "com');
    const { problems } = await untilListed(hub, 'a problem', told => told.problems.length > 0);
    equal(problems.length, 1);
    match(
      String(problems[0]),
      /^servers\.json:2:\d+: It is no JSON: nothing ends this text: a double quote is missing\. The servers stay as they were\.$/,
    );
    await until('it is on stderr', () => hub.stderr.includes(`[warn] ${problems[0]}`));
    equal((await call()).isError, undefined);
    equal(server.recorded.pids().length, 1);

    hub.edit({
      mcpServers: { echo: { ...server.definition, deny: ['../x'] }, other: other.definition },
    });
    const mistaken = await untilListed(hub, 'the other server alone', listsAll(['other']));
    equal(mistaken.problems.length, 1);
    // A rule that was not understood may be the one that matters.
    equal((await call()).isError, true);
    equal((await hub.call('other', 'echo')).isError, undefined);
    await until('its process is gone', () => !server.recorded.pids().some(isAlive));
    hub.edit(configOf({ echo: server, other }));
    await untilListed(hub, 'no problem', told => told.problems.length === 0);
    equal((await call()).isError, undefined);
  });
});

function listsAll(names: readonly string[]) {
  return ({ servers }: { readonly servers: readonly { readonly name: string }[] }) =>
    JSON.stringify(servers.map(({ name }) => name)) === JSON.stringify(names);
}

interface Started {
  readonly folders: readonly string[];
  readonly cwd: string;
  readonly pid: number;
}

/** Has each of the servers tell how it was started. */
async function allStarted(hub: Hub, names: readonly string[]) {
  const told: Record<string, Started> = {};
  for (const name of names) {
    const { content } = await hub.call(name, 'started');
    told[name] = JSON.parse(content[0]?.text ?? '');
  }
  return told;
}

import { equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startHub } from '../support/hub.ts';
import { untilListed } from '../support/hubListing.ts';
import { configOf, echoServer } from '../support/hubServers.ts';
import { isAlive, until } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('a configuration that changes brings other rules to the next call without a restart, and costs a server with a mistake', async t => {
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
  const mistaken = await untilListed(
    hub,
    'the other server alone',
    ({ servers }) => servers.length === 1 && servers[0]?.name === 'other',
  );
  equal(mistaken.problems.length, 1);
  // A rule that was not understood may be the one that matters.
  equal((await call()).isError, true);
  equal((await hub.call('other', 'echo')).isError, undefined);
  await until('its process is gone', () => !server.recorded.pids().some(isAlive));
  hub.edit(configOf({ echo: server, other }));
  await untilListed(hub, 'no problem', told => told.problems.length === 0);
  equal((await call()).isError, undefined);
});

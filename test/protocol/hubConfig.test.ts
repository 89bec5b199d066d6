import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { serverMain, textOf } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { untilListed } from '../support/hubListing.ts';
import { configOf, echoServer, plainServer } from '../support/hubServers.ts';
import { patience } from '../support/patience.ts';
import { isAlive, until } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('reports a mistake in the configuration, and runs the other servers', async t => {
  const [good, off] = [echoServer(t), echoServer(t)];
  const [eager, lazy] = [plainServer(t), plainServer(t)];
  const mcpServers = {
    good: good.definition,
    eager: { ...eager.definition, autoStart: true },
    lazy: lazy.definition,
    off: { ...off.definition, disabled: true, autoStart: true },
    typo: { command: 'node', comand: 'node' },
  };
  const config = { mcpServers };
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const { servers, problems } = await hub.listServers();
  deepEqual(
    servers.map(({ name }) => name),
    ['good', 'eager', 'lazy'],
  );
  equal(problems.length, 1);
  match(String(problems[0]), /^servers\.json:\d+:\d+: Server "typo": "comand"/);
  await until('it is on stderr', () => hub.stderr.includes(`[warn] ${problems[0]}`));
  equal((await hub.call('good', 'echo')).isError, undefined);
  await until('it knows the roots', () => eager.recorded.bytes().includes('"roots":[{'));
  deepEqual([lazy.recorded.pids(), off.recorded.pids()], [[], []]);
  equal((await hub.call('lazy', 'answers')).isError, undefined);
  deepEqual([eager.recorded.pids().length, lazy.recorded.pids().length], [1, 1]);
  const refusalOf = async (name: string) => {
    const result = await hub.call(name, 'echo');
    equal(result.isError, true);
    return textOf(result);
  };
  match(await refusalOf('off'), /^The server "off" .*servers\.json.*: good, eager, lazy\.$/);
  match(textOf(await hub.callOwn('list-servers')), /: "off"\.\n/);
  deepEqual(off.recorded.pids(), []);
  match(
    await refusalOf('typo'),
    /^The server "typo" .*servers\.json:\d+:\d+: .*"command"\? .*: good, /,
  );
});

test('ends with the reason at once when configuration or audit cannot be used', t => {
  const folder = tempFolder(t);
  const text = '{ "mcpServers": {} }';
  writeTree(folder, { 'half.json': '{ "mcpServers": {\n  "a"', 'servers.json': text });
  const at = (name: string) => join(folder, name);
  linkSync(at('servers.json'), at('linked.jsonl'));
  const reasonOf = (config: string, audit?: string) => {
    const args = ['--config', at(config), ...(audit ? ['--audit', at(audit)] : [])];
    const { status, stdout, stderr } = spawnSync(process.execPath, [serverMain, ...args], {
      encoding: 'utf8',
      timeout: patience,
    });
    deepEqual([status, stdout], [2, ''], config);
    // Windows parts names by a backslash, which is two where a path is quoted.
    return stderr.replaceAll(/\\+/g, '/').replaceAll(folder.replaceAll('\\', '/'), '');
  };
  match(reasonOf('none.json'), /^\S+ \S+ \/none\.json /);
  match(reasonOf('half.json'), /^half\.json:2:6: [^\n]+\n$/);
  match(reasonOf('servers.json', 'none/audit.jsonl'), /^[^"]*"\/none\/audit\.jsonl" [^\n]+\n$/);
  match(reasonOf('servers.json', 'linked.jsonl'), /^[^"]*"[^"]*linked\.jsonl" [^\n]+\n$/);
  equal(readFileSync(at('servers.json'), 'utf8'), text);
});

test('applies a changed configuration to the next call, and ends a server with a mistake', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a/.env': '' });
  // Both before the hub, which ends their processes before it is looked whether they are gone.
  const [server, other] = [echoServer(t), echoServer(t)];
  const config = configOf({ echo: server });
  const hub = await startHub(t, { era: 'legacy', config, roots: [folder] });
  const path = join(folder, 'a', '.env');
  const call = () => hub.call('echo', 'echo', { path });
  equal((await call()).isError, undefined);
  hub.edit({ mcpServers: { echo: { ...server.definition, guard: { deny: ['**/.env'] } } } });
  while ((await call()).isError !== true) {
    await delay(20);
  }
  match(textOf(await call()), /^Access denied: Path '.*\.env' is inside/);
  hub.edit({ mcpServers: { echo: { ...server.definition, guard: { check: 'off' } } } });
  await untilListed(hub, 'no guard', ({ servers }) =>
    servers.some(one => 'guard' in one && one.guard === 'off'),
  );
  equal((await hub.call('echo', 'echo', { path: '/etc/passwd' })).isError, undefined);

  hub.edit('{ "mcpServers": {\n  "echo": { "com');
  const { problems } = await untilListed(hub, 'a problem', told => told.problems.length > 0);
  equal(problems.length, 1);
  match(String(problems[0]), /^servers\.json:2:\d+: /);
  await until('it is on stderr', () => hub.stderr.includes(`[warn] ${problems[0]}`));
  equal((await call()).isError, undefined);
  equal(server.recorded.pids().length, 1);

  hub.edit({
    mcpServers: {
      echo: { ...server.definition, guard: { deny: ['../x'] } },
      other: other.definition,
    },
  });
  const mistaken = await untilListed(
    hub,
    'the other server alone',
    ({ servers }) => servers.length === 1 && servers[0]?.name === 'other',
  );
  equal(mistaken.problems.length, 1);
  // An unknown rule may be the important one.
  equal((await call()).isError, true);
  equal((await hub.call('other', 'echo')).isError, undefined);
  await until('its process is gone', () => !server.recorded.pids().some(isAlive));
  hub.edit(configOf({ echo: server, other }));
  await untilListed(hub, 'no problem', told => told.problems.length === 0);
  equal((await call()).isError, undefined);
});

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { serverMain } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { untilListed } from '../support/hubListing.ts';
import { configOf, echoServer, plainServer } from '../support/hubServers.ts';
import { patience } from '../support/patience.ts';
import { isAlive, until } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('of a configuration with a mistake, that is told, and the other servers run as it says', async t => {
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
  match(
    String(problems[0]),
    /^servers\.json:\d+:\d+: Server "typo": "comand" is not a known key\./,
  );
  await until('it is on stderr', () => hub.stderr.includes(`[warn] ${problems[0]}`));
  equal((await hub.call('good', 'echo')).isError, undefined);
  await until('it knows the roots', () => eager.recorded.bytes().includes('"roots":[{'));
  deepEqual([lazy.recorded.pids(), off.recorded.pids()], [[], []]);
  equal((await hub.call('lazy', 'answers')).isError, undefined);
  deepEqual([eager.recorded.pids().length, lazy.recorded.pids().length], [1, 1]);
  const switchedOff = await hub.call('off', 'echo');
  equal(switchedOff.isError, true);
  equal(
    switchedOff.content[0]?.text,
    '"off" is left out: It is switched off in servers.json ("disabled" or "enabled"). There are: good, eager, lazy.',
  );
  match(
    (await hub.callOwn('list-servers')).content[0]?.text ?? '',
    /\nSwitched off in the configuration: "off"\./,
  );
  deepEqual(off.recorded.pids(), []);
  match(
    (await hub.call('typo', 'echo')).content[0]?.text ?? '',
    /^"typo" is left out: servers\.json:\d+:\d+: .* Did you mean "command"\? There are: good, /,
  );
});

test('a configuration or an audit that cannot be used ends the hub with the reason, before it serves anything', t => {
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
  const missing = 'The configuration /none.json is not there. Make it, for example: {';
  ok(reasonOf('none.json').startsWith(missing));
  equal(reasonOf('half.json'), 'half.json:2:6: It is no JSON: a colon is missing.\n');
  equal(
    reasonOf('servers.json', 'none/audit.jsonl'),
    'The audit log "/none/audit.jsonl" cannot be opened. Its folder does not exist.\n',
  );
  match(
    reasonOf('servers.json', 'linked.jsonl'),
    /^The file ".*" is the configuration of the hub, not its audit: name another/,
  );
  equal(readFileSync(at('servers.json'), 'utf8'), text);
});

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
  match(
    (await call()).content[0]?.text ?? '',
    /^Access denied: Path '.*\.env' is inside the roots/,
  );
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

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverMain } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { echoServer, plainServer } from '../support/hubServers.ts';
import { patience } from '../support/patience.ts';
import { until } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('a configuration has each of its mistakes told with its place, and the other servers run as it says', async t => {
  const [good, two, off] = [echoServer(t), echoServer(t), echoServer(t)];
  const [eager, lazy] = [plainServer(t), plainServer(t)];
  const well = {
    good: good.definition,
    eager: { ...eager.definition, autoStart: true },
    lazy: lazy.definition,
    off: { ...off.definition, disabled: true, autoStart: true },
  };
  const lines = [
    '{ // As editors write it.',
    '  "mcpServers": {',
    `    ${JSON.stringify(well).slice(1, -1)},`,
    '    "no program": { "args": [] },',
    '    "typo": { "command": "node", "comand": "node" },',
    '    "glob": { "command": "node",',
    '      "deny": ["src/**", "../*.env"] },',
    '    "rule": { "command": "node", "tools": { "read": { "guard": "of" } } },',
    '    "variable": { "command": "node", "env": { "TOKEN": "${input:token}" } },',
    '    "both": { "command": "node" }',
    '  },',
    '  "servers": { "both": { "command": "node" }, "number": 5,',
    `    "two": ${JSON.stringify({ type: 'stdio', ...two.definition })}, },`,
    '  "mcpservers": {}',
    '}',
  ];
  const config = lines.join('\n');
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const { servers, problems } = await hub.listServers();
  deepEqual(
    servers.map(({ name }) => name),
    ['good', 'eager', 'lazy', 'two'],
  );
  deepEqual(
    problems.map(problem =>
      /^servers\.json:(\d+:\d+): (?:Server "([^"]+)")?/.exec(problem)?.slice(1),
    ),
    [
      ['4:5', 'no program'],
      ['5:34', 'typo'],
      ['7:26', 'glob'],
      ['8:55', 'rule'],
      ['9:47', 'variable'],
      ['10:5', 'both'],
      ['12:16', 'both'],
      ['12:47', 'number'],
      ['14:3', undefined],
    ],
    problems.join('\n'),
  );
  const told = () => hub.stderr.filter(line => line.startsWith('[warn] servers.json:'));
  await until('all of them are on stderr', () => told().length >= problems.length);
  deepEqual(
    told(),
    problems.map(problem => `[warn] ${problem}`),
  );
  for (const [name, server] of Object.entries({ good, two })) {
    equal((await hub.call(name, 'echo', { name })).isError, undefined);
    deepEqual(server.heard(), [{ tool: 'echo', args: { name } }]);
  }
  await until('it knows the roots', () => eager.recorded.bytes().includes('"roots":[{'));
  deepEqual([lazy.recorded.pids(), off.recorded.pids()], [[], []]);
  equal((await hub.call('lazy', 'answers')).isError, undefined);
  deepEqual([eager.recorded.pids().length, lazy.recorded.pids().length], [1, 1]);
  const switchedOff = await hub.call('off', 'echo');
  equal(switchedOff.isError, true);
  equal(
    switchedOff.content[0]?.text,
    '"off" is left out: It is switched off in servers.json ("disabled" or "enabled"). There are: good, eager, lazy, two.',
  );
  match(
    (await hub.callOwn('list-servers')).content[0]?.text ?? '',
    /\nSwitched off in the configuration: "off"\./,
  );
  deepEqual(off.recorded.pids(), []);
  match(
    (await hub.call('typo', 'echo')).content[0]?.text ?? '',
    /^"typo" is left out: servers\.json:5:34: .* Did you mean "command"\? There are: good, /,
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
    return stderr.replaceAll(folder, '');
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { printable } from '../../../../src/domain/printable.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { userServerId } from '../../../../src/domain/servers/serverDefinition.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { parseConfig } from '../../../../src/hub/config/parseConfig.ts';
import { anyText, junk } from '../../../support/anyArguments.ts';
import { effort } from '../../../support/effort.ts';

// More configurations than anybody would write down, right ones and wrong ones.

const secret = 'hunter2';
const origin = { file: 'servers.json', userHome: '/home/me' };

const text = fc.oneof(
  fc.constantFrom(
    ...[secret, `--key=${secret}`, `\${${secret}}`, `\${KEY:-${secret}}`, `\${input:${secret}}`],
    ...[`\${env:A}${secret}`, `https://me:${secret}@example.com`, `https://example.com/${secret}`],
    ...[`!${secret}`, `(${secret}`, `(${secret}+)+`, `[${secret}`, `~/${secret}`, '${roots}', ''],
    ...[`${secret}\0`, `\${workspaceFolder:${secret}}`, `\${rootsJoined:${secret}}`, 'on', 'npx'],
  ),
  anyText(['src/**', 'node']),
);
const anything = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 3, arbitrary: fc.array(text, { maxLength: 3 }) },
  { weight: 1, arbitrary: junk(text) },
  { weight: 1, arbitrary: fc.boolean() },
);
const keys = [
  ...['type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', 'rootsAs', 'protocol'],
  ...['autoStart', 'guard'],
  ...['disabled', 'enabled', 'roots', 'timeout', 'disabledTools', 'sandboxEnabled', 'sandbox'],
  ...['dney'],
];
const name = fc.constantFrom('A', 'TOKEN', 'read', '__proto__', 'constructor', 'a=b', '');
const key = fc.constantFrom(...keys);
const tools = fc.dictionary(name, fc.dictionary(key, anything), { maxKeys: 2 });
const value = fc.oneof(
  { weight: 4, arbitrary: anything },
  { weight: 1, arbitrary: fc.dictionary(name, anything, { maxKeys: 3 }) },
  { weight: 1, arbitrary: tools },
);
const right = fc.record({ command: fc.constant('npx'), args: fc.array(text, { maxLength: 2 }) });
const entry = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(key, value, { maxKeys: 6 }) },
  { weight: 3, arbitrary: right },
  { weight: 1, arbitrary: anything },
);
const names = fc.constantFrom('git', 'files', '__proto__', 'constructor', '', '\u202e');
const entries = fc.dictionary(names, entry, { maxKeys: 3 });
const lists = fc.record({ mcpServers: entries, servers: entries }, { requiredKeys: [] });
const config = fc.oneof({ weight: 8, arbitrary: lists }, { weight: 1, arbitrary: junk(text) });

test('reads each server, or reports it as off or wrong, without its values', () => {
  let read = 0;
  fc.assert(
    fc.property(config, value => {
      const { servers, mistakes } = readHubConfig(value, '/home/me');
      const wrong = new Set(mistakes.map(({ path }) => path[1]));
      const names = servers.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
      assert.deepEqual(
        names.filter(name => wrong.has(name)),
        [],
      );
      for (const { text } of mistakes) {
        const said = inEnglish(text);
        assert.equal(said, printable(said));
        assert.ok(!said.includes(secret), said);
        assert.match(said, /^(?:The configuration|Server "[^"]*"): .*[.?]$/);
      }
      read += servers.length;
    }),
    { numRuns: 150 * effort },
  );
  assert.ok(read > 5 * effort, `${read} were read`);
});

const path = fc.constantFrom('/proj/web', '/proj/${env:A}', '/proj/$', '/proj/a,b', 'C:\\proj');
const folders = fc.array(fc.record({ name: fc.constantFrom(secret, 'app'), path }), {
  maxLength: 2,
});

test('reads each server of the settings or reports its mistake', () => {
  let read = 0;
  fc.assert(
    fc.property(entries, folders, (setting, folders) => {
      const { servers, problems } = readServerSettings(setting, { folders, userHome: '/home/me' });
      const right = new Set(servers.map(({ id }) => id));
      const wrong = new Set(problems.map(({ path }) => path[0]));
      assert.deepEqual(
        Object.keys(setting).filter(name => right.has(userServerId(name)) === wrong.has(name)),
        [],
      );
      assert.ok(servers.every(({ rootsAs }) => rootsAs.length > 0));
      read += servers.length;
    }),
    { numRuns: 100 * effort },
  );
  assert.ok(read > 5 * effort, `only ${read} were right`);
});

test('reads equal texts equally, and gives each problem its place', () => {
  fc.assert(
    fc.property(config, value => {
      const text = JSON.stringify(value, null, 2);
      const read = parseConfig(text, origin);
      if (!read.ok) {
        assert.match(read.problem, /^servers\.json:\d+:\d+: /);
        return;
      }
      const { servers, mistakes } = readHubConfig(JSON.parse(text), '/home/me');
      assert.deepEqual(
        read.config.servers.map(({ fingerprint }) => fingerprint),
        servers.map(({ fingerprint }) => fingerprint),
      );
      const told = Math.min(mistakes.length, 100) + Number(mistakes.length > 100);
      assert.equal(read.problems.length, told);
      const lines = text.split('\n');
      for (const problem of read.problems) {
        const [, line, column] = /^servers\.json:(\d+):(\d+): /.exec(problem) ?? [];
        assert.match(lines[Number(line) - 1]?.[Number(column) - 1] ?? '', /\S/, problem);
      }
    }),
    { numRuns: 50 * effort },
  );
});

test('no text makes reading fail', () => {
  const parts = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '//', '/*', '\n', '\r', '"mcpServers"', '"servers"'],
    ...['"git"', '"git"', '"command"', '"a"', '1', 'null', '\\u', '\ud800', '{"mcpServers":{'],
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), all => {
      const read = parseConfig(all.join(''), origin);
      const problems = read.ok ? read.problems : [read.problem];
      assert.ok(problems.every(problem => /^servers\.json:\d+:\d+: .*[.?]$/.test(problem)));
    }),
    { numRuns: 200 * effort },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printable } from '../../../../src/domain/printable.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { effort } from '../../../support/effort.ts';

// More definitions than anybody would write down, right ones and wrong ones.

const parts = fc.constantFrom(
  ...['${workspaceFolder}', '${workspaceFolder:web}', '${userHome}', '${env:A}', '${input:a}'],
  ...['${roots}', '${rootsJoined:,}', '${rootsJoined}', '${firstRoot}', '${file}', '${'],
  ...['$', '{', '}', 'a', '/', ' ', '--x=', 'https://example.com/'],
);
const text = fc.array(parts, { maxLength: 4 }).map(found => found.join(''));
const anything = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const route = fc.constantFrom('roots', 'args', 'env', 'requests');
const named = fc.dictionary(fc.constantFrom('A', 'TOKEN', 'X-B', '__proto__', 'a=b'), anything);
const entry = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        type: fc.constantFrom('stdio', 'http', 'sse'),
        command: anything,
        args: fc.array(anything, { maxLength: 3 }),
        cwd: anything,
        env: named,
        envFile: anything,
        url: anything,
        headers: named,
        roots: fc.array(anything, { maxLength: 2 }),
        rootsAs: fc.oneof(route, fc.array(route)),
        protocol: fc.constantFrom('auto', 'legacy', '2026-07-28', '2025-06-18'),
        autoStart: anything,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
/** Nearly right, so that enough of them are. */
const program = fc.record({
  command: fc.constantFrom('a', '${userHome}/a', '${env:A}'),
  args: fc.array(text, { maxLength: 3 }),
  env: fc.dictionary(fc.constantFrom('A', 'TOKEN'), text),
});
const servers = fc.dictionary(
  fc.oneof(fc.constantFrom('files', '__proto__', 'constructor', ''), fc.string()),
  fc.oneof(entry, program),
  { maxKeys: 4 },
);
const path = fc.constantFrom('/proj/web', '/proj/${env:A}', '/proj/$', '/proj/a,b', 'C:\\proj');
const folders = fc.array(fc.record({ name: fc.constantFrom('web', 'app'), path }), {
  maxLength: 2,
});

test('each server is either read or told what is wrong with it, whatever the settings hold', () => {
  let read = 0;
  const property = fc.property(servers, folders, (setting, window) => {
    const around = { folders: window, userHome: '/home/me' };
    const result = readServerSettings(setting, around);
    const found = new Set(result.servers.map(({ id }) => id));
    const told = result.problems.map(({ text }) => inEnglish(text));
    for (const name of Object.keys(setting)) {
      const isFound = found.has(`setting:${name}`);
      assert.equal(
        isFound || told.some(text => text.includes(`Server "${printable(name)}" in`)),
        true,
        name,
      );
    }
    assert.ok(result.servers.every(({ rootsAs }) => rootsAs.length > 0));
    read += result.servers.length;
  });
  fc.assert(property, { numRuns: 50 * effort });
  assert.ok(read > 5 * effort, `only ${read} servers were right`);
});

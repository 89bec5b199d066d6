import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { printable } from '../../../../src/domain/printable.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { type Launch, launchTexts } from '../../../../src/domain/servers/launch.ts';
import { expandLaunch } from '../../../../src/domain/settings/expandLaunch.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { variablesIn } from '../../../../src/domain/settings/variables.ts';
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
const value = fc.oneof(path, fc.constantFrom('${roots}', '${env:A}', '', 'x'), fc.string());

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

test('a launch that was read is expanded in one pass, or told why not', () => {
  let expanded = 0;
  const values = fc.record({
    env: fc.dictionary(fc.constant('A'), value),
    inputs: fc.array(fc.tuple(fc.constant('a'), value), { maxLength: 1 }),
    roots: fc.array(value, { maxLength: 3 }),
  });
  const property = fc.property(program, folders, values, (definition, window, given) => {
    const around = { folders: window, userHome: '/home/me' };
    const [server] = readServerSettings({ a: definition }, around).servers;
    if (server) {
      const inputs = new Map(given.inputs);
      const outcome = expandLaunch(server.launch, { ...given, inputs });
      if (outcome.ok) {
        expanded += 1;
        assert.deepEqual(
          launchTexts(outcome.launch).map(({ text }) => text),
          expectedTexts(server.launch, { ...given, inputs }),
        );
      }
    }
  });
  fc.assert(property, { numRuns: 100 * effort });
  assert.ok(expanded > 5 * effort, `only ${expanded} launches were expanded`);
});

interface Given {
  readonly env: Readonly<Record<string, string>>;
  readonly inputs: ReadonlyMap<string, string>;
  readonly roots: readonly string[];
}

/** The same by splitting: what is between variables stays, and each of them is looked up. */
function expectedTexts(launch: Launch, { env, inputs, roots }: Given): string[] {
  const fill = (text: string, root: string) => {
    let rest = text;
    let filled = '';
    for (const { asWritten, variable } of variablesIn(text)) {
      const at = rest.indexOf(asWritten);
      const isMissing = (found: string | undefined) =>
        found ?? assert.fail(`${asWritten} is missing`);
      const found = {
        roots: root,
        firstRoot: roots[0],
        rootsJoined: roots.join(asWritten === '${rootsJoined}' ? delimiter : ','),
        env: env['A'],
        input: inputs.get('a'),
      }[variable?.kind as string];
      filled += rest.slice(0, at) + isMissing(found);
      rest = rest.slice(at + asWritten.length);
    }
    return filled + rest;
  };
  return launchTexts(launch).flatMap(({ text }) =>
    text.includes('${roots}') ? roots.map(root => fill(text, root)) : [fill(text, '')],
  );
}

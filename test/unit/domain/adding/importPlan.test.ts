import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { convertServer } from '../../../../src/domain/adding/convertServer.ts';
import { planImport } from '../../../../src/domain/adding/importPlan.ts';
import { serverEntry } from '../../../../src/domain/gateway/clientEntries.ts';
import type { ImportSource } from '../../../../src/domain/gateway/clientFiles.ts';
import { inEnglish, wordsInEnglish } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { effort } from '../../../support/effort.ts';
import {
  emptySettings,
  fileOf,
  fixture,
  planFor,
  shownPlan,
  sourceOf,
} from '../../../support/importing.ts';

const user = { scope: 'user' } as const;

/** Files as they are found on real machines, each with the place it would be in. */
const files: Readonly<Record<string, ImportSource>> = {
  vscode: sourceOf('vscode'),
  claude: sourceOf('claude-code'),
  cursor: sourceOf('cursor'),
  desktop: { label: 'desktop file', at: [], scope: 'user' },
};

const plans = () =>
  Object.entries(files).map(
    ([name, source]) => [name, planImport([fileOf(`${name}.txt`, source)], emptySettings)] as const,
  );

describe('importing servers', () => {
  it('converts the files of every client as expected, to the letter', () => {
    for (const [name, plan] of plans()) {
      const expected = JSON.parse(fixture(`${name}.expected.json`));
      assert.deepEqual(JSON.parse(JSON.stringify(shownPlan(plan))), expected, name);
    }
  });

  it('shows and writes no secret of any file, and keeps those of what it takes over', () => {
    for (const [name, plan] of plans()) {
      assert.doesNotMatch(JSON.stringify(shownPlan(plan)), /hunter2|aHVudGVyMi/i, name);
    }
    const kept = plans().flatMap(([, { candidates }]) => candidates.flatMap(one => one.kept));
    assert.equal(kept.length, 6);
    assert.deepEqual(
      kept.filter(({ value }) => !value.includes('hunter2')),
      [],
    );
  });

  it('writes only what the settings take without a word', () => {
    const entries = plans().flatMap(([, { candidates }]) =>
      candidates.flatMap(({ name, entry }) => (entry ? [[name, entry]] : [])),
    );
    const { problems } = readServerSettings(Object.fromEntries(entries), emptySettings.around);
    assert.ok(entries.length > 10);
    assert.deepEqual(problems, []);
  });

  it('leaves out what leads to MCP Roots itself: it would start itself in a ring', () => {
    const { args } = serverEntry('claude-code', 'files', '/x/hub/connect.cjs', []);
    const { candidates } = planFor({ files: { command: 'node', args } });
    assert.deepEqual(
      candidates.map(({ status, notes }) => [status, ...notes.map(inEnglish)]),
      [['impossible', 'It looks like an entry that leads to MCP Roots.']],
    );
  });

  it('finds lists inside of files that have another purpose, and says nothing of the rest', () => {
    const state = (more: Partial<ImportSource>) =>
      fileOf('claudeState.txt', sourceOf('claude-code', { ...user, ...more }));
    const settings = { at: ['settings', 'mcp'] };
    const { candidates, notes } = planImport(
      [
        state({}),
        state({ at: ['projects', '/proj/api'] }),
        state({ at: ['projects', '/proj/none'] }),
        fileOf('workspace.txt', sourceOf('vscode', settings)),
      ],
      emptySettings,
    );
    assert.deepEqual(
      candidates.map(({ name }) => name),
      ['memory', 'here', 'team'],
    );
    assert.deepEqual(notes, []);
  });

  it('never overwrites: another server of the same name gets a name of its own', () => {
    const existing = {
      ...emptySettings,
      servers: { git: { command: 'old-git' }, 'git-2': { command: 'older-git' } },
    };
    const [found] = planFor({ git: { command: 'git-server' } }, undefined, existing).candidates;
    assert.deepEqual(
      { name: found?.name, originalName: found?.originalName, status: found?.status },
      { name: 'git-3', originalName: 'git', status: 'ready' },
    );
  });

  it('knows what it has imported before, under whichever name, secrets and inputs included, sandboxed or not', () => {
    const source = sourceOf('vscode');
    const file = fileOf('vscode.txt', source);
    const existing = {
      ...emptySettings,
      servers: { github: { command: 'something-else' } },
      inputs: [],
    };
    const first = planImport([file], existing);
    assert.equal(first.candidates[0]?.name, 'github-2');

    const taken = first.candidates.filter(({ entry }) => entry);
    const again = planImport([file], {
      ...existing,
      servers: {
        ...existing.servers,
        ...Object.fromEntries(taken.map(({ name, entry }) => [name, { ...entry, sandbox: 'on' }])),
      },
      inputs: taken.flatMap(({ inputs }) => inputs),
    });
    assert.deepEqual(
      again.candidates.filter(({ entry }) => entry).map(({ name, status }) => [name, status]),
      taken.map(({ name }) => [name, 'present']),
    );
  });

  it('leaves an input of the settings as it is, and says so', () => {
    const inputs = [{ id: 'github-token', description: 'Mine' }];
    const existing = { ...emptySettings, inputs };
    const { candidates } = planImport([fileOf('vscode.txt', sourceOf('vscode'))], existing);
    assert.deepEqual(candidates[0]?.notes.map(inEnglish), [
      'You are asked as the settings say already: github-token.',
      'Not taken over: gallery, version.',
    ]);
  });

  it('takes a server that two files define once', () => {
    const servers = { git: { command: 'git-server', args: [] } };
    const value = { mcpServers: servers };
    const { candidates } = planImport(
      [
        { source: sourceOf('cursor'), value },
        {
          source: sourceOf('claude-code'),
          value: { servers: { git: { type: 'stdio', ...servers.git } } },
        },
      ],
      emptySettings,
    );
    assert.deepEqual(
      candidates.map(({ status }) => status),
      ['ready', 'present'],
    );
  });

  it('gives each server inputs of its own, whatever the names are', () => {
    const { candidates } = planFor({
      'a-b': { command: 'x', env: { C_TOKEN: 'one' } },
      a: { command: 'x', env: { 'b-C_TOKEN': 'two' } },
    });
    const ids = candidates.flatMap(({ inputs }) => inputs.map(({ id }) => id));
    assert.deepEqual(ids, ['a-b-C_TOKEN', 'a-b-C_TOKEN-2']);
  });

  it('says of a file that is no object, or holds no object of servers, what is wrong', () => {
    const said = (value: unknown) =>
      planImport([{ source: sourceOf('vscode'), value }], emptySettings).notes.map(({ note }) =>
        inEnglish(note),
      );
    foundAsExpected({
      list: [said([]), ['It is not an object.']],
      text: [said('servers'), ['It is not an object.']],
      nothing: [said(null), ['It is not an object.']],
      servers: [said({ servers: ['a'] }), ['"servers" is not an object of servers by name.']],
      empty: [said({}), []],
    });
  });

  it('leaves variables to the folder that a file is in, and paths from it where there are others', () => {
    const servers = {
      a: { command: 'x', args: ['${workspaceFolder}/a', '${workspaceFolder:b}'], cwd: 'lib' },
    };
    const entryIn = (source: ImportSource) => planFor(servers, source).candidates[0]?.entry;
    assert.deepEqual(entryIn(sourceOf('vscode')), {
      command: 'x',
      args: ['${workspaceFolder:api}/a', '${workspaceFolder:b}'],
    });
    const { folder: _, ...onlyFolder } = sourceOf('vscode');
    assert.deepEqual(entryIn(onlyFolder), servers.a);
  });

  it('says of a misspelt key for the program or the URL what was meant', () => {
    const said = (raw: object) => {
      const { notes } = convertServer('x', raw, { known: new Map(), around: emptySettings.around });
      return notes.map(inEnglish);
    };
    assert.deepEqual(
      [said({ comand: 'npx', args: ['-y'], dev: {} }), said({ serverUrl: 'https://x' })],
      [
        ['"comand" is not a known key. Did you mean "command"?'],
        ['"serverUrl" is not a known key. Did you mean "url"?'],
      ],
    );
  });

  it('refuses what is far too long for a server', () => {
    const [found] = planFor({ long: { command: 'x', args: ['y'.repeat(200_000)] } }).candidates;
    assert.equal(found?.status, 'impossible');
  });
});

describe('the conversion of any JSON', () => {
  const terms = { known: new Map(), around: emptySettings.around };
  const knownKey = fc.constantFrom(
    ...['type', 'command', 'args', 'env', 'cwd', 'envFile', 'url', 'headers', 'disabled', 'roots'],
  );
  const likely = fc.oneof(
    fc.constantFrom('stdio', 'http', 'sse', 'npx', 'https://example.com/mcp', '${X}', ''),
    fc.array(fc.string()),
    fc.dictionary(fc.string(), fc.string()),
    fc.jsonValue(),
  );
  const entry = fc.dictionary(fc.oneof(knownKey, fc.string()), likely);
  const source = fc.constantFrom(...Object.values(files));

  it('never throws, and loses no key in silence', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(entry, fc.jsonValue()), source, (name, raw, source) => {
        const { entry, notes } = convertServer(name, raw, { ...terms, source });
        if (!entry || typeof raw !== 'object' || raw === null) {
          return; // It is refused as a whole, which is said.
        }
        const lost = notes.find(({ template }) => template.startsWith('Not taken over'));
        const names = wordsInEnglish(lost?.values[0] ?? '').split(', ');
        const handled = new Set([...Object.keys(entry), ...names]);
        const silent = Object.keys(raw)
          .map(key => JSON.stringify(key).slice(1, -1))
          .filter(key => /^[\w ]+$/.test(key) && !handled.has(key));
        assert.deepEqual(silent, []);
      }),
      { numRuns: 200 * effort },
    );
  });

  it('never lets a secret through that is named as one', () => {
    const secret = 'hunter2-Zx9';
    const place = fc.constantFrom<(value: string) => object>(
      value => ({ command: 'x', env: { API_TOKEN: value } }),
      value => ({ command: 'x', args: ['--password', value] }),
      value => ({ command: 'x', args: [`--api-key=${value}`] }),
      value => ({ command: 'x', args: ['-e', `DB_PASSWORD=${value}`] }),
      value => ({ command: 'x', args: [`--env=DB_PASSWORD=${value}`] }),
      value => ({ command: 'x', args: ['--header', `X-Api-Key: ${value}`] }),
      value => ({ command: 'x', args: [`postgres://me:${value}@db/x`] }),
      value => ({ command: 'x', env: { CONFIG: `{"apiKey": "${value}"}` } }),
      value => ({ url: `https://example.com/mcp?token=${value}&x=1` }),
      value => ({ url: 'https://example.com/mcp', headers: { Authorization: `Bearer ${value}` } }),
      value => ({ url: 'https://example.com/mcp', headers: { Cookie: value } }),
    );
    fc.assert(
      fc.property(place, source, (make, source) => {
        const converted = convertServer('s', make(secret), { ...terms, source });
        const { kept, ...shown } = converted;
        assert.ok(converted.entry);
        assert.doesNotMatch(JSON.stringify(shown), /hunter2/);
        assert.equal(kept.length, 1);
      }),
    );
  });

  it('puts together what it took apart', () => {
    const texts = [
      'postgres://me:${input:x}p@ss@db.example.com/x?password=y&z=1',
      'Authorization: Bearer abc${env:X}def',
      '{"apiKey": "a\\"b", "name": "c"}',
      'Server=x;Password=abc;Pooling=true',
    ];
    for (const text of texts) {
      const { entry, kept } = convertServer('s', { command: 'x', args: [text] }, terms);
      const arg = String(entry?.['args']);
      const back = kept.reduce(
        (all, { inputId, value }) => all.replace(`\${input:${inputId}}`, () => value),
        arg,
      );
      assert.ok(kept.length > 0, text);
      assert.equal(back, text);
    }
  });
});

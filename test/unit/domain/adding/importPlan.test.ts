import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { conversionNotes, convertServer } from '../../../../src/domain/adding/convertServer.ts';
import { isOfWorkspace, planImport } from '../../../../src/domain/adding/importPlan.ts';
import { serverEntry } from '../../../../src/domain/gateway/clientEntries.ts';
import type { ImportSource } from '../../../../src/domain/gateway/clientFiles.ts';
import { wordsInEnglish } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { effort } from '../../../support/effort.ts';
import {
  emptySettings,
  fileOf,
  fixture,
  noteBy,
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
  it('converts the files of every client exactly as expected', () => {
    for (const [name, plan] of plans()) {
      const expected = JSON.parse(fixture(`${name}.expected.json`));
      assert.deepEqual(JSON.parse(JSON.stringify(shownPlan(plan))), expected, name);
    }
  });

  it('shows and writes no secret, and keeps the secrets of imported servers', () => {
    for (const [name, plan] of plans()) {
      assert.doesNotMatch(JSON.stringify(shownPlan(plan)), /hunter2|aHVudGVyMi/i, name);
    }
    const kept = plans().flatMap(([, { candidates }]) => candidates.flatMap(one => one.kept));
    assert.deepEqual(
      kept.map(({ value }) => value.includes('hunter2')),
      Array(8).fill(true),
    );
  });

  it('writes only servers that the settings accept without a mistake', () => {
    const entries = plans().flatMap(([, { candidates }]) =>
      candidates.flatMap(({ name, entry }) => (entry ? [[name, entry]] : [])),
    );
    const { problems } = readServerSettings(Object.fromEntries(entries), emptySettings.around);
    assert.deepEqual([entries.length > 10, problems], [true, []]);
  });

  it('leaves out entries of MCP Roots, which would start itself in a ring', () => {
    const { args } = serverEntry('claude-code', 'files', '/x/hub/connect.cjs', []);
    const { candidates } = planFor({ files: { command: 'node', args } });
    assert.deepEqual(
      candidates.map(({ status, notes }) => [status, ...notes.map(noteBy)]),
      [['impossible', 'convertServer()']],
    );
  });

  it('finds lists in files for another purpose, and ignores the rest', () => {
    const state = (more: Partial<ImportSource>) =>
      fileOf('claudeState.txt', sourceOf('claude-code', { ...user, ...more }));
    const settings = { at: ['settings', 'mcp'] };
    const projects = ['/proj/api', '/proj/none'].map(path => state({ at: ['projects', path] }));
    const workspace = fileOf('workspace.txt', sourceOf('vscode', settings));
    const { candidates, notes } = planImport([state({}), ...projects, workspace], emptySettings);
    const names = candidates.map(({ name }) => name);
    assert.deepEqual([names, notes], [['memory', 'here', 'team'], []]);
  });

  it('never overwrites, and recognizes imported servers by any name, secrets or sandbox', () => {
    const source = sourceOf('vscode');
    const file = fileOf('vscode.txt', source);
    const servers = { github: { command: 'something-else' }, 'github-2': { command: 'older' } };
    const first = planImport([file], { ...emptySettings, servers });
    const [github] = first.candidates;
    const found = [github?.name, github?.originalName, github?.status];
    assert.deepEqual(found, ['github-3', 'github', 'ready']);
    const taken = first.candidates.filter(({ entry }) => entry);
    const added = taken.map(({ name, entry }) => [name, { ...entry, sandbox: 'on' }]);
    const again = planImport([file], {
      ...emptySettings,
      servers: { ...servers, ...Object.fromEntries(added) },
      inputs: taken.flatMap(({ inputs }) => inputs),
    });
    assert.deepEqual(
      again.candidates.filter(({ entry }) => entry).map(({ name, status }) => [name, status]),
      taken.map(({ name }) => [name, 'present']),
    );
  });

  it('keeps an existing input of the settings, and says so', () => {
    const inputs = [{ id: 'github-token', description: 'Mine' }];
    const existing = { ...emptySettings, inputs };
    const { candidates } = planImport([fileOf('vscode.txt', sourceOf('vscode'))], existing);
    assert.deepEqual(candidates[0]?.notes.map(noteBy), [
      'defined(github-token)',
      'dropped(gallery, version)',
    ]);
  });

  it('recognizes a server that only adds default values', () => {
    const launch = { command: 'x', args: ['${workspaceFolder:api}/a'] };
    const same = [
      { ...launch, env: {}, type: 'stdio' },
      { ...launch, env: { A: null }, headers: null, cwd: '' },
      { ...launch, args: ['/proj/api/a'], autoStart: false },
    ];
    const { folder: _, ...source } = sourceOf('cursor');
    const files = [launch, ...same, { ...launch, env: { A: '1' } }].map(server => ({
      source,
      value: { mcpServers: { it: server } },
    }));
    assert.deepEqual(
      planImport(files, emptySettings).candidates.map(({ name, status }) => [name, status]),
      [['it', 'ready'], ...same.map(() => ['it', 'present']), ['it-2', 'ready']],
    );
  });

  it('tells a server of this workspace from one for every window', () => {
    const elsewhere = { label: '~', at: [], scope: 'user' } as const;
    const [entry, here] = [{ command: 'x' }, { command: 'x', args: ['${workspaceFolder:api}/a'] }];
    assert.equal(isOfWorkspace({ entry, source: elsewhere }), false);
    const inProject = { ...elsewhere, at: ['projects', '/proj/api'] };
    const ofWorkspace = [inProject, sourceOf('cursor')].map(source => ({ entry, source }));
    const all = [...ofWorkspace, { entry: here, source: elsewhere }, { entry: here }];
    assert.ok(all.every(isOfWorkspace));
  });

  it('gives each server separate inputs, whatever the names are', () => {
    const { candidates } = planFor({
      'a-b': { command: 'x', env: { C_TOKEN: 'one' } },
      a: { command: 'x', env: { 'b-C_TOKEN': 'two' } },
    });
    const ids = candidates.flatMap(({ inputs }) => inputs.map(({ id }) => id));
    assert.deepEqual(ids, ['a-b-C_TOKEN', 'a-b-C_TOKEN-2']);
  });

  it('names the mistake of a file without an object of servers', () => {
    const said = (value: unknown) =>
      planImport([{ source: sourceOf('vscode'), value }], emptySettings).notes.map(({ note }) =>
        noteBy(note),
      );
    const nothing = ['importPlan.planImport.note()'];
    assert.deepEqual([[], 'servers', null].map(said), [nothing, nothing, nothing]);
    assert.deepEqual(
      [said({ servers: ['a'] }), said({})],
      [['importPlan.planImport(servers)'], []],
    );
  });

  it('starts a server in the folder of its file, and names that folder unless it is the first', () => {
    const args = ['${workspaceFolder}/a', '${workspaceFolder:b}', 'lib/a.js'];
    const servers = {
      a: { command: 'x', args, cwd: 'lib', envFile: '.env' },
      b: { command: './x' },
      c: { command: 'x', cwd: '${env:DIR}', envFile: '/etc/x' },
      d: { url: 'https://example.com/mcp' },
    };
    const entriesIn = (source: ImportSource) =>
      planFor(servers, source).candidates.map(({ entry }) => entry);
    const inFolder = (folder: string) => {
      const [cwd, envFile] = [`${folder}/lib`, `${folder}/.env`];
      const a = { command: 'x', args: [`${folder}/a`, args[1], args[2]], cwd, envFile };
      return [a, { command: './x', cwd: folder }, servers.c, servers.d];
    };
    const source = sourceOf('vscode', { folder: 'web' });
    assert.deepEqual(entriesIn(source), inFolder('${workspaceFolder:web}'));
    // Another folder has this name, too.
    assert.deepEqual(entriesIn({ ...source, folderPath: '/b/web' }), inFolder('/b/web'));
    const { folder: _, ...onlyFolder } = source;
    assert.deepEqual(entriesIn(onlyFolder), Object.values(servers));
    const [first, ...others] = entriesIn(sourceOf('vscode'));
    const inFirst = ['${workspaceFolder:api}/a', ...args.slice(1)];
    assert.deepEqual([first, ...others.slice(0, 1)], [{ ...servers.a, args: inFirst }, servers.b]);
  });

  it('names the key that was meant by a misspelt key for program or URL', () => {
    const said = (raw: object) => {
      const { notes } = convertServer('x', raw, { known: new Map(), around: emptySettings.around });
      return notes.map(noteBy);
    };
    assert.deepEqual(
      [said({ comand: 'npx', args: ['-y'], dev: {} }), said({ urll: 'https://x' })],
      [['comand noteUnknown(command)'], ['urll noteUnknown(url)']],
    );
  });

  it('refuses an entry far too long for a server', () => {
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

  it('never throws, and reports every lost key', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(entry, fc.jsonValue()), source, (name, raw, source) => {
        const { entry, notes } = convertServer(name, raw, { ...terms, source });
        if (!entry || typeof raw !== 'object' || raw === null) {
          return; // The entry is refused as a whole, with a message.
        }
        const lost = notes.find(({ template }) => template === conversionNotes.dropped);
        const names = wordsInEnglish(lost?.values[0] ?? '').split(', ');
        const isOff = notes.some(({ template }) => template === conversionNotes.off);
        const handled = new Set([...Object.keys(entry), ...names, ...(isOff ? ['disabled'] : [])]);
        const silent = Object.entries(raw)
          // Nothing is lost with these.
          .filter(([key, value]) => value !== null && !(key === 'disabled' && value === false))
          .map(([key]) => JSON.stringify(key).slice(1, -1))
          .filter(key => /^[\w ]+$/.test(key) && !handled.has(key));
        assert.deepEqual(silent, []);
      }),
      { numRuns: 200 * effort },
    );
  });

  it('never lets a secret with a telling name through', () => {
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

  it('asks for a placeholder of a secret, and keeps any other value', () => {
    const placeholders = [
      ...['<token>', '{secret}', '{{API_KEY}}', '[your key]', '%TOKEN%', '***', '...', 'sk-...'],
      ...['YOUR_TOKEN_HERE', 'ANTHROPIC_API_KEY_HERE', 'xoxb-your-slack-token', 'my_api_key'],
      ...['REPLACE_ME', 'change-me', 'changeme', 'replace_with_token', 'xxx', 'sk-ant-xxxxx'],
      ...['ghp_xxxxxxxxxxxx', 'AKIAXXXXXXXXXXXX', 'enter-api-key', 'Enter the key', 'TODO'],
      ...['sk-<your key>', 'pplx-your-api-key', 'SLACK_BOT_TOKEN', 'Put your key here'],
    ];
    const secrets = [
      ...['hunter2', 'password', 'sk-1234', 'a-here-b', 'yourself1', '1xX9xx', 'Example1', 'A_B'],
      'enter replace add change token secret key alpha bravo hotel kilo lima',
    ];
    const isAsked = (value: string) =>
      convertServer('s', { command: 'x', env: { API_TOKEN: value } }, terms).kept.length === 0;
    assert.deepEqual([...placeholders, ...secrets].filter(isAsked), placeholders);
  });

  it('restores the parts of a value', () => {
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

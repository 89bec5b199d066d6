import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownPath } from '../../../../src/domain/json.ts';
import { inEnglish, type Sentence } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { mistakeBy, saidBy } from '../../../support/texts.ts';

const around = { folders: [], userHome: '/home/me' };
const command = 'files';
const url = 'https://example.com/mcp';

/** The mistakes in one server with this entry: the place of each, and which text says what to write. */
function told(entry: unknown): string[] {
  const { servers, problems } = readServerSettings({ files: entry }, around);
  assert.equal(servers.length, problems.length === 0 ? 1 : 0);
  return problems.map(mistakeBy);
}

/** Entries, each with its mistakes; most have one. */
const cases: readonly (readonly [entry: unknown, ...mistakes: string[]])[] = [
  ['files', 'readEntry()'],
  [{}, 'command readCommand()'],
  [{ command: ' ' }, 'command readCommand()'],
  [{ command: ['files'] }, 'command readCommand()'],
  [{ command, args: '-y' }, 'args readTexts()'],
  [{ command, args: ['-y', 5, 'x', null] }, 'args[1] notText()', 'args[3] notText()'],
  [{ command, cwd: 5 }, 'cwd stdio.read()'],
  [{ command, cwd: '' }, 'cwd stdio.read()'],
  [{ command, env: ['A=b'] }, 'env readNamedTexts()'],
  [{ command, env: { A: [], B: true } }, 'env.A notText()'],
  [{ command, env: { 'A=b': 'c' } }, 'env.A=b stdio()'],
  [{ command, args: ['a\0'] }, 'args[0] checkCharacters()'],
  // Over HTTP.
  [{ url: `https://${'A='.repeat(10_000)}` }, 'url urlProblem()'],
  [{ url: [url] }, 'url urlProblem()'],
  [{ url: 'example.com/mcp' }, 'url urlProblem()'],
  [{ url: 'ftp://example.com' }, 'url urlProblem()'],
  [{ url: 'https://me:hunter2@example.com/mcp' }, 'url urlProblem(${input:…})'],
  [{ url: 'https://${input:user}@example.com/mcp' }, 'url urlProblem(${input:…})'],
  [{ url, headers: 'X: y' }, 'headers readNamedTexts()'],
  [{ url, headers: { 'X-A': [] } }, 'headers.X-A notText()'],
  [{ url, headers: { 'X: A': 'b' } }, 'headers.X: A http()'],
  [{ url, headers: { 'X-A': 'b\r\nX-B: c' } }, 'headers.X-A checkCharacters()'],
  [{ url: '${env:BASE}/mcp' }],
  [{ url: 'http://${env:HOST}:${env:PORT}/${input:a}?b=${input:b}' }],
  [{ url: '${input:url}' }],
  // The way a server is reached.
  [{ type: 'websocket', command }, 'type readChoice("stdio", "http", "sse")'],
  [{ type: 'sse', url, command }, 'command ofProcess()'],
  [{ command, url }, 'url ofCalled()'],
  [{ type: 'stdio', command, url, headers: {} }, 'url ofCalled()', 'headers ofCalled()'],
  [{ type: 'http', command, url, env: {} }, 'command ofProcess()', 'env ofProcess()'],
  // A misspelt key is not missing, too.
  [{ url, serverUrl: 1 }, 'serverUrl noteUnknown(url)'],
  [{ serverUrl: url, headers: {} }, 'serverUrl noteUnknown(url)'],
  // Terms.
  [{ command, roots: 'web' }, 'roots readTexts()'],
  [{ command, roots: ['web', 5, ''] }, 'roots[1] notText()', 'roots[1] readOffers()'],
  [{ command, roots: ['${env:DIR}'] }, 'roots[0] checkFolderVariables(${env:DIR})'],
  [{ command, tools: 'get_*' }, 'tools readTexts()'],
  [{ command, tools: ['get_*', 5] }, 'tools[1] notText()'],
  [{ command, tools: [] }, 'tools readTools()'],
  [{ command, tools: ['!'] }, 'tools readTools()'],
  [{ command, tools: ['a', '${env:TOOL}'] }, 'tools readTools()'],
  [{ command, protocol: '2025-06-18' }, 'protocol readChoice("auto", "legacy", "2026-07-28")'],
  [{ command, autoStart: 'true' }, 'autoStart readSwitch()'],
  // How roots are to travel.
  [{ command, rootsAs: 'arguments' }, 'rootsAs readRoutes("roots", "args", "env")'],
  [{ command, rootsAs: ['args', 5] }, 'rootsAs readRoutes("roots", "args", "env")'],
  [{ command, args: ['${roots}'], rootsAs: 'roots' }, 'rootsAs withRoutes(args, "args" or "cwd")'],
  [
    { command, cwd: '${firstRoot}', rootsAs: ['roots'] },
    'rootsAs withRoutes(args, "args" or "cwd")',
  ],
  [
    { command, args: ['${roots}'], env: { A: '${firstRoot}' }, rootsAs: ['roots', 'args'] },
    'rootsAs withRoutes(env, "env")',
  ],
  [{ command, args: ['${roots}'], rootsAs: ['args', 'env'] }, 'rootsAs namesNoVariable()'],
  // Variables that cannot stand there.
  [{ command: '${firstRoot}/run' }, 'command checkPlace()'],
  [{ command, envFile: '${firstRoot}/.env' }, 'envFile checkPlace()'],
  [{ command, envFile: '${input:file}' }, 'envFile checkPlace()'],
  [{ command, env: { DIRS: '${roots}' } }, 'env.DIRS checkPlace()'],
  [{ command, cwd: '${rootsJoined:,}' }, 'cwd checkPlace()'],
  [{ url: `${url}?dirs=\${rootsJoined:,}` }, 'url checkPlace()'],
  [{ url, headers: { Dir: '${firstRoot}' } }, 'headers.Dir checkPlace()'],
  [
    { url, headers: { Dir: '${workspaceFolder}', Home: '${userHome}' } },
    'headers.Dir checkPlace()',
    'headers.Home checkPlace()',
  ],
];

describe('a mistake in a definition', () => {
  it('is reported with its place and what to write', () => {
    assert.deepEqual(
      cases.map(([entry]) => [entry, ...told(entry)]),
      cases,
    );
  });

  it('is an unknown key, reported with the one that may be meant', () => {
    const odd = JSON.parse('{ "__proto__": {}, "x\\n\\u202e": 1, "disabled": true }');
    const long = 'command'.repeat(9);
    const meant = {
      ...{ comand: 'command', Args: 'args', arguments: 'args', environment: 'env' },
      ...{ envfile: 'envFile', autostart: 'autoStart', root: 'roots' },
    };
    const keys = Object.keys({ ...meant, ...odd, [long]: 1 });
    const known =
      'command, args, cwd, env, envFile, sandbox, type, roots, rootsAs, protocol, autoStart, keepAlive, tools';
    assert.deepEqual(
      keys.map(key => told({ command, [key]: 1 })),
      keys.map(key => [`${key} noteUnknown(${new Map(Object.entries(meant)).get(key) ?? known})`]),
    );
  });

  it('is an unknown variable, reported without its default, which may be a secret', () => {
    const texts = ['${file}', '${}', '${env}', '${env:}', '${A:-b}', '${env:A:-${B}}'];
    const shown = ['${file}', '${}', '${env}', '${env:}', '${A:-…}', '${env:A:-…}'];
    const told = (entry: object) =>
      readServerSettings({ files: entry }, around).problems.map(({ path, said }) => {
        const { template, values } = said.values[1] as Sentence;
        return [shownPath(path), saidBy({ template, values: [] }), values[0]];
      });
    const unknown = 'definitionVariables.unknownVariable({0}, {1})';
    assert.deepEqual(
      [told({ command, args: texts }), told({ url, headers: { A: '${token}' } })],
      [
        shown.map((text, at) => [`files.args[${at}]`, unknown, text]),
        [['files.headers.A', unknown, '${token}']],
      ],
    );
  });
});

describe('mistakes', () => {
  it('are all reported, and leave out their server, never the others', () => {
    const definitions = {
      one: { command: 'one' },
      two: { command: '', args: [1], env: { A: [] }, colour: 1, protocol: 2 },
      three: { url },
      four: null,
      '': { command: 'five' },
    };
    const { servers, problems } = readServerSettings(definitions, around);
    assert.deepEqual(
      servers.map(({ label }) => label),
      ['one', 'three'],
    );
    const [, mistake] = problems;
    assert.ok(inEnglish(mistake!.text).startsWith('Server "two" in mcpRoots.servers: "colour" '));
    assert.deepEqual(
      problems.map(({ path }) => shownPath(path)),
      ['two.protocol', 'two.colour', 'two.command', 'two.args[0]', 'two.env.A', 'four', ''],
    );
  });

  it('are reported up to a readable number', () => {
    const args = [Array.from({ length: 1000 }, (_, index) => `\${${index}}`).join('')];
    assert.equal(told({ command, args }).length, 50);
  });

  it('never repeat a value, which may be a secret', () => {
    const secret = 'hunter2';
    const entries = [
      ...[secret, [secret], { command: [secret] }, { command, args: secret }],
      ...['cwd', 'envFile', 'args', 'env', 'roots'].map(key => ({ command, [key]: [[secret]] })),
      ...['env', 'type', 'roots', 'rootsAs', 'protocol', 'autoStart', 'keepAlive', 'tools'].map(
        key => ({
          command,
          [key]: secret,
        }),
      ),
      { command, env: { TOKEN: [secret] } },
      { command, env: { A: `${secret}\0` } },
      { url: secret },
      { url: `https://me:${secret}@example.com` },
      { url, headers: { Authorization: [secret] } },
      { url, headers: { Authorization: `${secret}\n` } },
    ];
    const texts = entries.map(entry =>
      readServerSettings({ files: entry }, around)
        .problems.map(({ text }) => inEnglish(text))
        .join('\n'),
    );
    assert.ok(texts.every(text => text !== ''));
    assert.doesNotMatch(texts.join('\n'), /hunter2/);
  });
});

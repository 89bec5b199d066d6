import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { hubKeys } from '../../../../src/domain/hubConfig/hubServer.ts';
import { shownPath } from '../../../../src/domain/json.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { definitionKeys } from '../../../../src/domain/settings/definitionKeys.ts';
import { said } from '../../../support/texts.ts';

const url = 'https://example.com/mcp';

/** The names of the servers that are run, and each mistake by its place and its text. */
function read(value: unknown) {
  const { servers, mistakes } = readHubConfig(value, '/home/me');
  return {
    names: servers.map(({ name }) => name),
    mistakes: mistakes.map(({ path, text }) => {
      const [subject = ''] = /^[^:]*: /.exec(inEnglish(text)) ?? [];
      return [shownPath(path), subject, said(inEnglish(text).slice(subject.length))];
    }),
  };
}

/** The places and texts of the mistakes in one server, which is left out, unlike its neighbor. */
function mistakesIn(entry: unknown): [place: string, text: string][] {
  const { servers, mistakes } = readHubConfig(
    { mcpServers: { git: entry, good: { command: 'a' } } },
    '/home/me',
  );
  deepEqual([servers.map(({ name }) => name), mistakes.length > 0], [['good'], true]);
  return mistakes.map(({ path, text }) => {
    deepEqual(path.slice(0, 2), ['mcpServers', 'git']);
    const place = shownPath(path.slice(2));
    const start = `Server "git": "${place}" `;
    ok(inEnglish(text).startsWith(start), inEnglish(text));
    return [place, said(inEnglish(text).slice(start.length))];
  });
}

function placesIn(entry: unknown): string[] {
  return mistakesIn(entry).map(([place]) => place);
}

const start = { command: 'a' };
const tooMany = Array.from({ length: 60 }, (_, index) => `${index}`);

const mistaken: readonly (readonly [entry: object, ...places: readonly string[]])[] = [
  [
    { command: '', args: [5, '${input:key}'], env: { A: {} }, autoStart: 1, foo: 1 },
    ...['autoStart', 'foo', 'command', 'args[0]', 'env.A', 'args[1]'],
  ],
  [{ command: [], url }, 'url', 'command'],
  [{ ...start, dney: ['**/.env'], Guard: 'on' }, 'dney', 'Guard'],
  [
    { url, guard: { alow: [], tools: { read: { alow: [], roots: [] } } } },
    ...['guard.alow', 'guard.tools.read.alow', 'guard.tools.read.roots'],
  ],
  [{ ...start, guard: 'off' }, 'guard'],
  // Keys by which another client would restrict a server, and a hub cannot.
  [
    { ...start, roots: ['/proj'], disabledTools: ['rm'], includeTools: ['ls'] },
    ...['roots', 'disabledTools', 'includeTools'],
  ],
  // A sandbox that cannot be meant, or cannot be had.
  [
    { ...start, sandbox: { read: ['${userHome}/a', '${workspaceFolder}', '${env:A}/b', 'a'] } },
    ...['sandbox.read[1]', 'sandbox.read[2]', 'sandbox.read[3]'],
  ],
  [{ ...start, sandbox: 'off', sandboxEnabled: true }, 'sandbox'],
  [{ url, sandboxEnabled: true }, 'sandbox'],
  [{ command: 'docker', sandboxEnabled: true }, 'sandbox'],
  // Variables that a hub does not have.
  [
    {
      command: '${roots}',
      args: ['${workspaceFolder}', '${workspaceFolder:web}', '${workspaceFolderBasename}'],
      env: { A: '${TOKEN}', B: '${TOKEN:-secret}', C: '${command:x.y}' },
      cwd: '${roots}',
    },
    ...['command', 'args[0]', 'args[1]', 'args[2]', 'cwd', 'env.A', 'env.B', 'env.C'],
  ],
  [{ url: 'https://me:word@example.com' }, 'url'],
  // Unknown rules may be the important ones.
  [
    { ...start, guard: { check: true, checkNames: 'path', allow: 'src' } },
    ...['guard.check', 'guard.checkNames', 'guard.allow'],
  ],
  [
    { ...start, guard: { leaveNames: [5, ''], deny: [5, 'ok'] } },
    ...['guard.leaveNames[0]', 'guard.leaveNames[1]', 'guard.deny[0]'],
  ],
  [
    { ...start, guard: { pathPatterns: ['(', '', 'a\\-b', 'a'.repeat(501), 'a'] } },
    ...[0, 1, 2, 3].map(index => `guard.pathPatterns[${index}]`),
  ],
  [
    { ...start, guard: { tools: { x: { allow: tooMany }, y: 1 } } },
    ...['guard.tools.x.allow', 'guard.tools.y'],
  ],
];

test('leaves out a server with a mistake, and reports each mistake at its place', () => {
  deepEqual(
    mistaken.map(([entry]) => placesIn(entry).sort()),
    mistaken.map(([, ...places]) => places.sort()),
  );
});

test('finds a mistake under each key of a server, and takes no key for another client’s', () => {
  const { stdio, http } = definitionKeys;
  // The hub has no browser, so it signs nobody in.
  const { oauth: _, ...called } = http;
  const launches = [
    [start, stdio],
    [{ url }, called],
    [start, hubKeys()],
  ] as const;
  const unread = launches.flatMap(([launch, keys]) =>
    Object.keys(keys).filter(key => placesIn({ ...launch, [key]: 5 }).length === 0),
  );
  deepEqual(unread, []);
});

test('refuses VS Code’s sandbox, on or off', () => {
  for (const sandbox of [{ filesystem: { allowWrite: ['.'] } }, { network: {} }]) {
    for (const sandboxEnabled of [true, undefined]) {
      const entry = { ...start, sandbox, sandboxEnabled };
      deepEqual(mistakesIn(entry), [['sandbox', 'hubServer.ofVsCode()']]);
    }
  }
});

test('reports mistakes of the whole configuration', () => {
  const whole = 'The configuration: ';
  for (const value of [undefined, null, 5, 'x', []]) {
    deepEqual(read(value), { names: [], mistakes: [['', whole, 'hubConfig.entriesOf()']] });
  }
  deepEqual(read({ inputs: [] }).mistakes, [['', whole, 'hubConfig.noList()']]);
  const broken = read({ mcpServer: {}, mcpServers: [], servers: { a: start } });
  const places = broken.mistakes.map(([place]) => place);
  deepEqual([broken.names, places], [['a'], ['mcpServer', 'mcpServers']]);
});

test('leaves out a server without a usable name, and both servers with the same name', () => {
  const odd = JSON.parse('{ " ": { "command": "a" }, "__proto__": { "command": "a" } }');
  const { names, mistakes } = read({ mcpServers: odd });
  const places = mistakes.map(([place]) => place);
  deepEqual([names, places], [[], ['mcpServers. ', 'mcpServers.__proto__']]);
  const why = 'hubConfig.inBothLists()';
  const twice = ['mcpServers.a', 'servers.a'].map(place => [place, 'Server "a": ', why]);
  const both = read({ mcpServers: { a: start }, servers: { b: start, a: start } });
  deepEqual(both, { names: ['b'], mistakes: twice });
  const [, subject] = read({ servers: { 'a\u202e\n': 5 } }).mistakes[0] ?? [];
  deepEqual(subject, 'Server "a\\u202e\\u000a": ');
});

test('refuses only a glob that can never match', () => {
  const refused = {
    'guardRules.noGlob()': ['!a', '../a', '[', '{a', ''],
    'guardRules.elsewhere()': [
      ...['~', '~/.ssh', '~\\.ssh', '${userHome}/.ssh', 'C:/proj/**', 'c:\\proj'],
      ...['file:///proj/.env', 'FILE:/proj/.env', '{file:///proj,src}/**'],
    ],
    'guardRules.parting()': [
      ...['sub\\secrets\\**', 'secrets\\**', 'a\\*.key', 'a\\\\b', '\\\\server\\share', '\\.a'],
    ],
    'guardRules.nothing()': ['.', './', '/', '//proj', 'src//a', 'src/./a', '{../a,b}', '{,a}'],
  };
  for (const [text, deny] of Object.entries(refused)) {
    deepEqual(
      mistakesIn({ ...start, guard: { deny } }),
      deny.map((_, index) => [`guard.deny[${index}]`, text]),
    );
  }
  const deny = [
    ...['.env', '*.key', 'sub', 'sub/', '/.env', './.env', 'sub/**', '**/.env', '{.env,*.key}'],
    ...['sub/{.env,z}', '{,sub/}.env', '[.]env', '\\[id\\]', '\\!a', '[!\\-a-z.\\[!]*'],
  ];
  deepEqual(read({ mcpServers: { git: { ...start, guard: { deny } } } }).mistakes, []);
});

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import type { RuleSet } from '../../../../src/domain/guard/guardRules.ts';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import type { HubServer } from '../../../../src/domain/hubConfig/hubServer.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const url = 'https://example.com/mcp';

function servers(value: unknown): readonly HubServer[] {
  const { servers, mistakes } = readHubConfig(value, '/home/me');
  assert.deepEqual(
    mistakes.map(({ text }) => inEnglish(text)),
    [],
  );
  return servers;
}

/** The one server of this entry. */
function server(entry: object): HubServer {
  const [only] = servers({ mcpServers: { files: entry } });
  assert.ok(only);
  return only;
}

const noRules = {
  guard: undefined,
  checkNames: [],
  leaveNames: [],
  pathPatterns: [],
  allow: undefined,
  deny: undefined,
};

describe('the servers of a hub', () => {
  it('are read in the forms of all clients, with what is left out filled in', () => {
    const env = { TOKEN: '${env:TOKEN}', PORT: 8080, OFF: null };
    const plain = {
      rootsAs: ['roots'],
      protocol: 'auto',
      sandbox: undefined,
      autoStart: false,
      guard: { ...noRules, tools: new Map() },
      globsFromRoot: [],
    };
    const read = servers({
      $schema: 'https://example.com/schema.json',
      inputs: [{ id: 'key', type: 'promptString' }],
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'files', '${roots}'], cwd: '${firstRoot}', env },
        'a b': { type: 'stdio', command: '${userHome}/bin/a', envFile: '.env', autoStart: true },
      },
      servers: {
        notes: { type: 'http', url, headers: { 'X-Team': 'web' }, protocol: '2026-07-28' },
        old: { type: 'sse', url },
      },
    });
    assert.deepEqual(
      read.map(({ fingerprint, ...rest }) => rest),
      [
        {
          ...plain,
          name: 'files',
          launch: stdioLaunch({
            command: 'npx',
            args: ['-y', 'files', '${roots}'],
            cwd: '${firstRoot}',
            env: { TOKEN: '${env:TOKEN}', PORT: '8080' },
          }),
          rootsAs: ['roots', 'args'],
        },
        {
          ...plain,
          name: 'a b',
          launch: stdioLaunch({ command: '/home/me/bin/a', envFile: '.env' }),
          autoStart: true,
        },
        {
          ...plain,
          name: 'notes',
          launch: httpLaunch(url, { 'X-Team': 'web' }),
          protocol: '2026-07-28',
        },
        {
          ...plain,
          name: 'old',
          launch: { ...httpLaunch(url), transport: 'sse' },
        },
      ],
    );
  });

  it('may be none', () => {
    assert.deepEqual(servers({ mcpServers: {} }), []);
    assert.deepEqual(servers({ servers: {}, mcpServers: {} }), []);
  });

  it('are called over HTTP by whatever name a client gives to that', () => {
    const types = ['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'http-stream'];
    assert.deepEqual(
      [{ url }, ...types.map(type => ({ type, url }))].map(entry => server(entry).launch),
      [httpLaunch(url), ...types.map(() => httpLaunch(url))],
    );
  });

  it('are left out when they are switched off, whatever else is wrong with them', () => {
    const off = [
      { disabled: true, command: 'a', args: 5 },
      { enabled: false, roots: ['a'] },
    ];
    assert.deepEqual(servers({ mcpServers: { ...off } }), []);
    const notes = { command: 'a' };
    const read = readHubConfig(
      { mcpServers: { off: off[0], notes, none: 5 }, servers: { away: off[1] } },
      '/',
    );
    assert.deepEqual(read.switchedOff, ['off', 'away']);
    assert.equal(server({ command: 'a', disabled: false, enabled: true }).name, 'files');
  });

  it('are the same with and without what means something to other clients only', () => {
    const foreign = {
      alwaysAllow: ['read'],
      autoApprove: ['read'],
      trust: true,
      timeout: 60,
      description: 'Files',
      gallery: 'https://example.com',
      version: '1.0.0',
      dev: { watch: 'src/**' },
      disabledTools: [],
      sandboxEnabled: false,
      sandbox: { network: {}, filesystem: {} },
    };
    assert.deepEqual(server({ command: 'a', ...foreign }), server({ command: 'a' }));
  });

  it('are kept in a sandbox when they or VS Code say so', () => {
    const none = { read: [], write: [], network: true };
    const sandbox = (entry: object) => server({ command: 'a', ...entry }).sandbox;
    assert.deepEqual(
      [
        { sandbox: 'on' },
        { sandboxEnabled: true },
        { sandbox: { read: ['~/a'] }, sandboxEnabled: true },
        { sandbox: 'off', sandboxEnabled: false },
      ].map(sandbox),
      [none, none, { ...none, read: [resolve('/home/me/a')] }, undefined],
    );
  });

  it('may have names that other objects are born with', () => {
    const read = servers({ mcpServers: { constructor: { command: 'a' }, toString: { url } } });
    assert.deepEqual(
      read.map(({ name }) => name),
      ['constructor', 'toString'],
    );
  });
});

describe('the fingerprint of a server', () => {
  const entry = { command: 'a', args: ['x', 'y'], env: { A: '1', B: '2' } };
  const plain = server(entry).fingerprint;

  it('is the same whatever the order of keys, the name, and how calls are checked', () => {
    const same = [
      { env: { B: '2', A: '1' } },
      { type: 'stdio' },
      { autoStart: true },
      { guard: 'off', deny: ['**/.env'], tools: { read: { guard: 'on' } } },
      { protocol: 'auto', rootsAs: 'roots' },
      { sandbox: 'off' },
    ];
    assert.deepEqual(
      same.map(more => server({ ...entry, ...more }).fingerprint),
      same.map(() => plain),
    );
    assert.equal(servers({ servers: { other: entry } })[0]?.fingerprint, plain);
    assert.match(plain, /^[0-9a-f]{64}$/);
  });

  it('is another one for another process', () => {
    const others = [
      { command: 'b' },
      { args: ['y', 'x'] },
      { args: ['x,y'] },
      { env: { A: '1', B: '3' } },
      { env: { A: '1' } },
      { cwd: '/proj' },
      { envFile: '/proj/.env' },
      { protocol: 'legacy' },
      { rootsAs: ['roots', 'args'] },
      { sandbox: 'on' },
      { sandbox: { network: false } },
      { sandbox: { read: ['/a'] } },
      { sandbox: { write: ['/a'] } },
    ].map(more => server({ ...entry, ...more }).fingerprint);
    assert.equal(new Set([plain, ...others]).size, others.length + 1);
    const remote = [{ url }, { url, headers: { A: '1' } }, { url: `${url}/x` }];
    assert.equal(new Set(remote.map(one => server(one).fingerprint)).size, remote.length);
  });
});

describe('the rules of a server', () => {
  const said = {
    guard: 'on',
    checkNames: ['output'],
    leaveNames: ['target'],
    // The time that one may take is limited when it is tried.
    pathPatterns: ['--out=(\\S+)', '(?<path>src/[\\w./-]+)', '\\p{L}{3}(?=x)(?<!y)z', '(a+)+$'],
    allow: ['src/**', '*.md'],
    deny: ['**/.env'],
  };
  const samples = ['src/a.ts', 'lib/a.ts', 'README.md', '.env', 'src/.env', 'src/.env/x'];
  const matched = ({ allow, deny, ...rest }: RuleSet) => {
    const by = (glob: RuleSet['allow']) =>
      samples.filter(path => glob?.matches(path.split('/'), 0));
    return { ...rest, allow: allow && by(allow), deny: deny && by(deny) };
  };
  const expected = {
    guard: 'on',
    checkNames: ['output'],
    leaveNames: ['target'],
    pathPatterns: said.pathPatterns.map(pattern => new RegExp(pattern, 'u')),
    allow: ['src/a.ts', 'README.md', 'src/.env', 'src/.env/x'],
    deny: ['.env', 'src/.env', 'src/.env/x'],
  };

  it('are those of the server, and of single tools by whatever name', () => {
    const tools = { __proto__: null, read: said, constructor: { guard: 'off' } };
    const { guard } = server({ command: 'a', ...said, tools });
    const { tools: read, ...own } = guard;
    assert.deepEqual(matched(own), expected);
    assert.deepEqual(
      [...read].map(([name, rules]) => [name, matched(rules)]),
      [
        ['read', expected],
        ['constructor', { ...noRules, guard: 'off' }],
      ],
    );
  });

  it('allow nothing when the list of what they allow is empty', () => {
    const { guard } = server({ url, allow: [], deny: [] });
    assert.deepEqual(matched(guard), { ...noRules, allow: [], deny: [], tools: new Map() });
  });
});

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
  ...{ check: undefined, checkNames: [], leaveNames: [], pathPatterns: [] },
  ...{ allow: undefined, deny: undefined },
};

describe('the servers of a hub', () => {
  it('are read in the forms of all clients, with defaults filled in', () => {
    const env = { TOKEN: '${env:TOKEN}', PORT: 8080, DEBUG: true, OFF: null };
    const plain = {
      ...{ rootsAs: ['roots'], protocol: 'auto', sandbox: undefined, autoStart: false },
      tools: [],
      ...{ guard: { ...noRules, tools: new Map() }, globsFromRoot: [] },
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
    const local = stdioLaunch({ command: '/home/me/bin/a', envFile: '.env' });
    const called = httpLaunch(url, { 'X-Team': 'web' });
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
            env: { TOKEN: '${env:TOKEN}', PORT: '8080', DEBUG: 'true' },
          }),
          rootsAs: ['roots', 'args'],
        },
        { ...plain, name: 'a b', launch: local, autoStart: true },
        { ...plain, name: 'notes', launch: called, protocol: '2026-07-28' },
        { ...plain, name: 'old', launch: { ...httpLaunch(url), transport: 'sse' } },
      ],
    );
  });

  it('can have the form of any client', () => {
    const [start, called] = [{ command: 'a', args: ['b'] }, httpLaunch(url, { 'X-Team': 'web' })];
    const headers = { 'X-Team': 'web' };
    const forms = {
      'Copilot CLI': [{ type: 'local', ...start, tools: ['*'] }, stdioLaunch(start)],
      'Copilot CLI over HTTP': [{ type: 'http', url, headers, tools: ['*'] }, called],
      'Gemini CLI': [{ httpUrl: url, headers, trust: true, includeTools: [], timeout: 1 }, called],
      'Gemini CLI, a process': [{ ...start, cwd: './c', description: 'd' }, { cwd: './c' }],
      Windsurf: [{ serverUrl: url, headers, disabled: false, disabledTools: [] }, called],
      Cline: [{ ...start, transportType: 'stdio', autoApprove: ['x'] }, stdioLaunch(start)],
      'Cline over HTTP': [{ type: 'streamableHttp', url, headers, disabled: false }, called],
      'a URL alone': [{ url }, httpLaunch(url)],
      OpenCode: [
        { command: ['a', 'b'], environment: { A: '1' } },
        { ...start, env: { A: '1' } },
      ],
      'Cline over SSE': [{ transportType: 'sse', url }, { transport: 'sse' }],
      Roo: [{ ...start, alwaysAllow: [], timeout: 60 }, stdioLaunch(start)],
      'Cursor and LM Studio': [{ ...start, name: 'K', icon: 'x' }, stdioLaunch(start)],
    } as const;
    for (const [client, [entry, launch]] of Object.entries(forms)) {
      assert.deepEqual({ ...server(entry).launch, ...launch }, server(entry).launch, client);
    }
    for (const type of ['streamable-http', 'StreamableHttp', 'streamable_http', 'http-stream']) {
      assert.deepEqual(server({ type, url }).launch, httpLaunch(url), type);
    }
  });

  it('are left out when switched off, also by keys of other clients', () => {
    const off = [
      { disabled: true, command: 'a', args: 5 },
      { enabled: false, roots: ['a'] },
    ];
    assert.deepEqual([servers({ mcpServers: { ...off } }), servers({ servers: {} })], [[], []]);
    const notes = { command: 'a' };
    const read = readHubConfig(
      { mcpServers: { off: off[0], notes, none: 5 }, servers: { away: off[1] } },
      '/',
    );
    assert.deepEqual(read.switchedOff, ['off', 'away']);
    const on = { disabled: false, enabled: true, disabledTools: [], sandboxEnabled: false };
    const foreign = { alwaysAllow: ['read'], gallery: 'a', version: '1', dev: {}, trust: true };
    const sandbox = { network: {}, filesystem: {} };
    assert.deepEqual(server({ ...notes, ...on, ...foreign, sandbox }), server(notes));
  });

  it('are confined when they or VS Code say so', () => {
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
});

describe('the fingerprint of a server', () => {
  const entry = { command: 'a', args: ['x', 'y'], env: { A: '1', B: '2' } };
  const plain = server(entry).fingerprint;

  it('is the same for any order of keys, name and guard', () => {
    const same = [
      { env: { B: '2', A: '1' } },
      { type: 'stdio' },
      { autoStart: true },
      { guard: { check: 'off', deny: ['**/.env'], tools: { read: { check: 'on' } } } },
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

  it('differs for another process', () => {
    const others = [
      ...[{ command: 'b' }, { args: ['y', 'x'] }, { args: ['x,y'] }, { env: { A: '1', B: '3' } }],
      ...[{ env: { A: '1' } }, { cwd: '/proj' }, { envFile: '/proj/.env' }, { protocol: 'legacy' }],
      ...[{ rootsAs: ['roots', 'args'] }, { sandbox: 'on' }, { sandbox: { network: false } }],
      ...[{ sandbox: { read: ['/a'] } }, { sandbox: { write: ['/a'] } }],
    ].map(more => server({ ...entry, ...more }).fingerprint);
    assert.equal(new Set([plain, ...others]).size, others.length + 1);
    const remote = [{ url }, { url, headers: { A: '1' } }, { url: `${url}/x` }];
    assert.equal(new Set(remote.map(one => server(one).fingerprint)).size, remote.length);
  });
});

describe('the rules of a server', () => {
  const own = { check: 'on', checkNames: ['output'], leaveNames: ['target'] };
  const said = {
    ...own,
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
    ...own,
    pathPatterns: said.pathPatterns.map(pattern => new RegExp(pattern, 'u')),
    allow: ['src/a.ts', 'README.md', 'src/.env', 'src/.env/x'],
    deny: ['.env', 'src/.env', 'src/.env/x'],
  };

  it('apply to the server, and to single tools of any name', () => {
    const tools = { __proto__: null, read: said, constructor: { check: 'off' } };
    const { guard } = server({ command: 'a', guard: { ...said, tools } });
    const { tools: read, ...ofServer } = guard;
    assert.deepEqual(matched(ofServer), expected);
    assert.deepEqual(
      [...read].map(([name, rules]) => [name, matched(rules)]),
      [
        ['read', expected],
        ['constructor', { ...noRules, check: 'off' }],
      ],
    );
  });

  it('allow nothing when the list "allow" is empty', () => {
    const { guard } = server({ url, guard: { allow: [], deny: [] } });
    assert.deepEqual(matched(guard), { ...noRules, allow: [], deny: [], tools: new Map() });
  });
});

import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import {
  type HttpLaunch,
  type Launch,
  launchTexts,
  type StdioLaunch,
} from '../../../../src/domain/servers/launch.ts';
import {
  bindsContents,
  changedFields,
  changedSeals,
  type IdentityFields,
  identityOf,
  originOf,
  sealOfContents,
  sealWith,
} from '../../../../src/domain/servers/serverIdentity.ts';
import { effort } from '../../../support/effort.ts';
import { fieldsOf, httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const launch = stdioLaunch({
  command: 'npx',
  args: ['-y', 'some-server', '/data'],
  cwd: '/proj',
  env: { LOG_LEVEL: 'info', API_TOKEN: 'abc123', REGION: 'north' },
});

function identity(change: Partial<StdioLaunch>): string {
  return identityOf(fieldsOf({ ...launch, ...change }));
}

test('a server comes from the user, a remote machine or one workspace', () => {
  const servers = [
    { from: 'user' },
    { from: 'user', isOfMachine: true },
    { from: 'workspace' },
  ] as const;
  assert.deepEqual(
    servers.map(server => originOf(server, 'file:///proj')),
    ['user', 'remote machine', 'workspace file:///proj'],
  );
});

test('pins the identities of definitions: another form suspends every grant', () => {
  assert.deepEqual(
    [identity({}), identityOf(fieldsOf(stdioLaunch({ command: 'git-server' })))],
    [
      '36ec8375d9ecf1e115b3976a77166f0fbd38ed90110b3bf2f2856bfb016c08c4',
      '575959c4eeeaf6a6106227f15b81914ef78d8ca7462f06c1611df4fa2efeaf8d',
    ],
  );
});

test('a server over HTTP is its URL and headers, shown without secrets', () => {
  const fields = (url: string, headers: HttpLaunch['headers'] = {}) =>
    fieldsOf(httpLaunch(url, headers));
  const url = 'https://example.com/mcp?team=web&apiKey=hunter2#top';
  const { sealed, ...shown } = fields(url, { 'X-Team': 'web', Authorization: 'Bearer hunter2' });
  assert.deepEqual(shown, {
    origin: 'user',
    transport: 'http',
    url: 'https://example.com/mcp?team=web&apiKey=…[7]#top',
    headers: ['Authorization=Bearer …[7]', 'X-Team=web'],
  });
  assert.equal(sealed?.length, 2);
  const older = fieldsOf({ ...httpLaunch(url), transport: 'sse' });
  assert.equal(older['transport'], 'sse');
  assert.notEqual(identityOf(older), identityOf(fields(url)));
  const asClient = fieldsOf({ ...httpLaunch(url), oauth: { clientId: 'a' } });
  assert.deepEqual(asClient['oauth'], ['clientId=a']);
});

test('the order of fields and of variables does not matter, the order of arguments does', () => {
  const env = { REGION: 'north', API_TOKEN: 'abc123', LOG_LEVEL: 'info' };
  assert.equal(identity({ env }), identity({}));
  assert.equal(
    identityOf({ command: 'a', args: ['b'] }),
    identityOf({ args: ['b'], command: 'a' }),
  );
  assert.notEqual(identity({ args: ['some-server', '-y', '/data'] }), identity({}));
});

test('each field of the launch changes the identity', () => {
  const variants: readonly Partial<StdioLaunch>[] = [
    {},
    { command: 'npm' },
    { args: ['-y', 'some-server', '/data', '/more'] },
    { args: ['-y', 'some-server /data'] },
    { args: [] },
    { cwd: '/other' },
    { cwd: undefined },
    { envFile: '.env' },
    { envFile: '.env.local' },
    { env: { ...launch.env, REGION: 'south' } },
    { env: { ...launch.env, EXTRA: '' } },
    { env: { LOG_LEVEL: 'info', REGION: 'north' } },
    { env: {} },
  ];
  assert.equal(new Set(variants.map(identity)).size, variants.length);
});

describe('an identity', () => {
  it('changes with the origin, a key and the contents of the environment file', () => {
    const seal = sealWith('a key');
    const contents = (text: string) => ({ envFileSeal: sealOfContents(text, seal) });
    const identities = [
      {},
      { origin: 'workspace file:///proj' },
      { origin: 'workspace file:///other' },
      { seal: sealWith('another key') },
      contents('A=b'),
      contents('A=c'),
    ].map(terms => identityOf(fieldsOf(launch, terms)));
    assert.equal(new Set(identities).size, identities.length);
    const fields = fieldsOf(launch, contents('A=b'));
    const binds = (text: string) => bindsContents(fields, sealOfContents(text, seal));
    assert.deepEqual(['A=b', 'A=c', ''].map(binds), [true, false, false]);
  });

  it('changes with the sandbox, and is the same as ever without one', () => {
    const none = { read: [], write: [], network: true };
    const changes = [{}, { network: false }, { read: ['/a'] }, { write: ['/a'] }];
    const more = [{ read: ['/a', '/b'] }, { read: ['/a'], write: ['/b'] }];
    const sandboxes = [undefined, ...[...changes, ...more].map(change => ({ ...none, ...change }))];
    const fields = sandboxes.map(sandbox => fieldsOf(launch, { sandbox }));
    assert.equal(new Set(fields.map(identityOf)).size, sandboxes.length);
    const [before = {}, on = {}, , , , , both = {}] = fields;
    assert.deepEqual(changedFields(before, on), [{ field: 'sandbox', before: '', after: 'on' }]);
    assert.deepEqual(changedFields(both, { ...before, also: 'x' }), [
      { field: 'sandbox', before: 'on', after: '' },
      { field: 'also', before: '', after: 'x' },
    ]);
    assert.deepEqual(changedFields(on, both), [
      { field: 'reads', before: '', after: '/a' },
      { field: 'writes', before: '', after: '/b' },
    ]);
  });

  it('changes with every literal, hidden or not, and only then', () => {
    fc.assert(
      fc.property(anyLaunch, fc.nat(), anyText, (launch, at, text) => {
        const texts = launchTexts(launch);
        const { place, text: before } = texts[at % texts.length] ?? { place: [], text: '' };
        const other = withText(launch, place, text);
        assert.equal(identityOf(fieldsOf(structuredClone(launch))), identityOf(fieldsOf(launch)));
        const isSame = identityOf(fieldsOf(other)) === identityOf(fieldsOf(launch));
        assert.equal(isSame, before === text, `${place}: ${before} → ${text}`);
      }),
      { numRuns: 300 * effort },
    );
  });

  it('differs for two definitions that do different things', () => {
    fc.assert(
      fc.property(anyLaunch, anyLaunch, (a, b) => {
        const isSame = identityOf(fieldsOf(a)) === identityOf(fieldsOf(b));
        assert.equal(isSame, canonical(a) === canonical(b));
      }),
      { numRuns: 300 * effort },
    );
  });
});

/** Words that make up secrets, their names, and texts that only look like them. */
const anyWord = fc.constantFrom(
  ...['--token', '--init-private', 'good-pkg', 'evil-pkg', 'Bearer ', 'hunter2', 'hunter3'],
  ...['=', ' ', ';', ':', '&', '?key=', 'a', '…', '…[7]', '…[8]', 'sk-aaaaaaaaaaaaaaaaaaaa'],
  ...['sk-aaaaaaaaaaaaaaaaaaab', 'https://me:hunter2@host/', '${env:TOKEN}', '/etc/x', '$('],
);
const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.array(anyWord, { maxLength: 4 }).map(words => words.join('')),
);
const anyName = fc.constantFrom(
  ...['API_TOKEN', 'PYTHON_KEYRING_BACKEND', 'AUTH_SERVER', 'AUTHOR', 'Authorization', 'X-Team'],
);
const anyValues = fc.dictionary(anyName, anyText, { maxKeys: 3 });
const anyLaunch: fc.Arbitrary<Launch> = fc.oneof(
  fc
    .record({
      command: fc.oneof(fc.constantFrom('npx', 'docker', 'node'), anyText),
      args: fc.array(anyText, { maxLength: 4 }),
      cwd: fc.option(anyText.filter(Boolean), { nil: undefined }),
      env: anyValues,
      envFile: fc.option(anyText.filter(Boolean), { nil: undefined }),
    })
    .map(said => stdioLaunch(said)),
  fc
    .tuple(anyText, anyValues)
    .map(([query, headers]) => httpLaunch(`https://example.com/mcp?${query}`, headers)),
);

function withText(launch: Launch, [key, name]: readonly (string | number)[], text: string): Launch {
  const value = (launch as unknown as Record<string, unknown>)[String(key)];
  const changed = Array.isArray(value)
    ? value.map((item, index) => (index === name ? text : item))
    : typeof value === 'object'
      ? { ...value, [String(name)]: text }
      : text;
  return { ...launch, [String(key)]: changed };
}

function canonical(launch: Launch): string {
  return JSON.stringify(
    launchTexts(launch)
      .map(({ place, text }) => [place, text])
      .sort(),
  );
}

test('lists changed fields in alphabetical order, with old and new values', () => {
  const before = fieldsOf(launch);
  const args = ['server.js', '/my data'];
  const env = { LOG_LEVEL: 'debug', API_TOKEN: 'another' };
  const after = fieldsOf(stdioLaunch({ command: 'node', args, env }));
  const told = (one: IdentityFields, other: IdentityFields) =>
    changedFields(one, other).map(change => Object.values(change));
  assert.deepEqual(told(before, after), [
    ['args', '-y some-server /data', 'server.js "/my data"'],
    ['command', 'npx', 'node'],
    ['cwd', '/proj', ''],
    ['env', 'API_TOKEN=…[6] LOG_LEVEL=info REGION=north', 'API_TOKEN=…[7] LOG_LEVEL=debug'],
  ]);
  assert.deepEqual(changedSeals(before, after), ['env.API_TOKEN']);
  assert.deepEqual([told(before, before), changedSeals(before, before)], [[], []]);
  // A field that came or went is a change, too, and so is where arguments end.
  assert.deepEqual(told({ command: 'a' }, { url: 'https://host/' }), [
    ['command', 'a', ''],
    ['url', '', 'https://host/'],
  ]);
  assert.deepEqual(told({ args: ['a b'] }, { args: ['a', 'b'] }), [['args', '"a b"', 'a b']]);
});

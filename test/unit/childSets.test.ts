import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inEnglish } from '../../src/domain/sentence.ts';
import { failureSentence } from '../../src/domain/servers/failureSentence.ts';
import type { ConnectionState } from '../../src/mcp/connection.ts';
import { ChildNews } from '../../src/server/hub/children/childNews.ts';
import { failureText } from '../../src/server/hub/children/childProblem.ts';
import { rootsEffect, toldRoots } from '../../src/server/hub/children/childRoots.ts';
import type { RootFolder } from '../../src/server/roots/rootFolders.ts';
import { childSets, hubServer, nobody } from '../support/childSets.ts';
import { stdioLaunch } from '../support/launches.ts';

/** A root at this path; nothing looks whether it is there. */
function folder(path: string, name?: string): RootFolder {
  const named = name === undefined ? {} : { name };
  const uri = `file://${path}`;
  return { uri, announced: path, real: path, foldsCase: false, device: 1n, inode: 1n, ...named };
}

function withServers(t: TestContext) {
  const recorded = childSets(t);
  recorded.sets.setServers([hubServer('files', stdioLaunch())]);
  return recorded;
}

const web = folder('/proj/web');
const api = folder('/proj/api');

test('which set a tenant gets depends on its roots, their order and names, and on what it offers', t => {
  const { sets } = withServers(t);
  const set = (roots: readonly RootFolder[], capabilities = {}) =>
    sets.tenant({ ...nobody, capabilities }).use(roots);
  const first = set([web, api]);
  assert.equal(set([folder('/proj/web'), folder('/proj/api')]), first);
  const others = [
    set([api, web]),
    set([web]),
    set([]),
    set([folder('/proj/web', 'Web'), api]),
    set([web, { ...api, real: '/disk/api' }]),
    set([web, { ...api, uri: 'file:///proj/%61pi' }]),
    set([web, api], { sampling: {} }),
  ];
  assert.equal(new Set([first, ...others]).size, 8);
});

test('a set moves with its only tenant, unless there is one for these roots already', t => {
  const { sets } = withServers(t);
  const [a, b] = [sets.tenant(nobody), sets.tenant(nobody)];
  const set = a.use([web]);
  assert.equal(a.use([api]), set);
  assert.deepEqual(set.roots, [api]);
  const other = b.use([web]);
  assert.notEqual(other, set);
  assert.equal(a.use([web]), other);
  // Nobody moves what somebody else holds.
  assert.notEqual(a.use([api]), other);
  assert.deepEqual([other.roots, a.current?.roots], [[web], [api]]);
});

test('the set that is idle for the longest time gives way to the 33rd, and a held one never', t => {
  const { sets } = withServers(t);
  const tenants = Array.from({ length: 32 }, () => sets.tenant(nobody));
  const held = tenants.map((tenant, index) => tenant.use([folder(`/proj/${index}`)]));
  const late = sets.tenant(nobody);
  assert.throws(() => late.use([web]), /serves 32 clients with different roots already/);
  assert.equal(late.current, undefined);
  tenants[7]?.dispose();
  tenants[3]?.dispose();
  late.use([web]);
  const again = sets.tenant(nobody);
  assert.equal(again.use([folder('/proj/3')]), held[3]);
  assert.throws(() => sets.tenant(nobody).use([folder('/proj/7')]), /32 clients/);
  assert.throws(() => tenants[7]?.use([web]), /The session has ended/);
});

test('nothing is left of what was idle when its time was over', t => {
  const { sets, clock } = withServers(t);
  const tenant = sets.tenant(nobody);
  const set = tenant.use([web]);
  assert.equal(clock.waiting, 0);
  tenant.dispose();
  assert.equal(clock.waiting, 1);
  clock.pass(300_000);
  assert.equal(clock.waiting, 0);
  assert.notEqual(sets.tenant(nobody).use([web]), set);
});

test('what a change of roots does depends on how the server learns of them', () => {
  const [told, named] = [stdioLaunch(), stdioLaunch({ args: ['${roots}'] })];
  const elsewhere = stdioLaunch({ cwd: '/srv' });
  const effects = (launch: ReturnType<typeof stdioLaunch>, now: readonly RootFolder[]) =>
    rootsEffect(launch, [web], now);
  assert.deepEqual(
    {
      'one more': [told, named, elsewhere].map(launch => effects(launch, [web, api])),
      'another one': [told, named, elsewhere].map(launch => effects(launch, [api])),
      'one above': [told, named].map(launch => effects(launch, [folder('/proj')])),
      'one that begins alike': effects(told, [folder('/proj/we')]),
      'another name': [told, named].map(launch => effects(launch, [folder('/proj/web', 'Web')])),
      none: [told, named, elsewhere].map(launch => effects(launch, [])),
      'the first ones': [told, named, elsewhere].map(launch => rootsEffect(launch, [], [web])),
    },
    {
      'one more': ['told', 'restart', 'told'],
      'another one': ['restart', 'restart', 'told'],
      'one above': ['told', 'restart'],
      'one that begins alike': 'restart',
      'another name': ['told', 'told'],
      none: ['told', 'stop', 'told'],
      'the first ones': ['restart', 'restart', 'told'],
    },
  );
});

test('a root without a name is told of under that of its folder', () => {
  assert.deepEqual(toldRoots([web, folder('/proj/api', 'API')]), [
    { uri: 'file:///proj/web', name: 'web' },
    { uri: 'file:///proj/api', name: 'API' },
  ]);
});

test('states are told of once, with the reason for an end', () => {
  const news = new ChildNews();
  const end = { code: 3, signal: null, stderr: ['no such option'] };
  const failed = { kind: 'failed', failure: { kind: 'ended', end } } as const;
  const running = { kind: 'running', era: 'legacy', protocolVersion: '', pid: 1 } as const;
  const since = (state: ConnectionState, deaths = 0) => {
    const plan = deaths > 0 ? ({ kind: 'given-up', deaths } as const) : ({ kind: 'none' } as const);
    const told = news.since({ state, plan }, 'was stopped');
    return told && [told.state, told.reason];
  };
  assert.deepEqual(
    [
      since({ kind: 'starting' }),
      since({ kind: 'starting' }),
      since(running),
      since({ kind: 'starting' }),
      since(running),
      since(failed),
      since(failed),
      since({ kind: 'starting' }),
      since(failed, 5),
      since({ kind: 'stopped' }),
      since({ kind: 'starting' }),
      since({ kind: 'stopped' }),
    ],
    [
      ['starting', undefined],
      undefined,
      ['running', undefined],
      ['restarting', 'it was stopped'],
      ['running', undefined],
      ['failed', 'it ended with exit code 3: no such option'],
      undefined,
      ['restarting', undefined],
      ['failed', 'it ended with exit code 3: no such option, given up after 5 deaths'],
      ['stopped', undefined],
      ['starting', undefined],
      ['stopped', 'it was stopped'],
    ],
  );
});

test('a failure is told in words, and what comes from a server forges no line', () => {
  const stderr = ['panic\u001b[31m {0}\u202e', '  '];
  const ended = (signal: string | null) =>
    inEnglish(failureSentence({ kind: 'ended', end: { code: null, signal, stderr } }));
  assert.equal(ended('SIGKILL'), 'ended by SIGKILL: panic\\u001b[31m {0}\\u202e');
  assert.equal(ended(null), 'ended with exit code ?: panic\\u001b[31m {0}\\u202e');
  assert.match(
    failureText({ kind: 'unauthorized', message: 'HTTP 401' }),
    /^did not let us in: HTTP 401\. .*put a header with a token into the configuration$/,
  );
});

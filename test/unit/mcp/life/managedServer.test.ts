import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Exposure } from '../../../../src/domain/exposure.ts';
import { HumanError, sentence } from '../../../../src/domain/sentence.ts';
import { Deaths } from '../../../../src/domain/servers/restarts.ts';
import type { StartRoot } from '../../../../src/domain/servers/rootsChange.ts';
import { LackError } from '../../../../src/domain/servers/serverFailure.ts';
import {
  ManagedServer,
  type ServerHost,
  type StartRequest,
} from '../../../../src/mcp/life/managedServer.ts';
import { ServerConnection } from '../../../../src/mcp/link/connection.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { atEnd } from '../../../support/processes.ts';
import { testOwner } from '../../../support/testOwner.ts';

const [api, web] = [root('api'), root('web')];

function root(name: string): StartRoot {
  return { uri: `file:///proj/${name}`, name, path: `/proj/${name}` };
}

/** A server that exits at once, and the requests to its host. */
function managed(t: TestContext, over: Partial<ServerHost> = {}) {
  const requests: StartRequest[] = [];
  const host: ServerHost = {
    ready: async () => {},
    async target(request) {
      requests.push(request);
      return { command: process.execPath, args: ['-e', ''], cwd: process.cwd(), env: {} };
    },
    admit: start => start(),
    lookAgain: () => undefined,
    logger: { error: () => {} },
    ...over,
  };
  const launch = stdioLaunch({ args: ['${roots}'] });
  const definition = {
    id: 'a',
    label: 'a',
    launch,
    rootsAs: ['args'],
    protocol: 'legacy',
  } as const;
  const clientInfo = { name: 'test-client', version: '1' };
  const connection = new ServerConnection({ clientInfo, owner: testOwner(t) });
  const server = new ManagedServer(definition, [api], host, connection);
  atEnd(t, async () => {
    server.dispose();
    await server.stop();
  });
  const states: string[] = [];
  server.onDidChange(() => {
    if (server.state.kind !== states.at(-1)) {
      states.push(server.state.kind);
    }
  });
  const rootsAsked = () => requests.map(({ roots }) => roots);
  return { server, states, requests, rootsAsked };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}

test('starts with the roots that are present after the wait for a place', async t => {
  const place = deferred();
  const { server, rootsAsked, states } = managed(t, { admit: start => place.promise.then(start) });
  const started = server.start('by-itself');
  await setImmediate();
  server.setRoots([web]);
  place.resolve();
  assert.equal((await started).kind, 'failed');
  assert.deepEqual(rootsAsked(), [[web]]);
  assert.deepEqual(states, ['starting', 'failed']);
  assert.deepEqual(server.record.knownRoots, [{ uri: web.uri, name: web.name }]);
});

test('prepares a start again when the roots change meanwhile', async t => {
  const looks = [() => server.setRoots([api, web]), () => server.setRoots([web])];
  const { server, rootsAsked } = managed(t, { lookAgain: async () => looks.shift()?.() });
  await server.start('by-itself');
  assert.deepEqual(rootsAsked(), [[api], [api, web], [web]]);
});

test('cancels a start when the last root is lost', async t => {
  const place = deferred();
  const { server, rootsAsked, states } = managed(t, { admit: start => place.promise.then(start) });
  const started = server.start('by-itself');
  await setImmediate();
  server.setRoots([]);
  assert.equal(server.state.kind, 'stopped');
  assert.equal(server.hasLostItsRoots, true);
  place.resolve();
  await started;
  assert.deepEqual([rootsAsked(), states], [[], ['starting', 'stopped']]);
});

test('a stop during a start ends the start and its questions', async t => {
  const answer = deferred();
  const asked: AbortSignal[] = [];
  const { server } = managed(t, {
    async target({ signal }) {
      asked.push(signal);
      await answer.promise;
      throw new HumanError('It needs "{0}", which was not entered.', 'token');
    },
  });
  const started = server.start('by-hand');
  await setImmediate();
  await server.stop();
  assert.equal(asked[0]?.aborted, true);
  answer.resolve();
  assert.deepEqual(await started, { kind: 'stopped' });
});

test('joins a running start and shares its failure', async t => {
  const ready = deferred();
  let targets = 0;
  const { server } = managed(t, {
    ready: () => ready.promise,
    target() {
      targets += 1;
      return Promise.reject(new HumanError('It needs "{0}".', 'token'));
    },
    logger: { error: assert.fail },
  });
  const starts = [server.start('by-hand'), server.restart('by-itself'), server.start('by-itself')];
  ready.resolve();
  const failure = { kind: 'not-started', message: sentence('It needs "{0}".', 'token') };
  const failed = { kind: 'failed', failure };
  assert.deepEqual(await Promise.all(starts), [failed, failed, failed]);
  assert.deepEqual([targets, server.plan], [1, { kind: 'none' }]);
});

test('waits before it tries a failed installation again', async t => {
  const { server } = managed(t, {
    target: () => Promise.reject(new LackError('installation', 'The installation failed')),
  });
  const heard: unknown[] = [];
  server.onDidChangeState(({ kind }) => heard.push([kind, server.plan.kind]));
  const state = await server.start('by-itself');
  assert.equal(state.kind === 'failed' && state.failure.kind, 'not-installed');
  assert.deepEqual(heard, [['failed', 'waiting']]);
});

test('starts nothing after disposal', async t => {
  const { server, requests } = managed(t);
  server.dispose();
  assert.deepEqual(await server.start('by-hand'), { kind: 'stopped' });
  assert.deepEqual(await server.restart('by-hand'), { kind: 'stopped' });
  assert.deepEqual(requests, []);
});

test('reports the roots of the start as soon as the process exists', async t => {
  const args = ['-e', 'setInterval(() => {}, 60_000)'];
  const target = { command: process.execPath, args, cwd: process.cwd(), env: {} };
  const { server } = managed(t, { target: async () => target });
  const exposed = new Promise(resolve => server.onDidExpose(resolve));
  void server.start('by-itself');
  const { roots, trigger } = (await exposed) as Exposure;
  assert.deepEqual([roots, trigger.kind], [[{ uri: api.uri, name: api.name }], 'launch']);
  assert.equal(server.state.kind, 'starting');
  assert.equal(server.record.lastExposure?.trigger.kind, 'launch');
});

test('reports no roots when no process started', async t => {
  const target = { command: '/no/such/program', args: [], cwd: process.cwd(), env: {} };
  const { server } = managed(t, { target: async () => target });
  const exposures: Exposure[] = [];
  server.onDidExpose(exposure => exposures.push(exposure));
  assert.equal((await server.start('by-itself')).kind, 'failed');
  assert.deepEqual(exposures, []);
});

test('logs errors other than sentences for the user', async t => {
  const logged: unknown[] = [];
  const error = new Error('x');
  const { server } = managed(t, {
    target: () => Promise.reject(error),
    logger: { error: problem => void logged.push(problem) },
  });
  assert.equal((await server.start('by-itself')).kind, 'failed');
  assert.deepEqual(logged, [error]);
});

test('a start by hand of a live server forgives its deaths', async t => {
  const deaths = new Deaths();
  const { server } = managed(t, { deaths, ready: () => new Promise(() => {}) });
  void server.start('by-itself');
  deaths.add({ kind: 'not-installed', message: 'x' }, { at: 0, upSince: undefined });
  void server.start('by-hand');
  assert.equal(deaths.failureAt(0), undefined);
});

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Access } from '../../../../src/domain/consent/folderAccess.ts';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import type { AccessSource } from '../../../../src/extension/servers/accessSource.ts';
import { Server, type ServerContext } from '../../../../src/extension/servers/server.ts';
import type { ConnectionState } from '../../../../src/mcp/link.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { running } from '../../../support/shownServer.ts';
import { tempFolder } from '../../../support/temp.ts';

class WaitingServer extends Server {
  override get plan() {
    return { kind: 'waiting', deaths: 1, at: 0 } as const;
  }
}

class LiveServer extends Server {
  override get isLive() {
    return true;
  }
}

function serverIn(
  cwd: string,
  Kind = Server,
  didRevoke = new Emitter<string>(),
  accesses: Partial<AccessSource> = { onDidChange: new Emitter<void>().event },
): Server {
  const { event: onDidChange } = new Emitter<never>();
  const logFor = () => ({ followClient: () => {} });
  const records = { onDidChange, onDidRevoke: didRevoke.event };
  const context = { accesses, records, logFor };
  const definition = userServer('files', stdioLaunch({ cwd }), defaultTerms);
  return new Kind(definition, {}, context as unknown as ServerContext);
}

test('a server fails ahead for as long as something is missing, however often it is looked for', async t => {
  const cwd = join(tempFolder(t), 'later');
  const server = serverIn(cwd);
  t.after(() => server.dispose());
  const looks = [server.failsAhead(), server.failsAhead()];
  assert.deepEqual(await Promise.all(looks), [true, true]);
  assert.equal(server.state.kind, 'failed');
  mkdirSync(cwd);
  assert.equal(await server.failsAhead(), false);
  assert.equal(server.state.kind, 'stopped');
});

test('a failed server has not failed any more when a client has it running, unless it starts again by itself', async t => {
  const cwd = join(tempFolder(t), 'missing');
  const statesOf = async (Kind: typeof Server) => {
    const server = serverIn(cwd, Kind);
    t.after(() => server.dispose());
    const didChangeState = new Emitter<ConnectionState>();
    const link = { onDidChangeState: didChangeState.event };
    server.followClient({ link } as unknown as Parameters<Server['followClient']>[0]);
    await server.failsAhead();
    didChangeState.fire({ kind: 'starting' });
    const before = server.state.kind;
    didChangeState.fire(running);
    return [before, server.state.kind];
  };
  assert.deepEqual(
    [await statesOf(Server), await statesOf(WaitingServer)],
    [
      ['failed', 'stopped'],
      ['failed', 'failed'],
    ],
  );
});

test('a server that ran when the page of its window went starts when that is back, if it may', t => {
  class RunningServer extends Server {
    runs = true;
    override get isLive() {
      return this.runs;
    }
    override async stop() {
      this.runs = false;
    }
  }
  const root = { uri: 'file:///w', name: 'w' };
  const back: Access = { folders: [], roots: [root], waiting: [], isRefused: false };
  const gone: Access = { ...back, roots: [], rule: 'no-page' };
  const outcomeOf = (before: Access, after: Access, ran = true) => {
    const didChange = new Emitter<void>();
    const now = { access: back };
    const server = serverIn('/', RunningServer, new Emitter(), {
      onDidChange: didChange.event,
      of: () => now.access,
      isLaunchAllowed: () => true,
    }) as RunningServer;
    t.after(() => server.dispose());
    server.runs = ran;
    const { mock } = t.mock.method(server, 'start', async () => server.state);
    const states = [before, before, after, after].map(access => {
      now.access = access;
      didChange.fire();
      return server.runs;
    });
    return [states.at(-1), mock.callCount()];
  };
  const ruled: Access = { ...gone, rule: 'chat.mcp.access' };
  assert.deepEqual(
    [
      outcomeOf(gone, back),
      outcomeOf(gone, { ...back, roots: [] }),
      outcomeOf(gone, ruled),
      outcomeOf(gone, back, false),
      outcomeOf(ruled, back),
    ],
    [
      [false, 1],
      [false, 0],
      [false, 0],
      [false, 0],
      [false, 0],
    ],
  );
});

test('a server that runs, or is to start again, is stopped when it or every one is revoked', t => {
  const stopsOf = (Kind: typeof Server) => {
    const didRevoke = new Emitter<string>();
    const server = serverIn('/', Kind, didRevoke);
    t.after(() => server.dispose());
    const { mock } = t.mock.method(server, 'stop', async () => {});
    return ['setting:other', 'setting:files', ''].map(id => {
      didRevoke.fire(id);
      return mock.callCount();
    });
  };
  assert.deepEqual([LiveServer, WaitingServer, Server].map(stopsOf), [
    [0, 1, 2],
    [0, 1, 2],
    [0, 0, 0],
  ]);
});

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Access } from '../../../../src/domain/consent/folderAccess.ts';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import type { AccessSource } from '../../../../src/extension/servers/accessSource.ts';
import { Server, type ServerContext } from '../../../../src/extension/servers/server.ts';
import type { ConnectionState } from '../../../../src/mcp/link/link.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { accessOf, running } from '../../../support/shownServer.ts';
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

test('a server fails before its start as long as a requirement is missing', async t => {
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

test('clears a failure when a client runs the server, unless an automatic start is planned', async t => {
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
    return `${before}, ${server.state.kind}`;
  };
  const states = [await statesOf(Server), await statesOf(WaitingServer)];
  assert.deepEqual(states, ['failed, stopped', 'failed, failed']);
});

test('restarts an allowed server that ran when the page of its window was lost', t => {
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
  const back: Access = { ...accessOf(), roots: [root] };
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
    [[false, 1], ...Array(4).fill([false, 0])],
  );
});

test('stops a running or restarting server when it or every server is revoked', t => {
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
  const stops = [LiveServer, WaitingServer, Server].map(Kind => stopsOf(Kind).join());
  assert.deepEqual(stops, ['0,1,2', '0,1,2', '0,0,0']);
});

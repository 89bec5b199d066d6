import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Clients } from '../../../../src/extension/gateway/clients.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import { Overview, type Summary } from '../../../../src/extension/views/overview.ts';

/** What the overview reads from a server: its state, the folders it may see, and those that wait. */
function server(kind: string, roots: readonly string[], waiting = 0) {
  return {
    state: { kind },
    isLive: kind === 'running' || kind === 'starting',
    access: { roots: roots.map(uri => ({ uri })), waiting: Array(waiting).fill({}) },
  };
}

function servers(...all: readonly object[]) {
  const didChange = new Emitter<Server | undefined>();
  const shown = { all, onDidChange: didChange.event };
  return { servers: shown as unknown as Servers, shown, didChange };
}

/** The clients that each of the servers has. */
function clients(of: (server: Server) => readonly object[] = () => []) {
  const onDidChange = new Emitter<Server | undefined>().event;
  return { of: of as Clients['of'], onDidChange };
}

describe('the overview of the servers', () => {
  it('counts what runs, what it may see, each folder once, and what waits for an answer', () => {
    const { servers: all } = servers(
      server('running', ['file:///proj/api', 'file:///proj/web'], 1),
      server('running', ['file:///proj/api']),
      server('starting', ['file:///proj/docs'], 2),
      server('stopped', ['file:///proj/docs'], 4),
    );
    const overview = new Overview(all, clients());
    assert.deepEqual(overview.value, { running: 2, visible: 2, waiting: 3, isIdle: false });
    overview.dispose();
  });

  it('counts each client that waits for an answer once, and takes none for idle that has some', () => {
    const { servers: all } = servers(server('stopped', []));
    const its = { server: { definition: { id: 'setting:files' } } };
    const asking = { ...its, name: 'codex', session: { isWaiting: true } };
    const calm = { name: 'claude-code', session: { isWaiting: false } };
    const of = (...present: readonly object[]) =>
      new Overview(
        all,
        clients(() => present),
      ).value;
    const counted = [of(asking, asking, calm), of(calm), of({ name: 'codex', isAllowed: true })];
    assert.deepEqual(
      counted.map(({ waiting, isIdle }) => ({ waiting, isIdle })),
      [
        { waiting: 1, isIdle: false },
        { waiting: 0, isIdle: false },
        { waiting: 0, isIdle: true },
      ],
    );
  });

  it('is told once of many changes, and only when a number is another one', t => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const { servers: all, shown, didChange } = servers(server('stopped', []));
    const overview = new Overview(all, clients());
    const told: Summary[] = [];
    overview.onDidChange(summary => told.push(summary));
    didChange.fire(undefined);
    t.mock.timers.tick(1000);
    assert.deepEqual(told, []);
    shown.all = [server('running', ['file:///proj/api'])];
    for (let change = 0; change < 20; change++) {
      didChange.fire(undefined);
    }
    t.mock.timers.tick(1000);
    assert.deepEqual(told, [{ running: 1, visible: 1, waiting: 0, isIdle: false }]);
    overview.dispose();
    didChange.fire(undefined);
    t.mock.timers.tick(1000);
    assert.equal(told.length, 1);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import {
  type OpenQuestion,
  OpenQuestions,
  waitingFolders,
} from '../../../../src/extension/consent/openQuestions.ts';
import type { Clients } from '../../../../src/extension/gateway/clients.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import { Overview, type Summary } from '../../../../src/extension/views/overview.ts';

/** The overview's facts of a server: its state, its visible folders, and its waiting folders. */
function server(kind: string, roots: readonly string[], waiting = 0) {
  return {
    definition: { id: 'setting:files' },
    state: { kind },
    plan: { kind: 'none' },
    isLive: kind === 'running' || kind === 'starting',
    access: { roots: roots.map(uri => ({ uri })), waiting: Array(waiting).fill({}) },
  };
}

function overviewOf(
  all: readonly object[],
  clients: readonly object[] = [],
  waiting: readonly object[] = [],
) {
  const didChange = new Emitter<Server | undefined>();
  const { event: onDidChange } = didChange;
  const shown = { all };
  const servers = shown as unknown as Servers;
  const its = { of: () => clients } as unknown as Clients;
  const others = waiting.map(question);
  const questions = new OpenQuestions(servers, [
    { of: server => waitingFolders([server]).map(() => question(server)), onDidChange },
    { of: () => others, others, onDidChange },
  ]);
  return { overview: new Overview(servers, its, questions), shown, didChange };
}

function question(subject: object): OpenQuestion {
  const text = '' as OpenQuestion['text'];
  return { subject, text, detail: text, ask: async () => {} };
}

const nothing: Summary = {
  running: 0,
  visible: 0,
  failed: 0,
  waiting: 0,
  isIdle: true,
  isUntold: false,
};

describe('the overview of the servers', () => {
  it('counts running servers, and their visible folders once each', () => {
    const { overview } = overviewOf([
      { ...server('running', ['file:///proj/api', 'file:///proj/web']), lastExposure: {} },
      server('running', ['file:///proj/api']),
      server('stopped', ['file:///proj/docs'], 4),
    ]);
    assert.deepEqual(overview.value, { ...nothing, running: 2, visible: 2, isIdle: false });
    overview.dispose();
  });

  it('counts a failed or waiting server once, whatever the number of waiting folders', () => {
    const { overview } = overviewOf([
      server('running', [], 3),
      server('starting', [], 1),
      server('failed', []),
      { ...server('failed', []), plan: { kind: 'waiting', deaths: 1, at: 0 } },
      { ...server('failed', []), plan: { kind: 'given-up', deaths: 5 } },
    ]);
    const { failed, waiting } = overview.value;
    assert.deepEqual({ failed, waiting }, { failed: 2, waiting: 2 });
  });

  it('counts a failed server that a client wants only as waiting', () => {
    const clients = [{ name: 'codex', session: { isWaiting: true, client: {} } }];
    const { failed, waiting } = overviewOf([server('failed', [])], clients, [{}]).overview.value;
    assert.deepEqual({ failed, waiting }, { failed: 0, waiting: 1 });
  });

  it('counts a client once, and never as idle while it uses a server', () => {
    const clients = [{ name: 'codex', session: { isWaiting: true } }];
    const servers = [server('stopped', []), server('stopped', [])];
    const { overview } = overviewOf(servers, clients, [{ name: 'codex' }]);
    assert.deepEqual(overview.value, { ...nothing, waiting: 1, isIdle: false });
    const gone = overviewOf(servers, [{ name: 'codex', isAllowed: true }]).overview.value;
    assert.deepEqual(gone, nothing);
  });

  it('says that no server has seen a folder, until a server or client process has', () => {
    const isUntold = (all: readonly object[], clients?: readonly object[]) =>
      overviewOf(all, clients).overview.value.isUntold;
    const untold = server('running', ['file:///proj/api']);
    const told = { ...untold, lastExposure: {} };
    const client = { session: { isWaiting: false, lastExposure: {} } };
    assert.deepEqual(
      [isUntold([untold]), isUntold([untold, told]), isUntold([untold], [client]), isUntold([])],
      [true, false, false, false],
    );
    assert.equal(isUntold([server('running', [])]), false);
  });

  it('is announced once for many changes, and only if a number changes', t => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const { overview, shown, didChange } = overviewOf([server('stopped', [])]);
    const told: Summary[] = [];
    overview.onDidChange(summary => told.push(summary));
    didChange.fire(undefined);
    t.mock.timers.tick(1000);
    assert.deepEqual(told, []);
    shown.all = [{ ...server('running', ['file:///proj/api']), lastExposure: {} }];
    for (let change = 0; change < 20; change++) {
      didChange.fire(undefined);
    }
    t.mock.timers.tick(1000);
    assert.deepEqual(told, [{ ...nothing, running: 1, visible: 1, isIdle: false }]);
    overview.dispose();
    didChange.fire(undefined);
    t.mock.timers.tick(1000);
    assert.equal(told.length, 1);
  });
});

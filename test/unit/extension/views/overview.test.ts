import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import {
  type OpenQuestion,
  OpenQuestions,
} from '../../../../src/extension/consent/openQuestions.ts';
import { waitingFolders } from '../../../../src/extension/consent/waitingFolders.ts';
import type { Clients } from '../../../../src/extension/gateway/clients.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import { Overview, type Summary } from '../../../../src/extension/views/overview.ts';

/** What the overview reads from a server: its state, the folders it may see, and those that wait. */
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
  it('counts what runs, and what that may see, each folder once', () => {
    const { overview } = overviewOf([
      { ...server('running', ['file:///proj/api', 'file:///proj/web']), lastExposure: {} },
      server('running', ['file:///proj/api']),
      server('stopped', ['file:///proj/docs'], 4),
    ]);
    assert.deepEqual(overview.value, { ...nothing, running: 2, visible: 2, isIdle: false });
    overview.dispose();
  });

  it('counts each server once that failed or waits for an answer, however many folders wait', () => {
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

  it('counts a server that failed and is asked for only as waiting', () => {
    const clients = [{ name: 'codex', session: { isWaiting: true, client: {} } }];
    const codex = [{ name: 'codex' }];
    const { overview } = overviewOf([server('failed', [])], clients, codex);
    const { failed, waiting } = overview.value;
    assert.deepEqual({ failed, waiting }, { failed: 0, waiting: 1 });
  });

  it('counts a client once, however many servers it wants, and takes none for idle that has one', () => {
    const clients = [{ name: 'codex', session: { isWaiting: true } }];
    const servers = [server('stopped', []), server('stopped', [])];
    const { overview } = overviewOf(servers, clients, [{ name: 'codex' }]);
    assert.deepEqual(overview.value, { ...nothing, waiting: 1, isIdle: false });
    const gone = overviewOf(servers, [{ name: 'codex', isAllowed: true }]).overview.value;
    assert.deepEqual(gone, nothing);
  });

  it('says that none that may see a folder was told of it, until one is or a process for a client is', () => {
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

  it('is told once of many changes, and only when a number is another one', t => {
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Activity } from '../../../../src/domain/activity.ts';
import { StateRecorder } from '../../../../src/extension/activity/stateRecorder.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import type { StartMode } from '../../../../src/mcp/life/managedServer.ts';
import type { ConnectionState } from '../../../../src/mcp/link/link.ts';
import { accessOf, shownServer } from '../../../support/shownServer.ts';

type Fake = {
  -readonly [K in
    | 'definition'
    | 'state'
    | 'plan'
    | 'startMode'
    | 'isRetired'
    | 'access'
    | 'isStoppedForLackOfRoots'
    | 'isIdle']: Server[K];
};

const running: ConnectionState = {
  kind: 'running',
  era: 'legacy',
  protocolVersion: '2025-11-25',
  pid: 7,
};
const starting: ConnectionState = { kind: 'starting' };
const stopped: ConnectionState = { kind: 'stopped' };
const away = failed('connect ECONNREFUSED');

function failed(message: string): ConnectionState {
  return { kind: 'failed', failure: { kind: 'unreachable', message } };
}

function window() {
  const didChange = new Emitter<Fake | undefined>();
  const servers = { all: [] as Fake[], onDidChange: didChange.event };
  const added: Activity[] = [];
  const recorder = new StateRecorder(servers, { add: entry => void added.push(entry) });
  return {
    servers,
    recorder,
    didChange,
    add(label: string): Fake {
      const { definition: some } = shownServer();
      const definition = { ...some, id: `setting:${label}`, label };
      const plan = { kind: 'waiting', deaths: 1, at: 0 } as const;
      const not = { isRetired: false, isStoppedForLackOfRoots: false, isIdle: false };
      const facts = { access: accessOf(), plan, ...not };
      const server: Fake = { definition, state: stopped, startMode: 'by-itself', ...facts };
      servers.all.push(server);
      return server;
    },
    enter(server: Fake, ...states: readonly ConnectionState[]) {
      for (const state of states) {
        server.state = state;
        didChange.fire(server);
      }
    },
    /** The entries added since the last look, without their common fields. */
    take() {
      return added.splice(0).map(({ at, serverId, ...rest }) => {
        assert.ok(Math.abs(at - Date.now()) < 60_000);
        assert.equal(serverId, `setting:${rest.serverLabel}`);
        return rest;
      });
    },
  };
}

function started(serverLabel: string, mode: StartMode) {
  return { serverLabel, kind: 'started', mode, protocolVersion: '2025-11-25' };
}

function failure(serverLabel: string, message: string) {
  return {
    serverLabel,
    kind: 'failed',
    reason: { template: "can't be reached: {0}", values: [message] },
  };
}

describe('the recorder of states', () => {
  it('logs each start and stop once, however often the server changes', () => {
    const { add, enter, take } = window();
    const files = add('files');
    files.startMode = 'by-hand';
    enter(files, stopped, starting, starting, running, running);
    enter(files, { kind: 'stopping' }, stopped, stopped);
    assert.deepEqual(take(), [
      started('files', 'by-hand'),
      { serverLabel: 'files', kind: 'stopped', why: 'by-hand' },
    ]);
  });

  it('says that a server was stopped because nobody used it', () => {
    const { add, enter, take } = window();
    const files = add('files');
    enter(files, starting, running);
    take();
    files.isIdle = true;
    enter(files, { kind: 'stopping' }, stopped);
    assert.deepEqual(take(), [{ serverLabel: 'files', kind: 'stopped', why: 'idle' }]);
  });

  it('logs stop and start of a restart, and nothing for a cancelled start', () => {
    const { add, enter, take } = window();
    const files = add('files');
    enter(files, starting, running);
    take();
    enter(files, starting, running);
    files.startMode = 'by-hand';
    enter(files, starting, running);
    assert.deepEqual(take(), [
      { serverLabel: 'files', kind: 'stopped', why: 'folders-changed' },
      started('files', 'by-itself'),
      { serverLabel: 'files', kind: 'stopped', why: 'by-hand' },
      started('files', 'by-hand'),
    ]);
    const other = add('other');
    enter(other, starting, { kind: 'stopping' }, stopped);
    assert.deepEqual(take(), []);
  });

  it('logs repeated failed starts once, unless the user starts the server', () => {
    const { add, enter, take } = window();
    const far = add('far');
    enter(far, starting, away, starting, away, starting, away);
    assert.deepEqual(take(), [failure('far', 'connect ECONNREFUSED')]);
    enter(far, starting, failed('timeout'), starting, away);
    assert.deepEqual(take(), [failure('far', 'timeout'), failure('far', 'connect ECONNREFUSED')]);
    far.startMode = 'by-hand';
    enter(far, starting, away);
    assert.deepEqual(take(), [failure('far', 'connect ECONNREFUSED')]);
    far.startMode = 'by-itself';
    enter(far, starting, running, away);
    assert.deepEqual(take(), [started('far', 'by-itself'), failure('far', 'connect ECONNREFUSED')]);
  });

  it('logs each death, and that the server was given up, for every reason', () => {
    const { add, enter, take } = window();
    const silent: ConnectionState = { kind: 'failed', failure: { kind: 'silent', seconds: 60 } };
    const files = add('files');
    enter(files, starting, silent, starting, silent, starting);
    files.plan = { kind: 'given-up', deaths: 3 };
    enter(files, silent);
    const death = {
      serverLabel: 'files',
      kind: 'failed',
      reason: { template: 'did not answer within {0} seconds', values: ['60'] },
    };
    assert.deepEqual(take(), [death, death, { ...death, isGivenUp: true }]);
    const far = add('far');
    enter(far, starting, away, starting);
    far.plan = files.plan;
    enter(far, away);
    const reason = failure('far', 'connect ECONNREFUSED');
    assert.deepEqual(take(), [reason, { ...reason, isGivenUp: true }]);
  });

  it('logs the reason of each stop', () => {
    const { servers, didChange, add, enter, take } = window();
    const why = (facts: Partial<Fake>) => {
      const server = add('files');
      enter(server, starting, running);
      take();
      Object.assign(server, facts, { state: stopped });
      didChange.fire(server);
      servers.all.pop();
      return take().map(entry => 'why' in entry && entry.why);
    };
    const rule = { ...accessOf(), rule: 'chat.mcp.access' } as unknown as Fake['access'];
    assert.deepEqual(
      [why({}), why({ access: rule }), why({ isStoppedForLackOfRoots: true })],
      [['by-hand'], ['rule'], ['no-folder']],
    );
    const before = add('files');
    enter(before, starting, running);
    take();
    servers.all.pop();
    add('files');
    Object.assign(before, { state: stopped, isRetired: true });
    didChange.fire(undefined);
    assert.deepEqual(take(), [{ serverLabel: 'files', kind: 'stopped', why: 'changed' }]);
  });

  it('logs the stop of replaced servers, and of all servers with the window', () => {
    const { servers, recorder, didChange, add, enter, take } = window();
    const [gone, files] = [add('gone'), add('files')];
    enter(gone, starting, running);
    enter(files, starting, running);
    take();
    servers.all = [files];
    Object.assign(gone, { state: stopped, isRetired: true });
    didChange.fire(undefined);
    assert.deepEqual(take(), [{ serverLabel: 'gone', kind: 'stopped', why: 'removed' }]);
    recorder.dispose();
    files.isRetired = true;
    enter(files, stopped);
    assert.deepEqual(take(), []);
    recorder.recordAll();
    recorder.recordAll();
    assert.deepEqual(take(), [{ serverLabel: 'files', kind: 'stopped', why: 'window' }]);
  });
});

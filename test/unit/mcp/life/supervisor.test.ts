import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { Deaths } from '../../../../src/domain/servers/restarts.ts';
import type { Failure } from '../../../../src/domain/servers/serverFailure.ts';
import { Supervisor } from '../../../../src/mcp/life/supervisor.ts';
import type { ConnectionState } from '../../../../src/mcp/link/link.ts';
import { mockClocks } from '../../../support/turnedClock.ts';

const running = { kind: 'running', era: 'legacy', protocolVersion: '2025-11-25', pid: 1 } as const;
const starting = { kind: 'starting' } as const;
const stopping = { kind: 'stopping' } as const;
const stopped = { kind: 'stopped' } as const;
const dead = endedWith();
const away = failed({ kind: 'unreachable', message: 'connection refused' });
const distrusting = endedWith('npm error code SELF_SIGNED_CERT_IN_CHAIN');

function failed(failure: Failure): ConnectionState {
  return { kind: 'failed', failure };
}

function endedWith(...stderr: string[]): ConnectionState {
  return failed({ kind: 'ended', end: { code: 1, signal: null, stderr } });
}

/** A state of the server, a time that passes in milliseconds, or an act on its supervisor. */
type Step = ConnectionState | number | 'forget' | 'dispose';

/** A supervisor of a connection that only has states. */
function supervised(first: ConnectionState = stopped, deaths = new Deaths()) {
  const didChangeState = new Emitter<ConnectionState>();
  const connection = { state: first, onDidChangeState: didChangeState.event };
  let starts = 0;
  const supervisor = new Supervisor(() => {
    starts += 1;
  }, deaths);
  supervisor.watch(connection);
  const enter = (...states: readonly ConnectionState[]) => {
    for (const state of states) {
      connection.state = state;
      didChangeState.fire(state);
    }
  };
  return { supervisor, enter, starts: () => starts };
}

/** The server's starts in these steps, on the test's clock, and the plan after them. */
function outcome(t: TestContext, steps: readonly Step[], first?: ConnectionState) {
  t.mock.timers.reset();
  mockClocks(t);
  const { supervisor, enter, starts } = supervised(first);
  for (const step of steps) {
    if (typeof step === 'number') {
      t.mock.timers.tick(step);
    } else if (typeof step === 'string') {
      supervisor[step]();
    } else {
      enter(step);
    }
  }
  const { plan } = supervisor;
  supervisor.dispose();
  return [starts(), plan];
}

function waiting(deaths: number, at: number) {
  return { kind: 'waiting', deaths, at };
}

function givenUp(deaths: number) {
  return { kind: 'given-up', deaths };
}

const none = { kind: 'none' };
const long = 600_000;

// How long it waits, and when it gives up, is held by the tests of `restarts`.
const rows: readonly (readonly [string, readonly Step[], readonly [number, object]])[] = [
  ['died', [starting, running, dead], [0, waiting(1, 500)]],
  ['died, just before its time', [starting, running, dead, 499], [0, waiting(1, 500)]],
  ['died, once only', [starting, running, dead, 500, 60_000], [1, none]],
  [
    'has all its tries again after a minute',
    [starting, dead, 500, starting, running, 60_000, dead],
    [1, waiting(1, 61_000)],
  ],
  [
    'took long to start, which is no time of running',
    [starting, running, dead, 500, starting, 120_000, dead],
    [1, waiting(2, 121_500)],
  ],
  ['was stopped', [running, stopping, stopped, long], [0, none]],
  ['distrusts a certificate at its start', [starting, distrusting, long], [0, none]],
  // A server that ran before may have a new certificate.
  ['distrusts it later', [starting, running, distrusting], [0, waiting(1, 500)]],
  ...[starting, stopping, stopped].map(
    state => [`waits and is ${state.kind}`, [running, dead, state, long], [0, none]] as const,
  ),
  ['is started by a person', [running, dead, 500, running, dead, 'forget', long], [1, none]],
  [
    'is started by a person, and has no past then',
    [running, dead, 500, running, dead, 'forget', long, running, dead],
    [1, waiting(1, 601_000)],
  ],
  [
    'is given up until somebody starts it',
    [starting, dead, 500, starting, dead, 1000, starting, dead, long],
    [2, givenUp(3)],
  ],
  [
    'was reached over HTTP, and is looked for again and again',
    [running, away, 500, away, 1000, away, 2000, away, 4000, away],
    [4, waiting(5, 15_500)],
  ],
  ['has no supervisor any more', [running, dead, 'dispose', running, dead, long], [0, none]],
];

test('restarts a server that died, ever later, until it gives up', t => {
  assert.deepEqual(
    rows.map(([title, steps]) => [title, steps, outcome(t, steps)]),
    rows,
  );
});

test('counts a death before its own start', t => {
  assert.deepEqual(outcome(t, [500], dead), [1, none]);
});

test('counts deaths of all processes of a server together, and plans for each separately', t => {
  mockClocks(t);
  const deaths = new Deaths();
  const [first, second] = [supervised(stopped, deaths), supervised(stopped, deaths)];
  first.enter(starting, dead);
  second.enter(starting, dead);
  assert.deepEqual(second.supervisor.plan, waiting(2, 1000));
  second.supervisor.dispose();
  assert.deepEqual(first.supervisor.plan, waiting(1, 500));
  t.mock.timers.tick(500);
  assert.deepEqual([first.starts(), second.starts()], [1, 0]);
  first.enter(starting, dead);
  assert.deepEqual(first.supervisor.plan, givenUp(3));
});

test('counts a start that fails within the call as a death', t => {
  mockClocks(t);
  const didChangeState = new Emitter<ConnectionState>();
  const connection = { state: stopped, onDidChangeState: didChangeState.event };
  const supervisor = new Supervisor(() => didChangeState.fire(dead));
  supervisor.watch(connection);
  didChangeState.fire(dead);
  t.mock.timers.tick(500);
  assert.deepEqual(supervisor.plan, waiting(2, 1500));
  supervisor.dispose();
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { Deaths } from '../../../src/domain/servers/restarts.ts';
import type { ConnectionState } from '../../../src/mcp/link.ts';
import { Supervisor } from '../../../src/mcp/supervisor.ts';
import { mockClocks } from '../../support/turnedClock.ts';

const running = {
  kind: 'running',
  era: 'legacy',
  protocolVersion: '2025-11-25',
  pid: 1,
} as const satisfies ConnectionState;
const stopped = { kind: 'stopped' } as const;
const dead = failed({ kind: 'ended', end: { code: 1, signal: null, stderr: [] } });

type Failed = Extract<ConnectionState, { kind: 'failed' }>;

function failed(failure: Failed['failure']): Failed {
  return { kind: 'failed', failure };
}

/** A supervisor of a connection that only has states, on a clock of the test's own. */
function supervised(t: TestContext, first: ConnectionState = stopped, deaths = new Deaths()) {
  t.mock.timers.reset();
  mockClocks(t);
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
  return {
    supervisor,
    enter,
    starts: () => starts,
    tick: (time: number) => t.mock.timers.tick(time),
  };
}

test('a server that does not trust a certificate at its start is not started again by itself', t => {
  const { enter, supervisor } = supervised(t);
  const stderr = ['npm error code SELF_SIGNED_CERT_IN_CHAIN'];
  const distrusting = failed({ kind: 'ended', end: { code: 1, signal: null, stderr } });
  enter({ kind: 'starting' }, distrusting);
  assert.deepEqual(supervisor.plan, { kind: 'none' });
  // Of one that ran before, the certificate may be new.
  enter({ kind: 'starting' }, running, distrusting);
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 1, at: 500 });
});

test('a server that died is started again once its time has come, and once only', t => {
  const { enter, supervisor, starts, tick } = supervised(t);
  enter({ kind: 'starting' }, running, dead);
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 1, at: 500 });
  tick(499);
  assert.equal(starts(), 0);
  tick(1);
  assert.deepEqual([starts(), supervisor.plan], [1, { kind: 'none' }]);
  tick(60_000);
  assert.equal(starts(), 1);
});

test('one that dies again and again is given up after the fifth time', t => {
  const { enter, supervisor, starts, tick } = supervised(t);
  for (const delay of [500, 1000, 2000, 4000]) {
    enter({ kind: 'starting' }, running, dead);
    tick(delay);
  }
  enter({ kind: 'starting' }, running, dead);
  tick(600_000);
  assert.deepEqual([starts(), supervisor.plan], [4, { kind: 'given-up', deaths: 5 }]);
});

test('one that never comes up is given up after the third start', t => {
  const { enter, supervisor, starts, tick } = supervised(t);
  for (let start = 1; start <= 3; start++) {
    enter({ kind: 'starting' });
    tick(65_000);
    enter(failed({ kind: 'silent', seconds: 65 }));
    tick(60_000);
  }
  assert.deepEqual([starts(), supervisor.plan], [2, { kind: 'given-up', deaths: 3 }]);
});

test('one that was up for a minute has all its tries again', t => {
  const { enter, supervisor, tick } = supervised(t);
  for (const delay of [500, 1000]) {
    enter({ kind: 'starting' }, dead);
    tick(delay);
  }
  enter({ kind: 'starting' }, running);
  tick(60_000);
  enter(dead);
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 1, at: 62_000 });
  supervisor.dispose();
});

test('the time before a start counts for nothing: only that after it is up', t => {
  const { enter, supervisor, tick } = supervised(t);
  enter({ kind: 'starting' }, running, dead);
  tick(500);
  enter({ kind: 'starting' });
  tick(120_000);
  enter(dead);
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 2, at: 121_500 });
  supervisor.dispose();
});

test('what was stopped is left alone, and so is what another start cannot heal', t => {
  const { enter, supervisor, starts, tick } = supervised(t);
  enter(running, { kind: 'stopping' }, stopped);
  enter({ kind: 'starting' }, failed({ kind: 'not-started', message: 'no such command' }));
  enter({ kind: 'starting' }, failed({ kind: 'protocol', message: 'no such revision' }));
  enter({ kind: 'starting' }, failed({ kind: 'unauthorized', message: 'nobody signed in' }));
  tick(600_000);
  assert.deepEqual([starts(), supervisor.plan], [0, { kind: 'none' }]);
});

for (const state of [{ kind: 'starting' }, { kind: 'stopping' }, stopped] as const) {
  test(`while a server waits, that it is ${state.kind} ends the plan`, t => {
    const { enter, supervisor, starts, tick } = supervised(t);
    enter(running, dead, state);
    assert.deepEqual(supervisor.plan, { kind: 'none' });
    tick(600_000);
    assert.equal(starts(), 0);
  });
}

test('what a person starts has no past, and nothing is pending', t => {
  const { enter, supervisor, starts, tick } = supervised(t);
  enter(running, dead);
  tick(500);
  enter(running, dead);
  supervisor.forget();
  assert.deepEqual(supervisor.plan, { kind: 'none' });
  tick(600_000);
  assert.equal(starts(), 1);
  enter(running, dead);
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 1, at: 601_000 });
  supervisor.dispose();
});

test('a server that is given up is told of as that until somebody starts it', t => {
  const { enter, supervisor, tick } = supervised(t);
  for (const delay of [500, 1000, 2000, 4000, 1]) {
    enter({ kind: 'starting' }, dead);
    tick(delay);
  }
  assert.equal(supervisor.plan.kind, 'given-up');
  enter({ kind: 'starting' });
  assert.equal(supervisor.plan.kind, 'none');
  supervisor.dispose();
});

test('the deaths of all processes of a server count together, and each has a plan of its own', t => {
  const deaths = new Deaths();
  const [first, second] = [supervised(t, stopped, deaths), supervised(t, stopped, deaths)];
  first.enter({ kind: 'starting' }, dead);
  second.enter({ kind: 'starting' }, dead);
  assert.deepEqual(second.supervisor.plan, { kind: 'waiting', deaths: 2, at: 1000 });
  second.supervisor.dispose();
  assert.deepEqual(first.supervisor.plan, { kind: 'waiting', deaths: 1, at: 500 });
  first.tick(500);
  assert.deepEqual([first.starts(), second.starts()], [1, 0]);
  first.enter({ kind: 'starting' }, dead);
  assert.deepEqual(first.supervisor.plan, { kind: 'given-up', deaths: 3 });
});

test('a death before there was a supervisor counts, too', t => {
  const { supervisor, starts, tick } = supervised(t, dead);
  assert.equal(supervisor.plan.kind, 'waiting');
  tick(500);
  assert.equal(starts(), 1);
});

test('after its end a supervisor starts nothing and listens to nothing', t => {
  const { enter, supervisor, starts, tick } = supervised(t);
  enter(running, dead);
  supervisor.dispose();
  enter(running, dead);
  tick(600_000);
  assert.equal(starts(), 0);
});

test('a start that fails within the call that it is, is one more death', t => {
  mockClocks(t);
  const didChangeState = new Emitter<ConnectionState>();
  const connection = { state: stopped, onDidChangeState: didChangeState.event };
  const supervisor = new Supervisor(() => didChangeState.fire(dead));
  supervisor.watch(connection);
  didChangeState.fire(dead);
  t.mock.timers.tick(500);
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 2, at: 1500 });
  supervisor.dispose();
});

test('a server over HTTP that was reached and is away is looked for again and again', t => {
  const { enter, supervisor, tick } = supervised(t);
  const away = failed({ kind: 'unreachable', message: 'connection refused' });
  enter({ kind: 'starting' }, running, failed({ kind: 'lost', message: 'gone' }));
  for (let time = 0; time < 8; time++) {
    tick(30_000);
    enter({ kind: 'starting' }, away);
  }
  assert.equal(supervisor.plan.kind, 'waiting');
});

test('one that was never reached is given up, as is one that was reached before a person started it', t => {
  const { supervisor, enter, tick } = supervised(t);
  const away = failed({ kind: 'unreachable', message: 'connection refused' });
  enter({ kind: 'starting' }, running, { kind: 'stopped' });
  supervisor.forget();
  for (let time = 0; time < 5; time++) {
    enter({ kind: 'starting' }, away);
    tick(8000);
  }
  assert.deepEqual(supervisor.plan, { kind: 'given-up', deaths: 5 });
});

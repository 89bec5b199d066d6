import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isShownBy,
  type ServerFacts,
  type ServerWord,
  serverStatus,
  serverWord,
} from '../../../../src/domain/servers/serverStatus.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const still: ServerFacts = {
  state: { kind: 'stopped' },
  plan: { kind: 'none' },
  isNeglecting: false,
  isStoppedForLackOfRoots: false,
  isIdle: false,
};
const running: ServerFacts = { ...still, state: { kind: 'running' } };

test('the status of a server is its most important fact', () => {
  const waiting = { kind: 'waiting', deaths: 2, at: 1000 } as const;
  const givenUp = { kind: 'given-up', deaths: 5 } as const;
  foundAsExpected({
    'stands still': [serverStatus(still), { kind: 'plain' }],
    runs: [serverStatus(running), { kind: 'plain' }],
    'died, and starts again': [serverStatus({ ...still, plan: waiting }), waiting],
    'died too often': [serverStatus({ ...still, plan: givenUp }), givenUp],
    'lost its folders': [
      serverStatus({ ...still, plan: waiting, isStoppedForLackOfRoots: true }),
      { kind: 'starved' },
    ],
    'needs a restart': [serverStatus({ ...running, isNeglecting: true }), { kind: 'neglecting' }],
    'needs one no more': [serverStatus({ ...still, isNeglecting: true }), { kind: 'plain' }],
  });
});

test('the word for a server is its question, else its next start, else its state', () => {
  const word = (facts: Partial<ServerFacts>, asks = false) =>
    serverWord({ ...still, ...facts }, asks);
  const states = ['stopped', 'starting', 'running', 'stopping', 'failed'] as const;
  const failed = { state: { kind: 'failed' } } as const;
  const neglecting = { ...running, isNeglecting: true };
  foundAsExpected({
    states: [states.map(kind => word({ state: { kind } })), states],
    unused: [
      states.map(kind => word({ state: { kind }, isIdle: true })),
      ['idle', ...states.slice(1)],
    ],
    'without folders': [word({ isStoppedForLackOfRoots: true }), 'stopped'],
    'given up': [word({ ...failed, plan: { kind: 'given-up', deaths: 5 } }), 'failed'],
    waiting: [word({ ...failed, plan: { kind: 'waiting', deaths: 2, at: 1 } }), 'starts-again'],
    neglecting: [word(neglecting), 'restart-needed'],
    asks: [
      new Set([failed, neglecting, still].map(one => word(one, true))),
      new Set(['needs-answer']),
    ],
  });
});

test('a list of servers is filtered by what needs attention, or by what runs', () => {
  const attention: readonly ServerWord[] = ['failed', 'restart-needed', 'needs-answer'];
  const busy: readonly ServerWord[] = ['running', 'starting', 'stopping', 'starts-again'];
  const all: readonly ServerWord[] = ['stopped', 'idle', ...attention, ...busy];
  const shown = (filter: 'all' | 'attention' | 'running') =>
    all.filter(word => isShownBy(filter, word));
  assert.deepEqual(
    [shown('all'), shown('attention'), shown('running')],
    [all, attention, ['restart-needed', 'needs-answer', ...busy]],
  );
});

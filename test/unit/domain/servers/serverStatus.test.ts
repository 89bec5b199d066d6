import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  attentionFirst,
  isShownBy,
  needsAttention,
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
};
const running: ServerFacts = { ...still, state: { kind: 'running' } };

test('the status of a server is what matters most of all that is true of it', () => {
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
    'would be helped by a restart': [
      serverStatus({ ...running, isNeglecting: true }),
      { kind: 'neglecting' },
    ],
    'would be, but stands still': [
      serverStatus({ ...still, isNeglecting: true }),
      { kind: 'plain' },
    ],
  });
});

describe('the word for a server', () => {
  const word = (kind: ServerFacts['state']['kind'], facts: Partial<ServerFacts> = {}) =>
    serverWord({ ...still, state: { kind }, ...facts }, false);

  it('is its state when there is no more to say', () => {
    const states = ['stopped', 'starting', 'running', 'stopping', 'failed'] as const;
    assert.deepEqual(
      states.map(state => word(state)),
      states,
    );
    assert.equal(word('stopped', { isStoppedForLackOfRoots: true }), 'stopped');
  });

  it('tells a failure from one after which it starts again by itself', () => {
    assert.equal(word('failed', { plan: { kind: 'given-up', deaths: 5 } }), 'failed');
    const plan = { kind: 'waiting', deaths: 2, at: 1000 } as const;
    assert.equal(word('failed', { plan }), 'starts-again');
  });

  it('is a question before a failure, and before a restart', () => {
    const neglecting = { ...running, isNeglecting: true };
    const failed = { ...still, state: { kind: 'failed' } } as const;
    assert.deepEqual(
      [failed, neglecting, still].map(facts => serverWord(facts, true)),
      ['needs-answer', 'needs-answer', 'needs-answer'],
    );
    assert.equal(serverWord(neglecting, false), 'restart-needed');
  });
});

describe('a list of servers', () => {
  const all: readonly ServerWord[] = [
    'stopped',
    'running',
    'failed',
    'starting',
    'restart-needed',
    'stopping',
    'needs-answer',
    'starts-again',
  ];

  it('has first what needs attention, then what lives, and each of these in its order', () => {
    const named = [...all, ...all].map((word, index) => `${word} ${index}`);
    const wordOf = (name: string) => name.split(' ')[0] as ServerWord;
    assert.deepEqual(attentionFirst(named, wordOf), [
      'needs-answer 6',
      'needs-answer 14',
      'failed 2',
      'failed 10',
      'restart-needed 4',
      'restart-needed 12',
      'running 1',
      'starting 3',
      'stopping 5',
      'starts-again 7',
      'running 9',
      'starting 11',
      'stopping 13',
      'starts-again 15',
      'stopped 0',
      'stopped 8',
    ]);
  });

  it('is filtered by what needs attention, or by what runs', () => {
    const shown = (filter: 'all' | 'attention' | 'running') =>
      all.filter(word => isShownBy(filter, word));
    assert.deepEqual(shown('all'), all);
    assert.deepEqual(shown('attention'), ['failed', 'restart-needed', 'needs-answer']);
    assert.deepEqual(shown('attention'), all.filter(needsAttention));
    assert.deepEqual(
      shown('running'),
      all.filter(word => word !== 'stopped' && word !== 'failed'),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  type AskingFacts,
  askingOf,
  type ServerFacts,
  serverStatus,
} from '../../../../src/domain/servers/serverStatus.ts';

const still: ServerFacts = {
  isRunning: false,
  plan: { kind: 'none' },
  isNeglecting: false,
  needsRestart: false,
  isStoppedForLackOfRoots: false,
};
const running: ServerFacts = { ...still, isRunning: true };

describe('the status of a server', () => {
  it('is plain when there is no more to say than its state', () => {
    assert.deepEqual(serverStatus(still), { kind: 'plain' });
    assert.deepEqual(serverStatus(running), { kind: 'plain' });
  });

  it('says what became of a server that died', () => {
    const waiting = { kind: 'waiting', deaths: 2, at: 1000 } as const;
    const givenUp = { kind: 'given-up', deaths: 5 } as const;
    assert.deepEqual(serverStatus({ ...still, plan: waiting }), waiting);
    assert.deepEqual(serverStatus({ ...still, plan: givenUp }), givenUp);
  });

  it('says that it lost its folders before anything else', () => {
    const plan = { kind: 'waiting', deaths: 1, at: 1000 } as const;
    const starved = { ...still, plan, isStoppedForLackOfRoots: true };
    assert.deepEqual(serverStatus(starved), { kind: 'starved' });
  });

  it('says that a restart would help, and only of a server that runs', () => {
    assert.deepEqual(serverStatus({ ...running, isNeglecting: true }), { kind: 'neglecting' });
    assert.deepEqual(serverStatus({ ...running, needsRestart: true }), { kind: 'outdated' });
    const both = { isNeglecting: true, needsRestart: true };
    assert.deepEqual(serverStatus({ ...running, ...both }), { kind: 'outdated' });
    assert.deepEqual(serverStatus({ ...still, ...both }), { kind: 'plain' });
  });
});

const started: AskingFacts = {
  era: 'legacy',
  isTold: true,
  isRefused: false,
  times: 0,
  last: undefined,
  isSilent: false,
};

test('a server that has just started is not accused of never asking; one that had time is', () => {
  assert.deepEqual(askingOf(started), { kind: 'waiting' });
  assert.deepEqual(askingOf({ ...started, isSilent: true }), { kind: 'silent' });
});

test('a server of the later revisions can ask only when it is called', () => {
  assert.deepEqual(askingOf({ ...started, era: 'modern', isSilent: true }), { kind: 'in-calls' });
});

test('a server that asked is told of with how often and when, whatever became of it since', () => {
  const asked = { ...started, times: 2, last: 1000, isRefused: true };
  assert.deepEqual(askingOf(asked), { kind: 'asked', era: 'legacy', times: 2, last: 1000 });
});

test('a server that can not ask is told of as that, and not as silent', () => {
  const silent = { ...started, isSilent: true };
  assert.deepEqual(askingOf({ ...silent, isRefused: true }), { kind: 'refused' });
  const given = { ...silent, isTold: false, isRefused: true, last: 1000 };
  assert.deepEqual(askingOf(given), { kind: 'given' });
});

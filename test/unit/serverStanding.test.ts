import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ServerFacts, serverStanding } from '../../src/domain/servers/serverStanding.ts';

const still: ServerFacts = {
  isRunning: false,
  plan: { kind: 'none' },
  isNeglecting: false,
  needsRestart: false,
  isStoppedForLackOfRoots: false,
};
const running: ServerFacts = { ...still, isRunning: true };

describe('the standing of a server', () => {
  it('is plain when there is no more to say than its state', () => {
    assert.deepEqual(serverStanding(still), { kind: 'plain' });
    assert.deepEqual(serverStanding(running), { kind: 'plain' });
  });

  it('says what became of a server that died', () => {
    const waiting = { kind: 'waiting', deaths: 2, at: 1000 } as const;
    const givenUp = { kind: 'given-up', deaths: 5 } as const;
    assert.deepEqual(serverStanding({ ...still, plan: waiting }), waiting);
    assert.deepEqual(serverStanding({ ...still, plan: givenUp }), givenUp);
  });

  it('says that it lost its folders before anything else', () => {
    const plan = { kind: 'waiting', deaths: 1, at: 1000 } as const;
    const starved = { ...still, plan, isStoppedForLackOfRoots: true };
    assert.deepEqual(serverStanding(starved), { kind: 'starved' });
  });

  it('says that a restart would help, and only of a server that runs', () => {
    assert.deepEqual(serverStanding({ ...running, isNeglecting: true }), { kind: 'neglecting' });
    assert.deepEqual(serverStanding({ ...running, needsRestart: true }), { kind: 'outdated' });
    const both = { isNeglecting: true, needsRestart: true };
    assert.deepEqual(serverStanding({ ...running, ...both }), { kind: 'outdated' });
    assert.deepEqual(serverStanding({ ...still, ...both }), { kind: 'plain' });
  });
});

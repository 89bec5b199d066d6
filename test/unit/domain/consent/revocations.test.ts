import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Grant } from '../../../../src/domain/consent/grants.ts';
import {
  answerTime,
  readRevocations,
  unrevokedGrants,
  withRevoked,
} from '../../../../src/domain/consent/revocations.ts';

function grant(change: Partial<Grant> = {}): Grant {
  return {
    serverId: 'files',
    identity: 'id-1',
    fields: {},
    folder: 'file:///proj/api',
    decision: 'allowed',
    scope: 'always',
    at: 1000,
    ...change,
  };
}

test('what was allowed before it was all withdrawn is gone, refusals and other servers are not', () => {
  const kept = [
    grant({ decision: 'denied' }),
    grant({ serverId: 'git' }),
    grant({ folder: 'file:///proj/web', at: 3000 }),
  ];
  const grants = [grant(), grant({ folder: 'file:///proj/old', at: 2000 }), ...kept];
  assert.deepEqual(unrevokedGrants(grants, { files: 2000 }), kept);
  assert.deepEqual(unrevokedGrants(grants, {}), grants);
});

test('when revocations can not be read, no permission stands', () => {
  assert.deepEqual(readRevocations(undefined), {});
  assert.deepEqual(readRevocations({ files: 2000 }), { files: 2000 });
  for (const stored of ['files', null, { files: 'never' }]) {
    assert.equal(readRevocations(stored), undefined);
  }
  const refusal = grant({ decision: 'denied' });
  assert.deepEqual(unrevokedGrants([grant(), refusal], undefined), [refusal]);
});

test('the clock may go back between an answer and the revocation: nothing survives it', () => {
  const grants = [grant({ at: 9000 }), grant({ serverId: 'git', at: 9500 })];
  const revocations = withRevoked(['files', 'new'], { grants, revocations: { git: 1 } }, 500);
  assert.deepEqual(revocations, { git: 1, files: 9000, new: 500 });
  assert.deepEqual(unrevokedGrants(grants, revocations), grants.slice(1));
});

test('the clock may go back after a revocation: a new answer counts, and can be withdrawn', () => {
  const revocations = { files: 9000 };
  const again = grant({ at: answerTime('files', revocations, 500) });
  assert.deepEqual(unrevokedGrants([again], revocations), [again]);
  const next = withRevoked(['files'], { grants: [again], revocations }, 600);
  assert.deepEqual(unrevokedGrants([again], next), []);
  assert.deepEqual(withRevoked(['files'], { grants: [], revocations }, 700), revocations);
});

test('while the clock goes on, answers and revocations have its time', () => {
  assert.equal(answerTime('files', { files: 1000, git: 9000 }, 5000), 5000);
  const before = { grants: [grant()], revocations: { files: 900 } };
  assert.deepEqual(withRevoked(['files'], before, 5000), { files: 5000 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerTime,
  everyServer,
  isRevoked,
  type Revocations,
  readRevocations,
  withRevoked,
} from '../../../../src/domain/consent/revocations.ts';

/** A permission. */
function grant(change: { readonly serverId?: string; readonly at?: number } = {}) {
  return { serverId: 'files', at: 1000, ...change };
}

/** The permissions that are not void. */
function inForce(grants: readonly ReturnType<typeof grant>[], revocations: Revocations) {
  return grants.filter(one => !isRevoked(one, revocations));
}

test('what was allowed before it was all withdrawn is void, later and for other servers it is not', () => {
  const kept = [grant({ serverId: 'git' }), grant({ at: 3000 })];
  const grants = [grant(), grant({ at: 2000 }), ...kept];
  assert.deepEqual(inForce(grants, { files: 2000 }), kept);
  assert.deepEqual(inForce(grants, {}), grants);
});

test('what can not be read as revocations counts as the revocation of everything until then', () => {
  assert.deepEqual(readRevocations(undefined, 5000), { ok: true, revocations: {} });
  const readable = { files: 2000 };
  assert.deepEqual(readRevocations(readable, 5000), { ok: true, revocations: readable });
  for (const stored of ['files', null, { files: 'never' }]) {
    const { ok, revocations } = readRevocations(stored, 5000);
    assert.equal(ok, false);
    assert.equal(isRevoked(grant({ serverId: 'git', at: 5000 }), revocations), true);
  }
});

test('after a record was lost, new answers hold, and old ones stay void when one more is revoked', () => {
  const { revocations } = readRevocations('garbage', 5000);
  const lost = grant({ serverId: 'git', at: 4000 });
  const again = grant({ at: answerTime('files', revocations, 5000) });
  assert.deepEqual(inForce([lost, again], revocations), [again]);
  const next = withRevoked('files', { answers: [again], revocations }, 6000);
  assert.deepEqual(inForce([lost, again], next), []);
});

test('the clock may go back between an answer and the revocation: nothing survives it', () => {
  const grants = [grant({ at: 9000 }), grant({ serverId: 'git', at: 9500 })];
  const before = { answers: grants, revocations: { git: 1 } };
  const revocations = withRevoked('files', before, 500);
  assert.deepEqual(revocations, { git: 1, files: 9000 });
  assert.deepEqual(withRevoked('new', before, 500), { git: 1, new: 500 });
  assert.deepEqual(inForce(grants, revocations), grants.slice(1));
});

test('the clock may go back after a revocation: a new answer counts, and can be withdrawn', () => {
  const revocations = { files: 9000 };
  const again = grant({ at: answerTime('files', revocations, 500) });
  assert.deepEqual(inForce([again], revocations), [again]);
  for (const known of [[again], []]) {
    const next = withRevoked('files', { answers: known, revocations }, 600);
    assert.deepEqual(inForce([again], next), []);
  }
});

test('all that any server was allowed can be withdrawn, where it is not known from here, too', () => {
  const revocations = { files: 9000, git: 20 };
  const elsewhere = grant({ at: answerTime('files', revocations, 500) });
  const later = grant({ serverId: 'web', at: 9500 });
  const next = withRevoked(everyServer, { answers: [later], revocations }, 600);
  assert.deepEqual(next, { [everyServer]: 9500 });
  assert.deepEqual(inForce([elsewhere, later], next), []);
  const unknown = withRevoked(everyServer, { answers: [], revocations }, 600);
  assert.deepEqual(inForce([elsewhere], unknown), []);
});

test('while the clock goes on, answers and revocations have its time', () => {
  assert.equal(answerTime('files', { files: 1000, git: 9000 }, 5000), 5000);
  const before = { answers: [grant()], revocations: { files: 900 } };
  assert.deepEqual(withRevoked('files', before, 5000), { files: 5000 });
});

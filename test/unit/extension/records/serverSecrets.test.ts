import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inputSecret, ServerSecrets } from '../../../../src/extension/records/serverSecrets.ts';
import { recordsIn } from '../../../support/memory.ts';
import { secretStorage } from '../../../support/secretStorage.ts';

const one = { definition: { id: 'setting:one' }, identity: 'a1' };
const changed = { ...one, identity: 'b2' };
const twin = { ...one, definition: { id: 'setting:twin' } };
const longer = { ...one, definition: { id: 'setting:one:two' } };

describe('the secrets of servers', () => {
  it('are kept for the present identity only, not for the same launch or name', async () => {
    const secrets = new ServerSecrets(secretStorage(), recordsIn());
    await secrets.of(one).set(inputSecret('token'), 'abc');
    assert.equal(await secrets.of(one).get(inputSecret('token')), 'abc');
    for (const other of [changed, twin, longer]) {
      assert.equal(await secrets.of(other).get(inputSecret('token')), undefined);
    }
  });

  it('of a server are forgotten with those of its earlier identities, and no others', async () => {
    const storage = secretStorage();
    for (const owner of [one, changed, twin, longer]) {
      const secrets = new ServerSecrets(storage, recordsIn());
      await secrets.of(owner).set(inputSecret('token'), owner.identity + owner.definition.id);
    }
    const secrets = new ServerSecrets(storage, recordsIn());
    const counts = [await secrets.forget('setting:one'), await secrets.forget('setting:one')];
    assert.deepEqual(counts, [2, 0]);
    assert.deepEqual([...storage.values.values()], ['a1setting:twin', 'a1setting:one:two']);
  });

  it('are listed, and forgotten for one identity alone', async () => {
    const secrets = new ServerSecrets(secretStorage(), recordsIn());
    const elsewhere = new ServerSecrets(secretStorage(), recordsIn());
    for (const store of [secrets, elsewhere]) {
      await store.of(one).set('tokens', 'abc');
      await store.of(one).set(inputSecret('token'), 'def');
      await store.of(twin).set('tokens', 'ghi');
    }
    assert.deepEqual(await secrets.namesOf(one), ['tokens', inputSecret('token')]);
    assert.equal(await secrets.forget(one.definition.id, changed.identity), 0);
    assert.equal(await secrets.forget(one.definition.id, one.identity), 2);
    assert.deepEqual([await secrets.namesOf(one), await secrets.namesOf(twin)], [[], ['tokens']]);
    // It can be saved again after it was forgotten, without removing another identity's secrets.
    await secrets.of(changed).set('tokens', 'new');
    assert.equal(await secrets.of(changed).get('tokens'), 'new');
  });

  it('are removed one by one, and those of earlier identities with new secrets', async () => {
    const storage = secretStorage();
    const elsewhere = { ...one, identity: 'c3' };
    await new ServerSecrets(storage, recordsIn()).of(elsewhere).set('tokens', 'elsewhere');
    const secrets = new ServerSecrets(storage, recordsIn());
    await secrets.of(one).set('tokens', 'first');
    await secrets.of(one).set(inputSecret('token'), 'second');
    await secrets.of(twin).set('tokens', 'twin');
    assert.equal(await secrets.of(changed).get('tokens'), undefined);
    assert.equal(storage.values.size, 4);
    await secrets.of(changed).set('tokens', undefined);
    assert.equal(storage.values.size, 4);
    await secrets.of(twin).set('tokens', undefined);
    await secrets.of(changed).set('tokens', 'third');
    assert.deepEqual([...storage.values.values()].sort(), ['elsewhere', 'third']);
  });

  it('move to another owner, even to a later identity of the server', async () => {
    for (const to of [changed, twin]) {
      const secrets = new ServerSecrets(secretStorage(), recordsIn());
      const both = async () => [await secrets.namesOf(one), await secrets.namesOf(to)];
      await secrets.of(one).set('tokens', 'abc');
      await secrets.of(one).set(inputSecret('token'), 'def');
      const all = ['tokens', inputSecret('token')];
      const fail = () => Promise.reject(new Error('read only'));
      await assert.rejects(secrets.move(one, to, fail), /read only/);
      assert.deepEqual(await both(), [all, []]);
      await secrets.move(one, to, async () => assert.deepEqual(await both(), [all, all]));
      assert.deepEqual(await both(), [[], all]);
      assert.equal(await secrets.of(to).get(inputSecret('token')), 'def');
      await secrets.of({ ...to, identity: 'c3' }).set('tokens', 'new');
      assert.deepEqual(await both(), [[], []], 'They were those of its former identity.');
    }
  });
});

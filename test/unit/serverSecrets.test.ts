import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inputSecret, ServerSecrets } from '../../src/extension/secrets/serverSecrets.ts';

function secretStorage() {
  const values = new Map<string, string>();
  return {
    values,
    keys: async () => [...values.keys()],
    get: async (key: string) => values.get(key),
    store: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  };
}

const one = { serverId: 'setting:one', identity: 'a1' };
const changed = { ...one, identity: 'b2' };
const twin = { ...one, serverId: 'setting:twin' };
const longer = { ...one, serverId: 'setting:one:two' };

describe('the secrets of servers', () => {
  it('are kept for a server as it is, and for no other of the same launch or name', async () => {
    const secrets = new ServerSecrets(secretStorage());
    await secrets.of(one).set(inputSecret('token'), 'abc');
    assert.equal(await secrets.of(one).get(inputSecret('token')), 'abc');
    for (const other of [changed, twin, longer]) {
      assert.equal(await secrets.of(other).get(inputSecret('token')), undefined);
    }
  });

  it('of one server are forgotten together, and those of others stay', async () => {
    const storage = secretStorage();
    const secrets = new ServerSecrets(storage);
    await secrets.of(one).set(inputSecret('token'), 'abc');
    await secrets.of(one).set('tokens', 'def');
    await secrets.of(longer).set(inputSecret('token'), 'ghi');
    assert.equal(await secrets.forget(one), 2);
    assert.deepEqual([...storage.values.values()], ['ghi']);
    assert.equal(await secrets.forget(one), 0);
  });

  it('are removed one by one with no value', async () => {
    const storage = secretStorage();
    const own = new ServerSecrets(storage).of(one);
    await own.set('tokens', 'abc');
    await own.set('tokens', undefined);
    assert.deepEqual([...storage.values], []);
  });
});

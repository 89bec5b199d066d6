import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memento } from 'vscode';
import { movedChoices, ServerChoices } from '../../../../src/extension/consent/serverChoices.ts';

const key = 'offers';

function memory(stored?: unknown) {
  const values = new Map<string, unknown>([[key, stored]]);
  return {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as Pick<Memento, 'get' | 'update'>;
}

const one = { identity: 'a1', definition: { id: 'setting:one' } };
const changed = { ...one, identity: 'b2' };
const twin = { ...one, definition: { id: 'setting:twin' } };

describe('a choice on servers', () => {
  it('holds for a server as it is, and can be changed', async () => {
    const choices = new ServerChoices(memory(), key);
    let changes = 0;
    choices.onDidChange(() => {
      changes += 1;
    });
    await choices.set(one, false);
    await choices.set(twin, true);
    assert.deepEqual(
      [one, changed, twin].map(server => choices.of(server)),
      [false, undefined, true],
    );
    await choices.set(one, true);
    assert.deepEqual([choices.of(one), changes], [true, 3]);
  });

  it('is forgotten where it was a yes, whatever the server was then', async () => {
    const choices = new ServerChoices(memory(), key);
    await choices.set(one, true);
    await choices.set(changed, true);
    await choices.set(twin, false);
    assert.deepEqual(choices.allowedServers, ['setting:one', 'setting:one']);
    await choices.revoke(['setting:one', 'setting:twin']);
    assert.deepEqual(
      [one, changed, twin].map(server => choices.of(server)),
      [undefined, undefined, false],
    );
  });

  it('goes with a server that gets another id, and with one that is removed', () => {
    const all = [
      ['a1:setting:one', true],
      ['b2:setting:one', false],
      ['a1:setting:one:two', true],
    ] as const;
    assert.deepEqual(movedChoices(all, 'setting:one', 'setting:new'), [
      ['a1:setting:new', true],
      ['b2:setting:new', false],
      all[2],
    ]);
    assert.deepEqual(movedChoices(all, 'setting:one', undefined), [all[2]]);
  });

  it('is none where what is stored cannot be read', () => {
    for (const stored of [null, 'x', 4, { 'a1:setting:one': 'yes' }]) {
      assert.equal(new ServerChoices(memory(stored), key).of(one), undefined);
    }
  });
});

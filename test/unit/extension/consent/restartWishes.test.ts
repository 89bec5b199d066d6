import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memento } from 'vscode';
import { RestartWishes } from '../../../../src/extension/consent/restartWishes.ts';

function memory(stored?: unknown) {
  const values = new Map<string, unknown>([['restartWishes', stored]]);
  return {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as Pick<Memento, 'get' | 'update'>;
}

const one = { identity: 'a1', definition: { id: 'setting:one' } };
const changed = { ...one, identity: 'b2' };
const twin = { ...one, definition: { id: 'setting:twin' } };

describe('the wish on restarts', () => {
  it('is one on a server as it is, and can be taken back', async () => {
    const wishes = new RestartWishes(memory());
    let changes = 0;
    wishes.onDidChange(() => {
      changes += 1;
    });
    await wishes.set(one, false);
    await wishes.set(twin, true);
    assert.deepEqual(
      [one, changed, twin].map(server => wishes.of(server)),
      [false, undefined, true],
    );
    await wishes.set(one, true);
    assert.deepEqual([wishes.of(one), changes], [true, 3]);
  });

  it('is none where what is stored cannot be read', () => {
    for (const stored of [null, 'x', 4, { 'a1:setting:one': 'yes' }]) {
      assert.equal(new RestartWishes(memory(stored)).of(one), undefined);
    }
  });
});

import assert from 'node:assert/strict';
import { askingExtension } from '../support/askingExtension.ts';
import { Person } from '../support/person.ts';

describe('an extension that asks for roots in Restricted Mode', () => {
  it('has none, and nobody is asked', async () => {
    const person = new Person();
    try {
      const { requestRoots } = await askingExtension();
      const grant = await requestRoots({ purpose: 'To index the manuals.' });
      assert.deepEqual([grant.roots, person.seen], [[], []]);
      grant.dispose();
    } finally {
      person.leave();
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { notesByWeight } from '../../../../src/domain/folders/folderNotes.ts';

describe('the notes on a folder', () => {
  it('begin with what must not be overlooked', () => {
    const notes = notesByWeight([
      { kind: 'contains', name: 'web' },
      { kind: 'inside', name: 'all' },
      { kind: 'wide' },
      { kind: 'holds-forbidden', paths: ['/proj/.ssh'] },
      { kind: 'same-as', name: 'api' },
      { kind: 'replaced' },
    ]);
    assert.deepEqual(
      notes.map(({ kind }) => kind),
      ['replaced', 'holds-forbidden', 'wide', 'same-as', 'inside', 'contains'],
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LeftOut } from '../../src/domain/consent/access.ts';
import {
  isAnswerable,
  isNewAnswer,
  notesByWeight,
} from '../../src/domain/folders/folderStanding.ts';

const reasons: readonly (LeftOut | undefined)[] = [
  undefined,
  'not-file',
  'restricted',
  'forbidden',
  'denied',
  'missing',
  'not-a-directory',
  'unreadable',
  'excluded',
  'duplicate',
  'not-offered',
  'undecided',
];

const where = (isIt: (reason: LeftOut | undefined) => boolean) => reasons.filter(isIt);

describe('how a folder stands', () => {
  it('can be changed by an answer only where nothing stronger than an answer decides', () => {
    assert.deepEqual(
      where(leftOut => isAnswerable({ leftOut })),
      [undefined, 'denied', 'not-offered', 'undecided'],
    );
  });

  it('makes an answer new unless it is the one that stands', () => {
    assert.deepEqual(
      where(leftOut => isNewAnswer({ leftOut }, true)),
      ['denied', 'not-offered', 'undecided'],
    );
    assert.deepEqual(
      where(leftOut => isNewAnswer({ leftOut }, false)),
      [undefined, 'not-offered', 'undecided'],
    );
  });
});

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

  it('keep their order among those of one kind', () => {
    const notes = [
      { kind: 'inside', name: 'b' },
      { kind: 'inside', name: 'a' },
    ] as const;
    assert.deepEqual(notesByWeight(notes), notes);
  });
});

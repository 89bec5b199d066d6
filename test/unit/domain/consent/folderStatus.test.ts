import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FolderAccess } from '../../../../src/domain/consent/folderAccess.ts';
import {
  type ExclusionReason,
  type FolderStatus,
  type FolderWord,
  foldAlike,
  folderStatus,
  type StatusFacts,
} from '../../../../src/domain/consent/statusWords.ts';
import { diskFolder } from '../../../../src/domain/folders/folders.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const folder = diskFolder('/proj/api', 'api', 'directory', 'linux');
const root: FolderAccess = { folder, root: { uri: folder.uri, name: 'api' }, notes: [] };
const excluded = (exclusion: ExclusionReason): FolderAccess => ({ folder, exclusion, notes: [] });

it('the status of a folder is the word for its access, with remarks', () => {
  const stands = (access: FolderAccess, facts: Partial<StatusFacts> = {}) =>
    folderStatus(access, { isLive: true, isKnown: false, ...facts });
  const plain = { isReadOnly: false, isStillKnown: false, isReplaced: false };
  const [isReadOnly, isKnown] = [true, true];
  const readOnly = { ...root, isReadOnly };
  const still = { isLive: false };
  const [denied, undecided] = [excluded('denied'), excluded('undecided')];
  const replaced = { ...undecided, notes: [{ kind: 'replaced' } as const] };
  foundAsExpected({
    allowed: [stands(root), { word: 'allowed', ...plain }],
    told: [stands(root, { isKnown }), { word: 'exposed', ...plain }],
    'not running': [stands(root, still), { word: 'allowed', ...plain }],
    undecided: [stands(undecided), { word: 'waiting', ...plain }],
    'undecided, not running': [stands(undecided, still), { word: 'not-asked', ...plain }],
    missing: [stands(excluded('missing')), { word: 'missing', ...plain }],
    'still known': [stands(denied, { isKnown }), { word: 'denied', ...plain, isStillKnown: true }],
    'read only': [stands(readOnly), { word: 'allowed', ...plain, isReadOnly }],
    'read only, still': [stands(readOnly, still), { word: 'allowed', ...plain, isReadOnly }],
    'read only, denied': [stands({ ...denied, isReadOnly }), { word: 'denied', ...plain }],
    replaced: [stands(replaced), { word: 'waiting', ...plain, isReplaced: true }],
  });
});

describe('the folders of one server', () => {
  const fold = (...names: readonly string[]) =>
    foldAlike(
      names,
      (name): FolderStatus => ({
        word: name.split(' ')[0] as FolderWord,
        isReadOnly: name.includes('ro'),
        isStillKnown: false,
        isReplaced: false,
      }),
    );

  it('form one list when four or more have the same status, at the place of the first', () => {
    const exposed = ['exposed 2', 'exposed 4', 'exposed 5', 'exposed 7'] as const;
    const [first, ...others] = exposed;
    assert.deepEqual(fold('missing 1', first, 'denied 3', 'denied 6', ...others), [
      ...[['missing 1'], exposed, ['denied 3'], ['denied 6']],
    ]);
    assert.deepEqual(
      fold(...others),
      others.map(name => [name]),
    );
  });

  it('form two lists when some are read-only', () => {
    const read = [1, 2, 3, 4].map(number => `exposed ro ${number}`);
    const write = [5, 6, 7, 8].map(number => `exposed ${number}`);
    assert.deepEqual(fold(...read, ...write), [read, write]);
  });

  it('start with waiting folders, which are never hidden in a list', () => {
    const waiting = [1, 2, 3, 4, 5].map(number => `waiting ${number}`);
    const exposed = [6, 7, 8, 9].map(number => `exposed ${number}`);
    assert.deepEqual(fold(...exposed, ...waiting), [...waiting.map(name => [name]), exposed]);
  });
});

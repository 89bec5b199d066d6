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
import type { Folder } from '../../../../src/domain/folders/folders.ts';

const folder: Folder = {
  uri: 'file:///proj/api',
  name: 'api',
  path: '/proj/api',
  origin: 'workspace',
  disk: 'directory',
  realPath: '/proj/api',
  place: undefined,
};
const root: FolderAccess = { folder, root: { uri: folder.uri, name: 'api' }, notes: [] };
const excluded = (exclusion: ExclusionReason): FolderAccess => ({ folder, exclusion, notes: [] });

describe('how a folder stands with a server', () => {
  const stands = (access: FolderAccess, facts: Partial<StatusFacts> = {}) =>
    folderStatus(access, { isLive: true, isKnown: false, ...facts });
  const plain = { isReadOnly: false, isStillKnown: false, isReplaced: false };

  it('is exposed only when the server that runs was told of it', () => {
    assert.deepEqual(stands(root), { word: 'allowed', ...plain });
    assert.deepEqual(stands(root, { isKnown: true }), { word: 'exposed', ...plain });
    assert.equal(stands(root, { isLive: false }).word, 'allowed');
  });

  it('waits for an answer only while the server runs', () => {
    assert.equal(stands(excluded('undecided')).word, 'waiting');
    assert.equal(stands(excluded('undecided'), { isLive: false }).word, 'not-asked');
  });

  it('is excluded for its reason, and may still be known to the server', () => {
    assert.deepEqual(stands(excluded('missing')), { word: 'missing', ...plain });
    assert.deepEqual(stands(excluded('denied'), { isKnown: true }), {
      word: 'denied',
      ...plain,
      isStillKnown: true,
    });
  });

  it('is read only where that was answered', () => {
    const readOnly = { ...root, isReadOnly: true };
    assert.deepEqual(
      [
        stands(readOnly, { isLive: false }),
        stands(readOnly),
        stands(root, { isKnown: true }),
        stands({ ...excluded('denied'), isReadOnly: true }),
      ].map(({ isReadOnly }) => isReadOnly),
      [true, true, false, false],
    );
  });

  it('says that another folder took the place of the one that was answered about', () => {
    const replaced = { ...excluded('undecided'), notes: [{ kind: 'replaced' } as const] };
    assert.deepEqual(stands(replaced), { word: 'waiting', ...plain, isReplaced: true });
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

  it('are one list where four or more stand alike, at the place of the first', () => {
    assert.deepEqual(
      fold('missing 1', 'exposed 2', 'denied 3', 'exposed 4', 'exposed 5', 'denied 6', 'exposed 7'),
      [
        ['missing 1'],
        ['exposed 2', 'exposed 4', 'exposed 5', 'exposed 7'],
        ['denied 3'],
        ['denied 6'],
      ],
    );
    const three = ['exposed 1', 'exposed 2', 'exposed 3'];
    assert.deepEqual(
      fold(...three),
      three.map(name => [name]),
    );
  });

  it('are two lists where some can only be read', () => {
    const read = [1, 2, 3, 4].map(number => `exposed ro ${number}`);
    const write = [5, 6, 7, 8].map(number => `exposed ${number}`);
    assert.deepEqual(fold(...read, ...write), [read, write]);
  });

  it('have those first that wait, which are never hidden in a list', () => {
    const waiting = [1, 2, 3, 4, 5].map(number => `waiting ${number}`);
    const exposed = [6, 7, 8, 9].map(number => `exposed ${number}`);
    assert.deepEqual(fold(...exposed, ...waiting), [...waiting.map(name => [name]), exposed]);
  });
});

import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  type Access,
  accessTo,
  isAnswerable,
  isNewAnswer,
  startRoots,
  startStep,
  startsByItself,
} from '../../../../src/domain/consent/folderAccess.ts';
import type { Decision } from '../../../../src/domain/consent/grants.ts';
import type { ExclusionReason } from '../../../../src/domain/consent/statusWords.ts';
import {
  type DiskState,
  diskFolder,
  type Folder,
  virtualFolder,
} from '../../../../src/domain/folders/folders.ts';
import { allowing } from '../../../support/access.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const decisions: readonly Decision[] = ['allowed', 'denied', 'undecided'];
const disks: readonly DiskState[] = ['directory', 'missing', 'not-a-directory', 'unreadable'];

/** Folders named after the decision on them. */
function decided(...names: readonly Decision[]): Folder[] {
  return names.map((name, index) => diskFolder(`/${index}/${name}`, name, 'directory', 'linux'));
}

function accessByName(folders: readonly Folder[], isTrusted = true): Access {
  return accessTo(folders, { ...allowing(({ name }) => name as Decision), isTrusted });
}

test('a process is started with the visible roots: each with its path, and which folder it is where that is known', () => {
  const [web, api, docs] = decided('allowed', 'denied', 'allowed');
  assert.ok(web && api && docs);
  const access = accessByName([{ ...web, place: '1:2' }, { ...api, place: '1:3' }, docs]);
  assert.deepEqual(startRoots(access), [
    {
      uri: 'file:///0/allowed',
      name: 'allowed (0)',
      path: '/0/allowed',
      place: '1:2',
      folder: '1:2',
    },
    { uri: 'file:///2/allowed', name: 'allowed (2)', path: '/2/allowed' },
  ]);
});

test('a folder is read only as was chosen, under whichever of its paths, and only where something sees to it', () => {
  const [web, api, docs] = decided('allowed', 'denied', 'allowed');
  assert.ok(web && api && docs);
  const terms = allowing(({ name }) => name as Decision);
  const isReadOnly = ({ uri }: Folder) => uri !== docs.uri;
  const access = accessTo([web, api, docs], { ...terms, isReadOnly });
  assert.deepEqual(
    access.folders.map(({ isReadOnly = false }) => isReadOnly),
    [true, true, false],
  );
  assert.deepEqual(
    startRoots(access).map(({ isReadOnly = false }) => isReadOnly),
    [true, false],
  );
  const twins = [docs, web].map(folder => ({ ...folder, place: '1:2' }));
  assert.deepEqual(
    startRoots(accessTo(twins, { ...terms, isReadOnly })).map(({ uri, isReadOnly }) => [
      uri,
      isReadOnly,
    ]),
    [[docs.uri, true]],
  );
  const outside = accessTo([web, api, docs], terms);
  assert.ok(outside.folders.every(folder => !('isReadOnly' in folder)));
});

test('every combination of trust, decision, disk and scheme has its one outcome', () => {
  const rows: string[] = [];
  for (const isTrusted of [true, false]) {
    for (const decision of decisions) {
      const candidates = [
        ...disks.map(disk => diskFolder('/proj/api', 'api', disk, 'linux')),
        virtualFolder('vscode-vfs://host/api', 'api'),
      ];
      for (const folder of candidates) {
        const access = accessTo([folder], { ...allowing(() => decision), isTrusted });
        const { root, exclusion } = access.folders[0]!;
        const place = folder.path === undefined ? 'virtual' : folder.disk;
        rows.push(
          [isTrusted ? 'trusted' : 'restricted', decision, place, root ? 'ROOT' : exclusion].join(
            ' ',
          ),
        );
      }
    }
  }
  assert.deepEqual(rows, [
    'trusted allowed directory ROOT',
    'trusted allowed missing missing',
    'trusted allowed not-a-directory not-a-directory',
    'trusted allowed unreadable unreadable',
    'trusted allowed virtual not-file',
    'trusted denied directory denied',
    'trusted denied missing denied',
    'trusted denied not-a-directory denied',
    'trusted denied unreadable denied',
    'trusted denied virtual not-file',
    'trusted undecided directory undecided',
    'trusted undecided missing missing',
    'trusted undecided not-a-directory not-a-directory',
    'trusted undecided unreadable unreadable',
    'trusted undecided virtual not-file',
    // Nothing is shared in Restricted Mode, whatever was answered.
    ...decisions.flatMap(decision => [
      ...disks.map(disk => `restricted ${decision} ${disk} restricted`),
      `restricted ${decision} virtual not-file`,
    ]),
  ]);
});

test('the access tells of each folder either a root or a reason, and what waits for an answer', () => {
  const [allowed, denied, undecided] = decided('allowed', 'denied', 'undecided');
  assert.deepEqual(accessByName([allowed!, denied!, undecided!]), {
    folders: [
      { folder: allowed, root: { uri: 'file:///0/allowed', name: 'allowed' }, notes: [] },
      { folder: denied, exclusion: 'denied', notes: [] },
      { folder: undecided, exclusion: 'undecided', notes: [] },
    ],
    roots: [{ uri: 'file:///0/allowed', name: 'allowed' }],
    waiting: [undecided],
    isRefused: false,
  });
});

test('a folder that is kept back never shows in the name of a root', () => {
  const folders = [
    diskFolder('/one/api', 'api', 'directory', 'linux'),
    diskFolder('/two/api', 'api', 'directory', 'linux'),
  ];
  const { roots } = accessTo(
    folders,
    allowing(({ path }) => (path === '/one/api' ? 'allowed' : 'denied')),
  );
  assert.deepEqual(roots, [{ uri: 'file:///one/api', name: 'api' }]);
});

test('a server is refused when the user said no to every folder there is to say no to', () => {
  const virtual = virtualFolder('vscode-vfs://host/x', 'denied');
  const isRefused = (folders: readonly Folder[], isTrusted = true) =>
    accessByName(folders, isTrusted).isRefused;
  foundAsExpected({
    'no folder': [isRefused([]), false],
    denied: [isRefused(decided('denied')), true],
    'all denied': [isRefused(decided('denied', 'denied')), true],
    'denied and virtual': [isRefused([...decided('denied'), virtual]), true],
    'only virtual': [isRefused([virtual]), false],
    'denied and allowed': [isRefused(decided('denied', 'allowed')), false],
    'denied and undecided': [isRefused(decided('denied', 'undecided')), false],
    restricted: [isRefused(decided('denied'), false), false],
  });
});

test('a start is preceded by a question where an answer is missing, or by the reason against it', () => {
  const virtual = virtualFolder('vscode-vfs://host/x', 'allowed');
  foundAsExpected({
    'no folder': [startStep(accessByName([]), true), 'no-folder'],
    restricted: [startStep(accessByName(decided('allowed'), false), true), 'restricted'],
    'only virtual': [startStep(accessByName([virtual]), true), 'virtual'],
    'virtual and restricted': [
      startStep(accessByName([virtual, ...decided('allowed')], false), true),
      'restricted',
    ],
    undecided: [startStep(accessByName(decided('allowed', 'undecided')), true), 'ask'],
    allowed: [startStep(accessByName([...decided('allowed', 'denied'), virtual]), true), 'start'],
    denied: [startStep(accessByName(decided('denied')), true), 'start'],
    'not agreed to': [startStep(accessByName(decided('allowed')), false), 'ask'],
  });
});

test('a server starts by itself only where the user allowed it a folder that is there', () => {
  const missing = diskFolder('/gone', 'allowed', 'missing', 'linux');
  foundAsExpected({
    allowed: [startsByItself(accessByName(decided('allowed', 'undecided')), true), true],
    'not agreed to': [startsByItself(accessByName(decided('allowed')), false), false],
    undecided: [startsByItself(accessByName(decided('undecided')), true), false],
    denied: [startsByItself(accessByName(decided('denied')), true), false],
    restricted: [startsByItself(accessByName(decided('allowed'), false), true), false],
    missing: [startsByItself(accessByName([missing]), true), false],
    'no folder': [startsByItself(accessByName([]), true), false],
  });
});

const reasons: readonly (ExclusionReason | undefined)[] = [
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

const where = (isIt: (reason: ExclusionReason | undefined) => boolean) => reasons.filter(isIt);

describe('how a folder stands', () => {
  it('can be changed by an answer only where nothing stronger than an answer decides', () => {
    assert.deepEqual(
      where(exclusion => isAnswerable({ exclusion })),
      [undefined, 'denied', 'not-offered', 'undecided'],
    );
  });

  it('makes an answer new unless it is the one that stands', () => {
    assert.deepEqual(
      where(exclusion => isNewAnswer({ exclusion }, true)),
      ['denied', 'not-offered', 'undecided'],
    );
    assert.deepEqual(
      where(exclusion => isNewAnswer({ exclusion }, false)),
      [undefined, 'not-offered', 'undecided'],
    );
  });
});

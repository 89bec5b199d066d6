import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import {
  type Access,
  type AccessTerms,
  accessTo,
  isAnswerable,
  isNewAnswer,
  startRoots,
} from '../../../../src/domain/consent/folderAccess.ts';
import type { Decision } from '../../../../src/domain/consent/grants.ts';
import { startStep, startsByItself } from '../../../../src/domain/consent/startStep.ts';
import type { ExclusionReason } from '../../../../src/domain/consent/statusWords.ts';
import type { Ruling } from '../../../../src/domain/folders/folderRules.ts';
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

function accessByName(folders: readonly Folder[], terms: Partial<AccessTerms> = {}): Access {
  return accessTo(folders, { ...allowing(({ name }) => name as Decision), ...terms });
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

test('a folder that is asked about again is noted to have been refused before', () => {
  const folders = decided('allowed', 'undecided', 'denied', 'undecided');
  const [, , , other] = folders;
  const access = accessByName(folders, { wasRefused: folder => folder !== other });
  assert.deepEqual(
    access.folders.map(({ notes }) => notes.map(({ kind }) => kind)),
    [[], ['refused'], [], []],
  );
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
    accessByName(folders, { isTrusted }).isRefused;
  const isOffered = ({ name }: Folder) => name === 'denied';
  foundAsExpected({
    'no folder': [isRefused([]), false],
    denied: [isRefused(decided('denied')), true],
    'all denied': [isRefused(decided('denied', 'denied')), true],
    'denied and virtual': [isRefused([...decided('denied'), virtual]), true],
    'only virtual': [isRefused([virtual]), false],
    'denied and allowed': [isRefused(decided('denied', 'allowed')), false],
    'denied and undecided': [isRefused(decided('denied', 'undecided')), false],
    restricted: [isRefused(decided('denied'), false), false],
    'denied and not offered': [
      accessByName(decided('denied', 'undecided'), { isOffered }).isRefused,
      true,
    ],
  });
});

test('a start is preceded by a question where an answer is missing, or by the reason against it', () => {
  const virtual = virtualFolder('vscode-vfs://host/x', 'allowed');
  foundAsExpected({
    'no folder': [startStep(accessByName([]), true), 'no-folder'],
    restricted: [
      startStep(accessByName(decided('allowed'), { isTrusted: false }), true),
      'restricted',
    ],
    'only virtual': [startStep(accessByName([virtual]), true), 'virtual'],
    'virtual and restricted': [
      startStep(accessByName([virtual, ...decided('allowed')], { isTrusted: false }), true),
      'restricted',
    ],
    undecided: [startStep(accessByName(decided('allowed', 'undecided')), true), 'ask'],
    allowed: [startStep(accessByName([...decided('allowed', 'denied'), virtual]), true), 'start'],
    denied: [startStep(accessByName(decided('denied')), true), 'start'],
    'not agreed to': [startStep(accessByName(decided('allowed')), false), 'ask'],
  });
});

test('a server starts by itself only where it was agreed to and may see a folder', () => {
  foundAsExpected({
    allowed: [startsByItself(accessByName(decided('allowed', 'undecided')), true), true],
    'not agreed to': [startsByItself(accessByName(decided('allowed')), false), false],
    'no root': [startsByItself(accessByName(decided('undecided', 'denied')), true), false],
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

const noRuling: Ruling = { exclusion: undefined, forbiddenWithin: [], isWide: false };

/** A folder named by the last name in its path. */
function at(path: string, change: Partial<Folder> = {}): Folder {
  const folder = diskFolder(path, path.split('/').at(-1) ?? '', 'directory', 'linux');
  return { ...folder, realPath: path, ...change };
}

/** What is left out and why, and the notes, by folder name. Roots are `ROOT`. */
function shown({ folders }: Access): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    folders.map(({ folder, exclusion, notes }) => [folder.name, [exclusion ?? 'ROOT', ...notes]]),
  );
}

function standing(change: Partial<AccessTerms>, decision: Decision, disk = at('/a/x')) {
  const access = accessTo([disk], { ...allowing(() => decision), ...change });
  const [only] = access.folders;
  return [only?.exclusion ?? 'ROOT', access.waiting.length, access.isRefused];
}

describe('a rule', () => {
  it('is stronger than any answer', () => {
    const decisions = ['allowed', 'denied', 'undecided', 'replaced'] as const;
    const under = (exclusion: Ruling['exclusion']) =>
      decisions.map(
        decision =>
          standing({ rules: { rulingOn: () => ({ ...noRuling, exclusion }) } }, decision)[0],
      );
    assert.deepEqual(
      { forbidden: under('forbidden'), excluded: under('excluded'), none: under(undefined) },
      {
        forbidden: ['forbidden', 'forbidden', 'forbidden', 'forbidden'],
        excluded: ['excluded', 'denied', 'excluded', 'excluded'],
        none: ['ROOT', 'denied', 'undecided', 'undecided'],
      },
    );
  });

  it('tells the decision what is forbidden within, and a person too, the gravest first', () => {
    const told: unknown[] = [];
    const access = accessTo([at('/a')], {
      ...allowing(() => 'undecided'),
      rules: { rulingOn: () => ({ ...noRuling, forbiddenWithin: ['/a/.ssh'], isWide: true }) },
      decisionOn: (_, within) => {
        told.push(within);
        return 'replaced';
      },
    });
    assert.deepEqual(told, [['/a/.ssh']]);
    assert.deepEqual(shown(access), {
      a: [
        'undecided',
        { kind: 'replaced' },
        { kind: 'holds-forbidden', paths: ['/a/.ssh'] },
        { kind: 'wide' },
      ],
    });
  });
});

describe('a folder that is not offered', () => {
  it('waits for no answer, and is what was answered on it all the same', () => {
    const isOffered = () => false;
    assert.deepEqual(
      (['allowed', 'denied', 'undecided', 'replaced'] as const).map(decision =>
        standing({ isOffered }, decision),
      ),
      [
        ['ROOT', 0, false],
        ['denied', 0, true],
        ['not-offered', 0, false],
        ['undecided', 1, false],
      ],
    );
  });
});

describe('the same folder under two paths', () => {
  const one = at('/proj/one', { realPath: '/proj/one', place: '1:2' });
  const link = at('/links/two', { realPath: '/proj/one', place: '1:2' });
  const bound = at('/mnt/three', { place: '1:2' });
  const by = (decisions: Readonly<Record<string, Decision>>) =>
    shown(
      accessTo(
        [one, link, bound],
        allowing(({ name }) => decisions[name] ?? 'undecided'),
      ),
    );
  const same = (name: string) => ({ kind: 'same-as', name });

  it('is served once, as the first that is allowed', () => {
    assert.deepEqual(by({ one: 'allowed', two: 'allowed' }), {
      one: ['ROOT'],
      two: ['duplicate', same('one')],
      three: ['duplicate', same('one')],
    });
    assert.deepEqual(by({ two: 'allowed' }), {
      one: ['duplicate', same('two')],
      two: ['ROOT'],
      three: ['duplicate', same('two')],
    });
  });

  it('is asked about once', () => {
    assert.deepEqual(by({}), {
      one: ['undecided'],
      two: ['duplicate', same('one')],
      three: ['duplicate', same('one')],
    });
  });

  it('is denied under every path when it is under one', () => {
    assert.deepEqual(by({ one: 'allowed', two: 'denied', three: 'allowed' }), {
      one: ['duplicate', same('two')],
      two: ['denied'],
      three: ['duplicate', same('two')],
    });
    assert.deepEqual(by({ one: 'denied', two: 'denied' }), {
      one: ['denied'],
      two: ['denied', same('one')],
      three: ['duplicate', same('one')],
    });
  });

  it('is no root when one of its paths is denied, whatever is said on the others', () => {
    const decision = fc.constantFrom<Decision>('allowed', 'denied', 'undecided', 'replaced');
    fc.assert(
      fc.property(fc.tuple(decision, decision, decision), fc.boolean(), (said, isOffered) => {
        const folders = [one, link, bound];
        const { roots, waiting } = accessTo(folders, {
          ...allowing(folder => said[folders.indexOf(folder)] ?? 'undecided'),
          isOffered: () => isOffered,
        });
        const isDenied = said.includes('denied');
        assert.equal(roots.length, !isDenied && said.includes('allowed') ? 1 : 0);
        assert.ok(waiting.length <= (isDenied || roots.length > 0 ? 0 : 1));
      }),
    );
  });
});

describe('folders within each other', () => {
  it('are told which is the nearest around them, and which are directly within', () => {
    const folders = [
      at('/proj'),
      at('/proj/web/src'),
      at('/proj/web'),
      at('/proj-other'),
      at('/links/api', { realPath: '/proj/api' }),
      at('/proj/gone', { disk: 'missing' }),
    ];
    assert.deepEqual(
      shown(
        accessTo(
          folders,
          allowing(() => 'allowed'),
        ),
      ),
      {
        proj: ['ROOT', { kind: 'contains', name: 'web' }, { kind: 'contains', name: 'api' }],
        src: ['ROOT', { kind: 'inside', name: 'web' }],
        web: ['ROOT', { kind: 'inside', name: 'proj' }, { kind: 'contains', name: 'src' }],
        'proj-other': ['ROOT'],
        api: ['ROOT', { kind: 'inside', name: 'proj' }],
        gone: ['missing'],
      },
    );
  });

  it('are no news where one of them can be no root', () => {
    const folders = [
      at('/proj'),
      at('/proj/forbidden'),
      at('/proj/excluded'),
      at('/proj/excluded/web'),
      at('/proj/file', { disk: 'not-a-directory' }),
      at('/proj/denied'),
      at('/proj/undecided'),
      at('/proj/elsewhere'),
    ];
    const ruled = new Set<string>(['forbidden', 'excluded']);
    const access = accessTo(folders, {
      ...allowing(({ name }) =>
        name === 'denied' ? 'denied' : name === 'proj' || ruled.has(name) ? 'allowed' : 'undecided',
      ),
      rules: {
        rulingOn: ({ name }) => ({
          ...noRuling,
          exclusion: ruled.has(name) ? (name as Ruling['exclusion']) : undefined,
        }),
      },
      isOffered: ({ name }) => name !== 'elsewhere',
    });
    const inside = { kind: 'inside', name: 'proj' };
    const within = ['web', 'denied', 'undecided', 'elsewhere'];
    assert.deepEqual(shown(access), {
      proj: ['ROOT', ...within.map(name => ({ kind: 'contains', name }))],
      forbidden: ['forbidden'],
      excluded: ['excluded'],
      web: ['undecided', inside],
      file: ['not-a-directory'],
      denied: ['denied', inside],
      undecided: ['undecided', inside],
      elsewhere: ['not-offered', inside],
    });
  });

  it('are told apart on Windows as well', () => {
    const at = (path: string, name: string) => ({
      ...diskFolder(path, name, 'directory', 'win32'),
      realPath: path,
    });
    const folders = [at('C:\\', 'drive'), at('C:\\proj\\web', 'web'), at('D:\\proj', 'other')];
    assert.deepEqual(
      shown(
        accessTo(
          folders,
          allowing(() => 'denied'),
        ),
      ),
      {
        drive: ['denied', { kind: 'contains', name: 'web' }],
        web: ['denied', { kind: 'inside', name: 'drive' }],
        other: ['denied'],
      },
    );
  });
});

it('a rule of the editor leaves a server nothing, whatever was answered', () => {
  const folders = [at('/proj'), at('/virtual', { path: undefined })];
  const access = accessTo(folders, { ...allowing(() => 'allowed'), rule: 'chat.mcp.access' });
  assert.deepEqual(
    [access.folders.map(({ exclusion }) => exclusion), access.roots, startStep(access, true)],
    [['ruled', 'not-file'], [], 'ruled'],
  );
});

it('nothing is noted in Restricted Mode, where nothing is looked into', () => {
  const folders = [at('/proj'), at('/proj/web', { place: '1:2' }), at('/x', { place: '1:2' })];
  const access = accessTo(folders, { ...allowing(() => 'allowed'), isTrusted: false });
  assert.deepEqual(shown(access), { proj: ['restricted'], web: ['restricted'], x: ['restricted'] });
});

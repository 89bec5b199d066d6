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

/** The terms under which this decision holds for each folder. */
function allAre(decision: Decision | ((folder: Folder) => Decision)): AccessTerms {
  return allowing(typeof decision === 'function' ? decision : () => decision);
}

function accessByName(folders: readonly Folder[], terms: Partial<AccessTerms> = {}): Access {
  return accessTo(folders, { ...allowing(({ name }) => name as Decision), ...terms });
}

test('a process starts with the visible roots: path, and identity of the folder if known', () => {
  const [web, api, docs] = decided('allowed', 'denied', 'allowed');
  assert.ok(web && api && docs);
  const access = accessByName([{ ...web, place: '1:2' }, { ...api, place: '1:3' }, docs]);
  const placed = { place: '1:2', folder: '1:2' };
  assert.deepEqual(startRoots(access), [
    { uri: 'file:///0/allowed', name: 'allowed (0)', path: '/0/allowed', ...placed },
    { uri: 'file:///2/allowed', name: 'allowed (2)', path: '/2/allowed' },
  ]);
});

test('notes on an open folder that it was refused before', () => {
  const folders = decided('allowed', 'undecided', 'denied', 'undecided');
  const [, , , other] = folders;
  const access = accessByName(folders, { wasRefused: folder => folder !== other });
  assert.deepEqual(
    access.folders.map(({ notes }) => notes.map(({ kind }) => kind)),
    [[], ['refused'], [], []],
  );
});

test('a folder is read-only under all its paths if chosen, and only if something enforces it', () => {
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
  const [only, ...others] = startRoots(accessTo(twins, { ...terms, isReadOnly }));
  assert.deepEqual([only?.uri, only?.isReadOnly, others], [docs.uri, true, []]);
  const outside = accessTo([web, api, docs], terms);
  assert.ok(outside.folders.every(folder => !('isReadOnly' in folder)));
});

test('every combination of trust, decision, disk and scheme has one outcome', () => {
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
        const trust = isTrusted ? 'trusted' : 'restricted';
        rows.push([trust, decision, place, root ? 'ROOT' : exclusion].join(' '));
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

test('a hidden folder never affects the name of a root', () => {
  const terms = allAre(({ path }) => (path === '/one/api' ? 'allowed' : 'denied'));
  const { roots } = accessTo([at('/one/api'), at('/two/api')], terms);
  assert.deepEqual(roots, [{ uri: 'file:///one/api', name: 'api' }]);
});

test('a server is refused when the user denied every folder that can be denied', () => {
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
    'not offered': [accessByName(decided('denied', 'undecided'), { isOffered }).isRefused, true],
  });
});

test('a start is preceded by the missing question or by the reason against it', () => {
  const virtual = virtualFolder('vscode-vfs://host/x', 'allowed');
  const step = (folders: readonly Folder[], terms: Partial<AccessTerms> = {}, isAgreed = true) =>
    startStep(accessByName(folders, terms), isAgreed);
  const [allowed, isTrusted, needsFolder] = [decided('allowed'), false, true];
  foundAsExpected({
    'no folder': [step([]), 'start'],
    'no folder, and not agreed to': [step([], {}, false), 'ask'],
    'no folder, which it needs': [step([], { needsFolder }), 'no-folder'],
    'no folder, restricted': [step([], { isTrusted }), 'restricted'],
    restricted: [step(allowed, { isTrusted }), 'restricted'],
    'only virtual': [step([virtual]), 'start'],
    'only virtual, where it needs one': [step([virtual], { needsFolder }), 'no-folder'],
    'virtual and restricted': [step([virtual, ...allowed], { isTrusted }), 'restricted'],
    undecided: [step(decided('allowed', 'undecided')), 'ask'],
    allowed: [step([...decided('allowed', 'denied'), virtual]), 'start'],
    denied: [step(decided('denied')), 'start'],
    'not agreed to': [step(allowed, {}, false), 'ask'],
  });
});

test('a server starts automatically only when the user agreed and it may see a folder', () => {
  foundAsExpected({
    allowed: [startsByItself(accessByName(decided('allowed', 'undecided')), true), true],
    'not agreed to': [startsByItself(accessByName(decided('allowed')), false), false],
    'no root': [startsByItself(accessByName(decided('undecided', 'denied')), true), false],
  });
});

const reasons: readonly (ExclusionReason | undefined)[] = [
  undefined,
  ...(['not-file', 'restricted', 'forbidden', 'denied', 'missing', 'not-a-directory'] as const),
  ...(['unreadable', 'excluded', 'duplicate', 'not-offered', 'undecided'] as const),
];

test('an answer decides only where no stronger rule does, and is new unless already given', () => {
  const where = (isIt: (reason: ExclusionReason | undefined) => boolean) => reasons.filter(isIt);
  const open = ['not-offered', 'undecided'];
  foundAsExpected({
    answerable: [where(exclusion => isAnswerable({ exclusion })), [undefined, 'denied', ...open]],
    'a new yes': [where(exclusion => isNewAnswer({ exclusion }, true)), ['denied', ...open]],
    'a new no': [where(exclusion => isNewAnswer({ exclusion }, false)), [undefined, ...open]],
  });
});

const noRuling: Ruling = { exclusion: undefined, forbiddenWithin: [], isWide: false };

/** A folder named by the last name in its path. */
function at(path: string, change: Partial<Folder> = {}): Folder {
  const folder = diskFolder(path, path.split('/').at(-1) ?? '', 'directory', 'linux');
  return { ...folder, realPath: path, ...change };
}

/** Exclusions and notes by folder name. Roots are `ROOT`. */
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
  it('is stronger than every answer', () => {
    const decisions = ['allowed', 'denied', 'undecided', 'replaced'] as const;
    const under = (exclusion: Ruling['exclusion']) => {
      const rules = { rulingOn: () => ({ ...noRuling, exclusion }) };
      return decisions.map(decision => standing({ rules }, decision)[0]);
    };
    foundAsExpected({
      forbidden: [under('forbidden'), ['forbidden', 'forbidden', 'forbidden', 'forbidden']],
      excluded: [under('excluded'), ['excluded', 'denied', 'excluded', 'excluded']],
      none: [under(undefined), ['ROOT', 'denied', 'undecided', 'undecided']],
    });
  });

  it('gives decision and user the forbidden folders within, the gravest first', () => {
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

test('a folder that is not offered waits for no answer, and keeps its answer', () => {
  const offered = (decision: Decision) => standing({ isOffered: () => false }, decision);
  foundAsExpected({
    allowed: [offered('allowed'), ['ROOT', 0, false]],
    denied: [offered('denied'), ['denied', 0, true]],
    undecided: [offered('undecided'), ['not-offered', 0, false]],
    replaced: [offered('replaced'), ['undecided', 1, false]],
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
        allAre(({ name }) => decisions[name] ?? 'undecided'),
      ),
    );
  const same = (name: string) => ({ kind: 'same-as', name });

  it('is shared and asked about once, under its first allowed path, and denied under all', () => {
    foundAsExpected({
      'two allowed': [
        by({ one: 'allowed', two: 'allowed' }),
        { one: ['ROOT'], two: ['duplicate', same('one')], three: ['duplicate', same('one')] },
      ],
      'the second allowed': [
        by({ two: 'allowed' }),
        { one: ['duplicate', same('two')], two: ['ROOT'], three: ['duplicate', same('two')] },
      ],
      'none answered': [
        by({}),
        { one: ['undecided'], two: ['duplicate', same('one')], three: ['duplicate', same('one')] },
      ],
      'one denied': [
        by({ one: 'allowed', two: 'denied', three: 'allowed' }),
        { one: ['duplicate', same('two')], two: ['denied'], three: ['duplicate', same('two')] },
      ],
      'two denied': [
        by({ one: 'denied', two: 'denied' }),
        { one: ['denied'], two: ['denied', same('one')], three: ['duplicate', same('one')] },
      ],
    });
  });

  it('is not shared when one of its paths is denied, whatever the others say', () => {
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
  it('know the nearest folder around them and the folders directly within', () => {
    const folders = [
      at('/proj'),
      at('/proj/web/src'),
      at('/proj/web'),
      at('/proj-other'),
      at('/links/api', { realPath: '/proj/api' }),
      at('/proj/gone', { disk: 'missing' }),
    ];
    assert.deepEqual(shown(accessTo(folders, allAre('allowed'))), {
      proj: ['ROOT', { kind: 'contains', name: 'web' }, { kind: 'contains', name: 'api' }],
      src: ['ROOT', { kind: 'inside', name: 'web' }],
      web: ['ROOT', { kind: 'inside', name: 'proj' }, { kind: 'contains', name: 'src' }],
      'proj-other': ['ROOT'],
      api: ['ROOT', { kind: 'inside', name: 'proj' }],
      gone: ['missing'],
    });
  });

  it('do not mention each other when one of them cannot be a root', () => {
    const paths = [
      ...['', '/forbidden', '/excluded', '/excluded/web', '/file', '/denied', '/undecided'],
    ];
    const disk = { disk: 'not-a-directory' } as const;
    const folders = [...paths, '/elsewhere'].map(path =>
      at(`/proj${path}`, path === '/file' ? disk : {}),
    );
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
});

it('a rule of the editor leaves a server no root, whatever the answers', () => {
  const folders = [at('/proj'), at('/virtual', { path: undefined })];
  const access = accessTo(folders, { ...allowing(() => 'allowed'), rule: 'chat.mcp.access' });
  assert.deepEqual(
    [access.folders.map(({ exclusion }) => exclusion), access.roots, startStep(access, true)],
    [['ruled', 'not-file'], [], 'ruled'],
  );
});

it('has no notes in Restricted Mode, where no folder is looked into', () => {
  const folders = [at('/proj'), at('/proj/web', { place: '1:2' }), at('/x', { place: '1:2' })];
  const access = accessTo(folders, { ...allowing(() => 'allowed'), isTrusted: false });
  assert.deepEqual(shown(access), { proj: ['restricted'], web: ['restricted'], x: ['restricted'] });
});

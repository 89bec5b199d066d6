import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Access,
  type AccessTerms,
  accessTo,
  startStep,
} from '../../../../src/domain/consent/folderAccess.ts';
import type { Decision } from '../../../../src/domain/consent/grants.ts';
import type { Ruling } from '../../../../src/domain/folders/folderRules.ts';
import { diskFolder, type Folder } from '../../../../src/domain/folders/folders.ts';
import { allowing } from '../../../support/access.ts';

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

  it('keeps no server from being refused', () => {
    const access = accessTo([at('/x/denied'), at('/x/undecided')], {
      ...allowing(({ name }) => name as Decision),
      isOffered: ({ name }) => name === 'denied',
    });
    assert.equal(access.isRefused, true);
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

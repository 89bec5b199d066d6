import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accessTo } from '../../../../src/domain/consent/folderAccess.ts';
import {
  type ForbiddenPath,
  type RuleTerms,
  SettingRules,
} from '../../../../src/domain/folders/folderRules.ts';
import { diskFolder, type Folder } from '../../../../src/domain/folders/folders.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { allowing } from '../../../support/access.ts';

const there = { disk: 'directory', realPath: undefined, place: undefined } as const;
const gone = { ...there, disk: 'missing' } as const;

function rules(change: Partial<RuleTerms> = {}): SettingRules {
  const terms: RuleTerms = {
    platform: 'linux',
    home: '/home/me',
    forbidden: forbid('/', '/home/me', '/home/me/.ssh'),
    isExcluded: () => false,
    ...change,
  };
  return new SettingRules(terms);
}

function forbid(...paths: readonly string[]): ForbiddenPath[] {
  return paths.map(path => ({ path, look: there }));
}

function at(path: string, change: Partial<Folder> = {}): Folder {
  const platform = path.startsWith('/') ? 'linux' : 'win32';
  return { ...diskFolder(path, 'x', 'directory', platform), ...change };
}

function forbiddenAmong(paths: readonly string[], given: SettingRules): string[] {
  return paths.filter(path => given.rulingOn(at(path)).exclusion === 'forbidden');
}

const windows: Partial<RuleTerms> = {
  platform: 'win32',
  home: 'C:\\Users\\me',
  forbidden: forbid('\\', 'C:\\Users\\me', 'C:\\Users\\me\\.ssh'),
};

describe('a forbidden path', () => {
  it('forbids itself and what is in it, and of the home and the drive only themselves', () => {
    const paths = [
      '/',
      '/home',
      '/home/me',
      '/home/me/.ssh',
      '/home/me/.ssh/keys/old',
      '/home/me/.ssh-backup',
      '/home/me/proj',
      '/home/me/.SSH',
    ];
    const forbidden = ['/', '/home/me', '/home/me/.ssh', '/home/me/.ssh/keys/old'];
    assert.deepEqual(forbiddenAmong(paths, rules()), forbidden);
  });

  it('is the same in any letter case and Unicode form where the disk makes no difference', () => {
    const forbidden = forbid('/', '/Users/me', '/Users/me/.ssh', '/Users/me/Ängste');
    const mac = rules({ platform: 'darwin', home: '/Users/me', forbidden });
    const paths = ['/Users/me/.SSH/x', '/users/ME', '/Users/me/A\u0308ngste', '/Users/me/proj'];
    assert.deepEqual(forbiddenAmong(paths, mac), paths.slice(0, 3));
  });

  it('is the root of every drive and share of Windows where the setting says "/"', () => {
    const paths = [
      'C:\\',
      'd:\\',
      '\\\\host\\share\\',
      'c:\\users\\ME',
      'C:\\Users\\me\\.SSH\\keys',
      'D:\\proj',
      '\\\\host\\share\\proj',
      'C:\\Users\\me\\proj',
    ];
    assert.deepEqual(forbiddenAmong(paths, rules(windows)), paths.slice(0, 5));
  });

  it('forbids what leads to it by a link, from either side, and what is it by another name', () => {
    const keys = {
      path: '/home/me/.ssh',
      look: { ...there, realPath: '/data/keys', place: '1:5' },
    };
    const given = rules({ forbidden: [keys] });
    const ruled = (folder: Folder) => given.rulingOn(folder).exclusion;
    assert.deepEqual(
      [
        ruled(at('/data/keys/old')),
        ruled(at('/proj/link', { realPath: '/home/me/.ssh' })),
        ruled(at('/home/me/.ssh/x', { realPath: '/proj/x' })),
        ruled(at('/mnt/bound', { place: '1:5' })),
        ruled(at('/data')),
      ],
      ['forbidden', 'forbidden', 'forbidden', 'forbidden', undefined],
    );
  });

  it('forbids nothing else when it is a link to the root of the disk', () => {
    const link = { path: '/home/me/.ssh', look: { ...there, realPath: '/' } };
    const paths = ['/', '/home/me/.ssh', '/proj'];
    assert.deepEqual(forbiddenAmong(paths, rules({ forbidden: [link] })), paths.slice(0, 2));
  });

  it('that exists below a folder is told with it', () => {
    const forbidden = [
      ...forbid('/home/me', '/home/me/.ssh'),
      { path: '/home/me/.aws', look: gone },
      { path: '/home/me/.kube', look: undefined },
      { path: '/x', look: { ...there, realPath: '/home/me/deep/x' } },
    ];
    const { exclusion, forbiddenWithin, isWide } = rules({ forbidden }).rulingOn(at('/home'));
    const within = ['/home/me', '/home/me/.ssh', '/home/me/.kube', '/x'];
    assert.deepEqual(
      { exclusion, forbiddenWithin, isWide },
      {
        exclusion: undefined,
        forbiddenWithin: within,
        isWide: true,
      },
    );
  });
});

describe('a folder', () => {
  const wide = (given: SettingRules, paths: readonly string[]) =>
    paths.filter(path => given.rulingOn(at(path)).isWide);
  const none = { forbidden: [] };

  it('is wide as a drive, as a folder of the system, as the home and above it, and else is not', () => {
    const own = ['/app', '/workspace', '/proj', '/srv/proj', '/home/me/proj', '/mnt/data/proj'];
    const holding = ['/', '/srv', '/home', '/home/me', '/usr', '/tmp', '/mnt/c', '/media/me/usb'];
    assert.deepEqual(wide(rules(none), [...own, ...holding]), holding);
    const mac = rules({ ...none, platform: 'darwin', home: '/Users/me' });
    const onMac = ['/USERS', '/Library', '/Volumes/Backup', '/private'];
    assert.deepEqual(wide(mac, [...own, '/Users/me/Library', ...onMac]), onMac);
  });

  it('is wide on Windows as a drive, a share, and as what the system keeps below a drive', () => {
    const own = ['D:\\proj', 'D:\\a\\b', '\\\\h\\s\\a', 'C:\\Users\\me\\proj'];
    const holding = ['D:\\', 'c:\\users', 'C:\\Program Files', '\\\\h\\s\\', 'C:\\Users\\me'];
    assert.deepEqual(wide(rules({ ...windows, ...none }), [...own, ...holding]), holding);
  });

  it('is not wide merely because a forbidden one is in it: that is said by itself', () => {
    const given = rules({ forbidden: forbid('/proj/web/.ssh') });
    const { forbiddenWithin, isWide } = given.rulingOn(at('/proj/web'));
    assert.deepEqual([forbiddenWithin, isWide], [['/proj/web/.ssh'], false]);
  });

  it('is excluded under its path or its real one', () => {
    const given = rules({ isExcluded: path => path === '/proj/secret' });
    const ruled = (folder: Folder) => given.rulingOn(folder).exclusion;
    assert.deepEqual(
      [
        ruled(at('/proj/secret')),
        ruled(at('/proj/link', { realPath: '/proj/secret' })),
        ruled(at('/proj/open')),
      ],
      ['excluded', 'excluded', undefined],
    );
  });
});

describe('whatever the grants say', () => {
  const names = fc.constantFrom('a', 'B', 'c d', '.ssh', 'é', '..x');
  const path = fc.array(names, { minLength: 2, maxLength: 5 });
  const spelled = (parts: readonly string[], platform: PathPlatform) =>
    platform === 'win32' ? `C:\\${parts.join('\\')}` : `/${parts.join('/')}`;

  it('a folder in a forbidden one is no root, and neither is one that links into it', () => {
    fc.assert(
      fc.property(
        path,
        fc.array(names, { maxLength: 3 }),
        fc.constantFrom<PathPlatform>('linux', 'darwin', 'win32'),
        fc.boolean(),
        (outer, inner, platform, isLink) => {
          const home = spelled(['Users', 'nobody'], platform);
          const forbidden = forbid(spelled(outer, platform));
          const inside = spelled([...outer, ...inner], platform);
          const folder = isLink
            ? at(spelled(['proj', 'link'], platform), { realPath: inside })
            : at(platform === 'linux' ? inside : inside.toUpperCase());
          const terms = {
            ...allowing(() => 'allowed'),
            rules: rules({ platform, home, forbidden }),
          };
          assert.deepEqual(accessTo([folder], terms).roots, []);
        },
      ),
    );
  });

  it('a folder beside all forbidden ones is one', () => {
    fc.assert(
      fc.property(path, parts => {
        const terms = {
          ...allowing(() => 'allowed'),
          rules: rules({ forbidden: forbid('/other/x') }),
        };
        assert.equal(accessTo([at(spelled(parts, 'linux'))], terms).roots.length, 1);
      }),
    );
  });
});

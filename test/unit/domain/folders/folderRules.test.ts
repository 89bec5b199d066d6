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
  it('forbids itself and its contents, for home and drive only itself', () => {
    const forbidden = ['/', '/home/me', '/home/me/.ssh', '/home/me/.ssh/keys/old'];
    const others = ['/home', '/home/me/.ssh-backup', '/home/me/proj', '/home/me/.SSH'];
    assert.deepEqual(forbiddenAmong([...forbidden, ...others], rules()), forbidden);
  });

  it('matches any letter case and Unicode form that the disk treats as equal', () => {
    const forbidden = forbid('/', '/Users/me', '/Users/me/.ssh', '/Users/me/Ängste');
    const mac = rules({ platform: 'darwin', home: '/Users/me', forbidden });
    const paths = ['/Users/me/.SSH/x', '/users/ME', '/Users/me/A\u0308ngste', '/Users/me/proj'];
    assert.deepEqual(forbiddenAmong(paths, mac), paths.slice(0, 3));
  });

  it('is the root of every Windows drive and share if the setting says "/"', () => {
    const drives = ['C:\\', 'd:\\', '\\\\host\\share\\'];
    const forbidden = [...drives, 'c:\\users\\ME', 'C:\\Users\\me\\.SSH\\keys'];
    const others = ['D:\\proj', '\\\\host\\share\\proj', 'C:\\Users\\me\\proj'];
    assert.deepEqual(forbiddenAmong([...forbidden, ...others], rules(windows)), forbidden);
  });

  it('forbids links to it, its own target, and its other names', () => {
    const look = { ...there, realPath: '/data/keys', place: '1:5' };
    const given = rules({ forbidden: [{ path: '/home/me/.ssh', look }] });
    const same = [
      at('/data/keys/old'),
      at('/proj/link', { realPath: '/home/me/.ssh' }),
      at('/home/me/.ssh/x', { realPath: '/proj/x' }),
      at('/mnt/bound', { place: '1:5' }),
    ];
    assert.deepEqual(
      [...same, at('/data')].filter(folder => given.rulingOn(folder).exclusion === 'forbidden'),
      same,
    );
  });

  it('forbids only itself when it is a link to the root of the disk', () => {
    const link = { path: '/home/me/.ssh', look: { ...there, realPath: '/' } };
    const paths = ['/', '/home/me/.ssh', '/proj'];
    assert.deepEqual(forbiddenAmong(paths, rules({ forbidden: [link] })), paths.slice(0, 2));
  });

  it('that exists below a folder is named with that folder', () => {
    const forbidden = [
      ...forbid('/home/me', '/home/me/.ssh'),
      { path: '/home/me/.aws', look: gone },
      { path: '/home/me/.kube', look: undefined },
      { path: '/x', look: { ...there, realPath: '/home/me/deep/x' } },
    ];
    const forbiddenWithin = ['/home/me', '/home/me/.ssh', '/home/me/.kube', '/x'];
    const ruling = { exclusion: undefined, forbiddenWithin, isWide: true };
    assert.deepEqual(rules({ forbidden }).rulingOn(at('/home')), ruling);
    // That alone makes no folder wide.
    const inner = { ...ruling, forbiddenWithin: ['/proj/web/.ssh'], isWide: false };
    const given = rules({ forbidden: forbid('/proj/web/.ssh') });
    assert.deepEqual(given.rulingOn(at('/proj/web')), inner);
  });
});

describe('a folder', () => {
  const wide = (given: SettingRules, paths: readonly string[]) =>
    paths.filter(path => given.rulingOn(at(path)).isWide);
  const none = { forbidden: [] };

  it('is wide if it is a drive, a system folder, the home or above the home', () => {
    const own = ['/app', '/workspace', '/proj', '/srv/proj', '/home/me/proj', '/mnt/data/proj'];
    const holding = ['/', '/srv', '/home', '/home/me', '/usr', '/tmp', '/mnt/c', '/media/me/usb'];
    assert.deepEqual(wide(rules(none), [...own, ...holding]), holding);
    const mac = rules({ ...none, platform: 'darwin', home: '/Users/me' });
    const onMac = ['/USERS', '/Library', '/Volumes/Backup', '/private'];
    assert.deepEqual(wide(mac, [...own, '/Users/me/Library', ...onMac]), onMac);
  });

  it('is wide on Windows if it is a drive, a share or a system folder', () => {
    const own = ['D:\\proj', 'D:\\a\\b', '\\\\h\\s\\a', 'C:\\Users\\me\\proj'];
    const holding = ['D:\\', 'c:\\users', 'C:\\Program Files', '\\\\h\\s\\', 'C:\\Users\\me'];
    assert.deepEqual(wide(rules({ ...windows, ...none }), [...own, ...holding]), holding);
  });

  it('is excluded under its path or its real path', () => {
    const given = rules({ isExcluded: path => path === '/proj/secret' });
    const link = at('/proj/link', { realPath: '/proj/secret' });
    assert.deepEqual(
      [at('/proj/secret'), link, at('/proj/open')].map(one => given.rulingOn(one).exclusion),
      ['excluded', 'excluded', undefined],
    );
  });
});

describe('whatever the grants say', () => {
  const names = fc.constantFrom('a', 'B', 'c d', '.ssh', 'é', '..x');
  const path = fc.array(names, { minLength: 2, maxLength: 5 });
  const allowed = allowing(() => 'allowed');
  const spelled = (parts: readonly string[], platform: PathPlatform) =>
    platform === 'win32' ? `C:\\${parts.join('\\')}` : `/${parts.join('/')}`;

  it('excludes a folder in a forbidden one, and a link into it', () => {
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
          const terms = { ...allowed, rules: rules({ platform, home, forbidden }) };
          assert.deepEqual(accessTo([folder], terms).roots, []);
        },
      ),
    );
  });
});

import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isPlace, placeOf } from '../../../../src/base/fileIdentity.ts';
import type { Disks } from '../../../../src/server/roots/disks.ts';
import { misledRoots, wayTo } from '../../../../src/server/roots/nestedRoots.ts';
import {
  areAmong,
  PinnedRoots,
  type RootFolder,
  type SkippedRoot,
} from '../../../../src/server/roots/rootFolders.ts';
import { RootSources } from '../../../../src/server/roots/rootSources.ts';
import { atEnd } from '../../../support/processes.ts';
import { onlyOn, skipLinks, thisPlatform } from '../../../support/systems.ts';
import { makeAnew, tempFolder, writeTree } from '../../../support/temp.ts';
import { said } from '../../../support/texts.ts';

const links = { skip: skipLinks };

function entryOf(path: string, name = 'a') {
  return { uri: pathToFileURL(path).href, name };
}

function pinned(...paths: readonly string[]) {
  return new PinnedRoots(
    paths.map(path => entryOf(path)),
    thisPlatform,
  );
}

/** Where the roots lead after each step, or why they lead nowhere. */
function after(roots: PinnedRoots, ...steps: readonly (() => void)[]) {
  const seen: unknown[] = [];
  for (const step of [() => {}, ...steps]) {
    step();
    const { scope, skipped } = roots.folders;
    seen.push(...scope.inPlace().map(({ real }) => real), ...skipped.map(why));
  }
  return seen;
}

/** The name of the reason that a root gives access to nothing, or of the file that words it. */
function why({ reason }: SkippedRoot): string {
  return said(reason).replace(/^rootFolders\.notInPlace\.(\w+)\(\)$|^(fileUri)\..*/, '$1$2');
}

function covers(next: PinnedRoots, before: PinnedRoots): boolean {
  return areAmong(before.folders, next.folders);
}

/** How often each of these roots was looked at since. */
function countLooks(roots: readonly RootFolder[]): () => readonly number[] {
  const looks = roots.map(root => mock.method(root, 'whyNot').mock);
  return () => looks.map(look => look.callCount());
}

/** A folder with a root to attack, and the folder that replaces it. */
function attacked(t: TestContext) {
  const top = tempFolder(t, { 'ws/sub/': '', 'out/sub/': '' });
  const [ws, sub, out] = [join(top, 'ws'), join(top, 'ws', 'sub'), join(top, 'out')];
  /** Puts a link to a folder in the place of another one. */
  const swap = (path: string, to = out) => {
    renameSync(path, `${path}-kept`);
    symlinkSync(to, path);
  };
  const swapBack = (path: string) => {
    unlinkSync(path);
    renameSync(`${path}-kept`, path);
  };
  return { top, ws, sub, out, swap, swapBack };
}

test('drops a root that is swapped for a link until it is back', links, async t => {
  const { sub, out } = attacked(t);
  const seen = after(
    pinned(sub),
    () => renameSync(sub, `${sub}-kept`),
    () => symlinkSync(out, sub),
    () => unlinkSync(sub),
    () => renameSync(`${sub}-kept`, sub),
  );
  deepEqual(seen, [sub, 'missing', 'elsewhere', 'missing', sub]);
});

test('drops a root when its parent is swapped for a link', links, async t => {
  const { ws, sub, swap, swapBack } = attacked(t);
  const seen = after(
    pinned(sub),
    () => swap(ws),
    () => swapBack(ws),
  );
  deepEqual(seen, [sub, 'elsewhere', sub]);
});

test('takes a root that is a link for its first target', links, async t => {
  const { top, sub, out } = attacked(t);
  const link = join(top, 'link');
  const linkTo = (path: string) => {
    unlinkSync(link);
    symlinkSync(path, link);
  };
  symlinkSync(sub, link);
  const seen = after(
    pinned(link),
    () => linkTo(out),
    () => linkTo(sub),
    () => {
      renameSync(sub, `${sub}-moved`);
      linkTo(`${sub}-moved`);
    },
  );
  deepEqual(seen, [sub, 'elsewhere', sub, 'elsewhere']);
});

test('takes a folder recreated under the same real path for the same root', async t => {
  const { sub, out } = attacked(t);
  const roots = pinned(sub);
  const seen = after(
    roots,
    () => rmdirSync(sub),
    () => mkdirSync(sub),
    () => {
      renameSync(sub, `${sub}-kept`);
      renameSync(join(out, 'sub'), sub);
    },
  );
  deepEqual(seen, [sub, 'missing', sub, sub]);
  // A shared folder that must not be deleted is recognized by the folder there now.
  const [root] = roots.folders.scope.roots;
  equal(root?.place, placeOf(statSync(sub, { bigint: true })));
});

test('pins a missing folder to its future place', links, async t => {
  const { top, ws, out } = attacked(t);
  const [fresh, dangling] = [join(ws, 'one', 'two'), join(top, 'dangling')];
  symlinkSync(join(top, 'nothing'), dangling);
  symlinkSync(ws, join(top, 'link'));
  const roots = pinned(join(top, 'link', 'one', 'two'), join(dangling, 'sub'));
  const seen = after(
    roots,
    () => symlinkSync(out, join(ws, 'one')),
    () => mkdirSync(join(out, 'two')),
    () => {
      unlinkSync(join(ws, 'one'));
      mkdirSync(fresh, { recursive: true });
    },
    () => mkdirSync(join(top, 'nothing', 'sub'), { recursive: true }),
    () => {
      unlinkSync(dangling);
      mkdirSync(join(dangling, 'sub'), { recursive: true });
    },
  );
  deepEqual(seen, [
    ...['missing', 'missing'],
    ...['missing', 'missing'],
    ...['elsewhere', 'missing'],
    ...[fresh, 'missing'],
    ...[fresh, 'elsewhere'],
    ...[fresh, join(dangling, 'sub')],
  ]);
});

test('takes only the named folder if the root says which one it is', links, async t => {
  const { sub, swap, swapBack } = attacked(t);
  const entry = { ...entryOf(sub), folder: placeOf(statSync(sub, { bigint: true })) };
  swap(sub);
  const seen = after(
    new PinnedRoots([entry], thisPlatform),
    () => swapBack(sub),
    () => {
      renameSync(sub, `${sub}-kept`);
      mkdirSync(sub);
    },
    () => {
      rmdirSync(sub);
      symlinkSync(`${sub}-kept`, sub);
    },
  );
  deepEqual(seen, ['replaced', sub, 'replaced', 'elsewhere']);
});

test('does not take another folder with the same inode for the named one', t => {
  const sub = tempFolder(t);
  const folder = placeOf(statSync(sub, { bigint: true }));
  const roots = new PinnedRoots([{ ...entryOf(sub), folder }], thisPlatform);
  const reasons = () => roots.folders.skipped.map(why);
  deepEqual(reasons(), []);
  const whyNot = makeAnew(sub);
  if (whyNot) {
    t.skip(whyNot);
    return;
  }
  deepEqual(reasons(), ['replaced']);
});

test('checks only the root that contains a path, at each use', t => {
  const { sub, out, swap } = attacked(t);
  const { folders } = pinned(sub, out);
  const looks = countLooks(folders.scope.roots);
  const find = (path: string) => folders.scope.findReal(path)?.real;
  deepEqual(
    [find(join(out, 'a')), find(join(out, 'a')), find('/elsewhere')],
    [out, out, undefined],
  );
  deepEqual([folders.scope.parse(join(out, 'a')).ok, looks()], [true, [0, 2]]);
  swap(out, `${out}-kept`);
  deepEqual([find(join(out, 'a')), looks()], [undefined, [0, 3]]);
  folders.scope.parse('a');
  deepEqual(looks(), [1, 3]);
});

test('a list covers another if it has all of its folders', links, t => {
  const { sub, out } = attacked(t);
  const both = pinned(sub, out);
  rmdirSync(sub);
  const again = pinned(sub);
  deepEqual(
    [covers(both, again), covers(again, both), covers(again, pinned())],
    [true, false, true],
  );
  symlinkSync(out, sub);
  deepEqual([covers(pinned(sub), again), covers(both, pinned(sub))], [false, true]);
});

test('keeps the pins of a list when clients with roots in each call take turns', async t => {
  const { sub, out } = attacked(t);
  const sources = new RootSources({ withoutRoots: 'deny' }, thisPlatform);
  const first = await sources.pinOnce([entryOf(sub)]);
  const others = [
    [entryOf(sub), entryOf(out)],
    [entryOf(sub, 'b')],
    [],
    [{ ...entryOf(sub), folder: '' }],
  ];
  const found = await Promise.all(others.map(list => sources.pinOnce(list)));
  equal(new Set([first, ...found]).size, 5);
  deepEqual(await Promise.all([[entryOf(sub)], ...others].map(list => sources.pinOnce(list))), [
    first,
    ...found,
  ]);
});

test('keeps the pins of the list used last when it remembers too many', links, async t => {
  const { sub, out, swap } = attacked(t);
  const sources = new RootSources({ withoutRoots: 'deny' }, thisPlatform);
  const mine = await sources.pinOnce([entryOf(sub)]);
  swap(sub);
  for (let number = 0; number < 15; number++) {
    await sources.pinOnce([entryOf(out, `${number}`)]);
  }
  equal(await sources.pinOnce([entryOf(sub)]), mine);
  deepEqual(after(mine), ['elsewhere']);
  for (let number = 15; number < 31; number++) {
    await sources.pinOnce([entryOf(out, `${number}`)]);
  }
  notEqual(await sources.pinOnce([entryOf(sub)]), mine);
});

test('reaches a nested root through the outer root, or not at all', links, async t => {
  const { top, ws, sub, out, swap } = attacked(t);
  writeTree(top, { 'ws/other/': '' });
  deepEqual(after(pinned(ws, sub)), [ws, sub]);
  swap(sub);
  deepEqual(after(pinned(ws, sub)), [ws, 'misled']);
  deepEqual(after(pinned(sub, ws)), [ws, 'misled']);
  deepEqual(after(pinned(ws, join(sub, 'sub'))), [ws, 'misled']);
  // A link that was shared, and leads through another root.
  symlinkSync(sub, join(top, 'shared'));
  deepEqual(after(pinned(ws, join(top, 'shared'))), [ws, 'misled']);
  // Alone, it is a shared root; and it may lead to a place that is reachable anyway.
  deepEqual(after(pinned(sub)), [out]);
  deepEqual(after(pinned(ws, sub, out)), [ws, out, out]);
  unlinkSync(sub);
  symlinkSync('other', sub);
  deepEqual(after(pinned(ws, sub)), [ws, join(ws, 'other')]);
});

test('does not follow a link that disappears during the check', t => {
  const { ws, sub, out } = attacked(t);
  const at = (announced: string, real: string) => ({ announced, real, way: wayTo(announced) });
  const [outer, inner] = [at(ws, ws), at(sub, out)];
  deepEqual([...misledRoots([outer, inner], thisPlatform)], [inner]);
  deepEqual([...misledRoots([outer, at(sub, sub)], thisPlatform)], []);
});

test('finds a link in a root in any letter case if the volume may fold case', () => {
  const outer = { announced: '/ws/App', real: '/ws/App', way: ['/ws/App'] };
  const inner = { announced: '/ws/app/in', real: '/out', way: ['/ws/app/in', '/out'] };
  deepEqual([...misledRoots([outer, inner], 'darwin')], [inner]);
  deepEqual([...misledRoots([outer, inner], 'linux')], []);
});

test('drops a nested root that was taken before its outer root', links, async t => {
  const { ws, sub, out, swap } = attacked(t);
  swap(sub);
  let silent: string | undefined = ws;
  const disks = { silentOn: (path: string) => (path === silent ? path : undefined) };
  const late = new PinnedRoots([entryOf(ws), entryOf(sub)], thisPlatform, disks as Disks);
  deepEqual(after(late), [out, 'silent']);
  silent = undefined;
  deepEqual(after(late), [ws, 'misled']);
});

test('a nested root that is swapped before both are taken again covers nothing', links, async t => {
  const { ws, sub, out, swap } = attacked(t);
  const before = pinned(ws, sub);
  swap(sub);
  const anew = pinned(ws, sub);
  deepEqual([covers(anew, pinned(out)), covers(anew, before)], [false, false]);
});

test('applies a limit at the moment of each call', links, async t => {
  const { ws, sub, swap, swapBack } = attacked(t);
  const sources = new RootSources({ roots: pinned(sub), withoutRoots: 'deny' }, thisPlatform);
  const client = await sources.pin([entryOf(ws)]);
  const real = () => {
    const { scope, skipped } = sources.inForce(client);
    return [...scope.inPlace().map(root => root.real), ...skipped.map(why)];
  };
  const seen = [real()];
  swap(sub);
  seen.push(real());
  swapBack(sub);
  seen.push(real());
  deepEqual(seen, [[sub], ['elsewhere', 'rootSources.beyondLimit()'], [sub]]);
});

test('keeps a root under its announced and its real path', links, t => {
  const folder = tempFolder(t, { 'real one/': '' });
  symlinkSync(join(folder, 'real one'), join(folder, 'link'));
  const uri = pathToFileURL(join(folder, 'link')).href;
  const { scope, skipped } = new PinnedRoots([{ uri, name: 'Link' }], thisPlatform).folders;
  const { uri: sent, name, announced, real, foldsCase, place } = scope.roots[0]!;
  deepEqual(
    [{ uri: sent, name, announced, real, foldsCase }, skipped, isPlace(place)],
    [
      {
        uri,
        name: 'Link',
        announced: join(folder, 'link'),
        real: join(folder, 'real one'),
        foldsCase: thisPlatform === 'win32',
      },
      [],
      true,
    ],
  );
});

test('skips roots outside this machine or without a folder, each with its reason', {
  skip: onlyOn('posix', 'elsewhere, other URIs name folders'),
}, t => {
  const folder = tempFolder(t, { file: '' });
  const at = (name: string) => pathToFileURL(join(folder, name)).href;
  const noUri = said('The URI of the root does not begin with file:.');
  const expected: readonly (readonly [uri: unknown, why: string, shown?: string])[] = [
    [at('none'), 'missing'],
    [at('file'), 'file'],
    [at('file/x'), 'missing'],
    ['http://host/ws', noUri],
    ['/ws', noUri],
    ['file:ws', 'fileUri'],
    ['file://host/ws', 'fileUri'],
    ['file:///proc/self/cwd', 'ofProcess'],
    ['file:///dev/fd', 'ofProcess'],
    [`file://${folder}/%2e%2e%2f`, 'fileUri'],
    [`${at('')}?query`, 'fileUri'],
    [7, noUri, '7'],
    [{ toString: 1 }, noUri, ''],
    [undefined, noUri, ''],
  ];
  const entries = expected.map(([uri]) => ({ uri }));
  const { scope, skipped } = new PinnedRoots(entries, thisPlatform).folders;
  equal(scope.inPlace().length, 0);
  deepEqual(
    skipped.map(root => [root.uri, why(root)]),
    expected.map(([uri, reason, shown = uri]) => [shown, reason]),
  );
});

test('starts relative paths in the first root that is a folder', t => {
  const folder = tempFolder(t);
  const entries = [{ uri: 'file:///none' }, { uri: pathToFileURL(folder).href }];
  equal(new PinnedRoots(entries, thisPlatform).folders.scope.base, folder);
});

test('follows the letter case of a root’s volume on macOS', {
  skip: onlyOn('macos', 'there, a volume decides'),
}, t => {
  const top = tempFolder(t);
  const image = join(top, 'image.dmg');
  const volume = join(top, 'Volume');
  mkdirSync(volume);
  const form = ['-size', '20m', '-volname', 'Cases', '-fs', 'Case-sensitive APFS'];
  execFileSync('hdiutil', ['create', '-quiet', ...form, image]);
  execFileSync('hdiutil', ['attach', '-quiet', '-nobrowse', '-mountpoint', volume, image]);
  atEnd(t, () => execFileSync('hdiutil', ['detach', '-quiet', '-force', volume]));
  writeTree(top, { 'Volume/Project/': '', 'Project/': '' });
  const foldsCase = (path: string) =>
    new PinnedRoots([entryOf(path)], thisPlatform).folders.scope.roots.map(root => root.foldsCase);
  deepEqual(foldsCase(join(volume, 'Project')), [false]);
  // The disk of a Mac folds it, unless it was made otherwise.
  deepEqual(foldsCase(join(top, 'Project')), [existsSync(join(top, 'project'))]);
});

test('leaves out a very deep root with the reason, without a look at the disk', t => {
  const names = Array.from({ length: 300 }, () => 'd');
  const top = tempFolder(t);
  mkdirSync(join(top, ...names), { recursive: true });
  const paths = names.map((_, index) => join(top, ...names.slice(0, index + 1)));
  const { scope, skipped } = pinned(...paths).folders;
  const isDeep = (path: string) => path.split(sep).length > 64;
  deepEqual(
    scope.inPlace().map(({ announced }) => announced),
    paths.filter(path => !isDeep(path)),
  );
  deepEqual(
    skipped.map(root => [root.uri, why(root)]),
    paths.filter(isDeep).map(path => [entryOf(path).uri, 'rootFolders.tooDeep(64)']),
  );
});

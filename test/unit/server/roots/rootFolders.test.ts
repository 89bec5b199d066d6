import { deepEqual, equal, ok } from 'node:assert/strict';
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
} from '../../../../src/server/roots/rootFolders.ts';
import { RootSources } from '../../../../src/server/roots/rootSources.ts';
import { atEnd } from '../../../support/processes.ts';
import { onlyOn, skipLinks, thisPlatform } from '../../../support/systems.ts';
import { makeAnew, tempFolder, writeTree } from '../../../support/temp.ts';

const elsewhere = 'It leads elsewhere now than when it was shared.';
const missing = 'It does not exist.';

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
    seen.push(...scope.inPlace().map(({ real }) => real), ...skipped.map(({ reason }) => reason));
  }
  return seen;
}

function covers(next: PinnedRoots, before: PinnedRoots): boolean {
  return areAmong(before.folders, next.folders);
}

/** How often each of these roots was looked at since. */
function countLooks(roots: readonly RootFolder[]): () => readonly number[] {
  const looks = roots.map(root => mock.method(root, 'whyNot').mock);
  return () => looks.map(look => look.callCount());
}

/** A folder with a root in it that is to be attacked, and what it is swapped with. */
function attacked(t: TestContext) {
  const top = tempFolder(t);
  writeTree(top, { 'ws/sub/': '', 'out/sub/': '' });
  return { top, ws: join(top, 'ws'), sub: join(top, 'ws', 'sub'), out: join(top, 'out') };
}

test('a folder that is swapped for a link is no root until it is back', {
  skip: skipLinks,
}, async t => {
  const { sub, out } = attacked(t);
  const seen = after(
    pinned(sub),
    () => renameSync(sub, `${sub}-kept`),
    () => symlinkSync(out, sub),
    () => unlinkSync(sub),
    () => renameSync(`${sub}-kept`, sub),
  );
  deepEqual(seen, [sub, missing, elsewhere, missing, sub]);
});

test('neither is one whose parent is swapped for a link to a folder that holds the same name', {
  skip: skipLinks,
}, async t => {
  const { ws, sub, out } = attacked(t);
  const seen = after(
    pinned(sub),
    () => {
      renameSync(ws, `${ws}-kept`);
      symlinkSync(out, ws);
    },
    () => {
      unlinkSync(ws);
      renameSync(`${ws}-kept`, ws);
    },
  );
  deepEqual(seen, [sub, elsewhere, sub]);
});

test('a root that is a link means the folder that it led to, wherever it leads later', {
  skip: skipLinks,
}, async t => {
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
  deepEqual(seen, [sub, elsewhere, sub, elsewhere]);
});

test('a folder that is made again under the same real path is the same root', async t => {
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
  deepEqual(seen, [sub, missing, sub, sub]);
  // What is refused to be deleted because it is shared is known by what is there now.
  const [root] = roots.folders.scope.roots;
  equal(root?.place, placeOf(statSync(sub, { bigint: true })));
});

test('what is not there yet is pinned to where it would be, and a link to nothing to where it stands', {
  skip: skipLinks,
}, async t => {
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
    ...[missing, missing],
    ...[missing, missing],
    ...[elsewhere, missing],
    ...[fresh, missing],
    ...[fresh, elsewhere],
    ...[fresh, join(dangling, 'sub')],
  ]);
});

test('where it is said which folder it has to be, no other is taken, and none in its place', {
  skip: skipLinks,
}, async t => {
  const { sub, out } = attacked(t);
  const entry = { ...entryOf(sub), folder: placeOf(statSync(sub, { bigint: true })) };
  const another = 'It is another folder now than the one that was shared.';
  renameSync(sub, `${sub}-kept`);
  symlinkSync(out, sub);
  const seen = after(
    new PinnedRoots([entry], thisPlatform),
    () => {
      unlinkSync(sub);
      renameSync(`${sub}-kept`, sub);
    },
    () => {
      renameSync(sub, `${sub}-kept`);
      mkdirSync(sub);
    },
    () => {
      rmdirSync(sub);
      symlinkSync(`${sub}-kept`, sub);
    },
  );
  deepEqual(seen, [another, sub, another, elsewhere]);
});

test('where it is said which folder it has to be, one with its inode is not taken for it', t => {
  const sub = tempFolder(t);
  const folder = placeOf(statSync(sub, { bigint: true }));
  const roots = new PinnedRoots([{ ...entryOf(sub), folder }], thisPlatform);
  const reasons = () => roots.folders.skipped.map(({ reason }) => reason);
  deepEqual(reasons(), []);
  const whyNot = makeAnew(sub);
  if (whyNot) {
    t.skip(whyNot);
    return;
  }
  deepEqual(reasons(), ['It is another folder now than the one that was shared.']);
});

test('no root is looked at but the one that a path is in, and that with each use', t => {
  const { sub, out } = attacked(t);
  const { folders } = pinned(sub, out);
  const looks = countLooks(folders.scope.roots);
  const find = (path: string) => folders.scope.findReal(path)?.real;
  deepEqual(
    [find(join(out, 'a')), find(join(out, 'a')), find('/elsewhere')],
    [out, out, undefined],
  );
  deepEqual([folders.scope.parse(join(out, 'a')).ok, looks()], [true, [0, 2]]);
  renameSync(out, `${out}-kept`);
  symlinkSync(`${out}-kept`, out);
  deepEqual([find(join(out, 'a')), looks()], [undefined, [0, 3]]);
  folders.scope.parse('a');
  deepEqual(looks(), [1, 3]);
});

test('a list covers another if it means all of its folders, whatever is in place', {
  skip: skipLinks,
}, t => {
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

test('of clients that name their roots with each call, a list keeps its pins, also when they take turns', async t => {
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

test('a list that is in use is not forgotten for others, and a client fills no more than its share', {
  skip: skipLinks,
}, async t => {
  const { sub, out } = attacked(t);
  let now = 0;
  const sources = new RootSources({ withoutRoots: 'deny' }, thisPlatform, undefined, () => now);
  const mine = await sources.pinOnce([entryOf(sub)]);
  const taken: boolean[] = [];
  for (const client of ['a', 'a', 'a', 'b', 'c', 'c', 'd', 'd', 'e', 'e']) {
    const list = [{ uri: `${taken.length}`.repeat(900_000) }];
    taken.push((await sources.pinOnce(list, client)) !== undefined);
  }
  // Two lists of one client, and eight of all together.
  deepEqual(taken, [true, true, false, true, true, true, true, true, true, false]);
  renameSync(sub, `${sub}-kept`);
  symlinkSync(out, sub);
  equal(await sources.pinOnce([entryOf(sub)]), mine);
  deepEqual(after(mine!), [elsewhere]);
  now = 60 * 60_000;
  equal(await sources.pinOnce([entryOf(sub)]), mine);
  ok(await sources.pinOnce([{ uri: 'x'.repeat(1_500_000) }]));
  equal(await sources.pinOnce([entryOf(sub)]), mine);
  now = 2 * now;
  equal(await sources.pinOnce([{ uri: 'y'.repeat(2_500_000) }], 'e'), undefined);
  for (const letter of ['f', 'g', 'h']) {
    ok(await sources.pinOnce([{ uri: letter.repeat(900_000) }], 'f'));
    now += 60 * 60_000;
  }
  equal(await sources.pinOnce([entryOf(sub)]), mine);
});

test('a root within another one is reached through that, or not at all', {
  skip: skipLinks,
}, async t => {
  const { top, ws, sub, out } = attacked(t);
  writeTree(top, { 'ws/other/': '' });
  deepEqual(after(pinned(ws, sub)), [ws, sub]);
  const astray = 'A link in another shared folder leads to it, and out of that.';
  renameSync(sub, `${sub}-kept`);
  symlinkSync(out, sub);
  deepEqual(after(pinned(ws, sub)), [ws, astray]);
  deepEqual(after(pinned(sub, ws)), [ws, astray]);
  deepEqual(after(pinned(ws, join(sub, 'sub'))), [ws, astray]);
  // A link that was shared, and leads through another root.
  symlinkSync(sub, join(top, 'shared'));
  deepEqual(after(pinned(ws, join(top, 'shared'))), [ws, astray]);
  // Alone, it is what somebody shared; and what is reachable anyway, it may lead to.
  deepEqual(after(pinned(sub)), [out]);
  deepEqual(after(pinned(ws, sub, out)), [ws, out, out]);
  unlinkSync(sub);
  symlinkSync('other', sub);
  deepEqual(after(pinned(ws, sub)), [ws, join(ws, 'other')]);
});

test('a link that is gone again in the moment in which it is looked for leads nowhere either', t => {
  const { ws, sub, out } = attacked(t);
  const at = (announced: string, real: string) => ({ announced, real, way: wayTo(announced) });
  const [outer, inner] = [at(ws, ws), at(sub, out)];
  deepEqual([...misledRoots([outer, inner], thisPlatform)], [inner]);
  deepEqual([...misledRoots([outer, at(sub, sub)], thisPlatform)], []);
});

test('a link in a root is found there in any letter case, where a volume may fold that', () => {
  const outer = { announced: '/ws/App', real: '/ws/App', way: ['/ws/App'] };
  const inner = { announced: '/ws/app/in', real: '/out', way: ['/ws/app/in', '/out'] };
  deepEqual([...misledRoots([outer, inner], 'darwin')], [inner]);
  deepEqual([...misledRoots([outer, inner], 'linux')], []);
});

test('a root that is taken before the one it lies in is left out when that is taken', {
  skip: skipLinks,
}, async t => {
  const { ws, sub, out } = attacked(t);
  renameSync(sub, `${sub}-kept`);
  symlinkSync(out, sub);
  let silent: string | undefined = ws;
  const disks = { silentOn: (path: string) => (path === silent ? path : undefined) };
  const late = new PinnedRoots([entryOf(ws), entryOf(sub)], thisPlatform, disks as Disks);
  deepEqual(after(late), [out, 'Its disk does not answer. It is asked again.']);
  silent = undefined;
  const astray = 'A link in another shared folder leads to it, and out of that.';
  deepEqual(after(late), [ws, astray]);
});

test('a root in another one that was swapped before both are taken anew covers nothing', {
  skip: skipLinks,
}, async t => {
  const { ws, sub, out } = attacked(t);
  const before = pinned(ws, sub);
  renameSync(sub, `${sub}-kept`);
  symlinkSync(out, sub);
  const anew = pinned(ws, sub);
  deepEqual([covers(anew, pinned(out)), covers(anew, before)], [false, false]);
});

test('a limit holds at the moment of each call, and what both have in common is found once', {
  skip: skipLinks,
}, async t => {
  const { ws, sub, out } = attacked(t);
  const sources = new RootSources({ roots: pinned(sub), withoutRoots: 'deny' }, thisPlatform);
  const client = await sources.pin([entryOf(ws)]);
  const real = () => {
    const { scope, skipped } = sources.inForce(client);
    return [...scope.inPlace().map(root => root.real), ...skipped.map(({ reason }) => reason)];
  };
  equal(sources.inForce(client), sources.inForce(client));
  const seen = [real()];
  renameSync(sub, `${sub}-kept`);
  symlinkSync(out, sub);
  seen.push(real());
  unlinkSync(sub);
  renameSync(`${sub}-kept`, sub);
  seen.push(real());
  const beyond =
    'It has nothing in common with the folders that the server was started with (--root).';
  deepEqual(seen, [[sub], [elsewhere, beyond], [sub]]);
});

test('a root is kept under the name it was announced by and under its real one', {
  skip: skipLinks,
}, t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'real one/': '' });
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

test('what is no existing folder of this machine is skipped, each with its reason', {
  skip: onlyOn('posix', 'elsewhere, other URIs name folders'),
}, t => {
  const folder = tempFolder(t);
  writeTree(folder, { file: '' });
  const at = (name: string) => pathToFileURL(join(folder, name)).href;
  const uris = [
    at('none'),
    at('file'),
    at('file/x'),
    'http://host/ws',
    '/ws',
    'file:ws',
    'file://host/ws',
    'file:///proc/self/cwd',
    'file:///dev/fd',
    `file://${folder}/%2e%2e%2f`,
    `${at('')}?query`,
  ];
  const odd = [{ uri: 7 }, { uri: { toString: 1 } }, {}];
  const { scope, skipped } = new PinnedRoots([...uris.map(uri => ({ uri })), ...odd], thisPlatform)
    .folders;
  equal(scope.inPlace().length, 0);
  deepEqual(skipped, [
    { uri: uris[0], reason: 'It does not exist.' },
    { uri: uris[1], reason: 'It is not a folder.' },
    { uri: uris[2], reason: 'It does not exist.' },
    { uri: uris[3], reason: 'It is not a file: URI.' },
    { uri: uris[4], reason: 'It is not a file: URI.' },
    {
      uri: uris[5],
      reason: 'It is a file: URI without an absolute path: write file:///folder/name.',
    },
    { uri: uris[6], reason: 'It is a file: URI of another machine.' },
    { uri: uris[7], reason: 'It does not name the same folder for every process.' },
    { uri: uris[8], reason: 'It does not name the same folder for every process.' },
    { uri: uris[9], reason: 'It holds an encoded separator.' },
    {
      uri: uris[10],
      reason: 'It is a file: URI with a fragment or a query: write # as %23 and ? as %3F in names.',
    },
    { uri: '7', reason: 'It is not a file: URI.' },
    { uri: '', reason: 'It is not a file: URI.' },
    { uri: '', reason: 'It is not a file: URI.' },
  ]);
});

test('relative paths start in the first root that is a folder', t => {
  const folder = tempFolder(t);
  const entries = [{ uri: 'file:///none' }, { uri: pathToFileURL(folder).href }];
  equal(new PinnedRoots(entries, thisPlatform).folders.scope.base, folder);
});

test('on macOS the letter case counts where the volume of a root says so', {
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

test('a root that lies very deep is left out with the reason, and no disk is asked for it', t => {
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
  const reason = 'It lies more than 64 folders deep. Share a folder above it.';
  deepEqual(
    skipped,
    paths.filter(isDeep).map(path => ({ uri: entryOf(path).uri, reason })),
  );
});

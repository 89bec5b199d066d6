import { deepEqual, equal, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { keptPlaces } from '../../../../src/mcp/sandbox/keptPlaces.ts';
import { atEnd } from '../../../support/processes.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');
const mayAll = skip || (process.getuid?.() === 0 && 'user 0 looks into every folder');
const roomy = { time: 60_000, folders: 1000, mounts: 1000 };

/** The protected places of a folder with these files, by their names, in order. */
async function keptIn(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  { limits = roomy, named = [] }: { limits?: typeof roomy; named?: readonly string[] } = {},
) {
  const folder = tempFolder(t);
  writeTree(folder, files);
  const paths = named.map(name => join(folder, name));
  const { places, tooLarge } = await keptPlaces([folder], [folder, ...paths], limits);
  const names = places.map(place => place.slice(folder.length + 1)).sort();
  return { names, isPartial: tooLarge.includes(folder) };
}

describe('the protected places of a writable folder', { skip }, () => {
  it('are files that other programs run, at any depth outside node_modules', async t => {
    const files = {
      '.git/config': '',
      '.git/modules/a/.git': '',
      'a/.git': 'gitdir: ../.git/modules/a',
      'a/b/c/.vscode/tasks.json': '',
      'a/b/x.code-workspace': '',
      '.github/hooks/a.json': '',
      '.github/workflows/a.yml': '',
      'node_modules/a/.vscode/tasks.json': '',
      'lefthook.yml': '',
      'shared/pre-push': '',
      'team.gitconfig': '',
    };
    const names = ['.git', '.github/hooks', 'a/.git', 'a/b/c/.vscode', 'a/b/x.code-workspace'];
    const ofGit = ['shared/pre-push', 'team.gitconfig'];
    const all = [...names, 'lefthook.yml', ...ofGit];
    deepEqual(await keptIn(t, files), { names: all, isPartial: false });
    const named = ['.git', 'a/b'];
    const others = ['.github/hooks', 'a/.git', 'lefthook.yml', ...ofGit];
    deepEqual(await keptIn(t, files, { named }), { names: others, isPartial: false });
  });

  it('are a repository under any name, and files that its settings name', async t => {
    const ofGit = (at: string, config: string) => ({
      ...{ [`${at}/HEAD`]: 'ref: refs/heads/main', [`${at}/config`]: config },
      ...{ [`${at}/objects/`]: '', [`${at}/refs/`]: '' },
    });
    const files = {
      ...ofGit('a/store', '[core]\nhooksPath = ../../hooks-of-it'),
      'hooks-of-it/': '',
      'a/HEAD': '',
      'b/worktree/HEAD': '',
      'b/worktree/commondir': '../../a/store',
      'c/.git': 'gitdir: ../a/store',
      'hooks/': '',
    };
    deepEqual((await keptIn(t, files)).names, ['a/store', 'b/worktree', 'c/.git', 'hooks-of-it']);
  });

  it('are nothing in a Git folder that is itself a root', async t => {
    const folder = join(tempFolder(t), '.git');
    writeTree(folder, { HEAD: '', 'modules/a/HEAD': '', 'modules/a/objects/': '' });
    writeTree(folder, { 'modules/a/refs/': '' });
    deepEqual(await keptPlaces([folder], [folder]), { places: [], tooLarge: [] });
  });

  it('are a whole folder that cannot be looked into', { skip: mayAll }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a/closed/.git/config': '' });
    chmodSync(join(folder, 'a/closed'), 0);
    atEnd(t, () => chmodSync(join(folder, 'a/closed'), 0o700));
    const { places } = await keptPlaces([folder], [folder]);
    deepEqual(places, [join(folder, 'a/closed')]);
  });

  it('are never a link, which the server could replace', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'real/tasks.json': '', 'a/b': '', 'outside/.git/config': '' });
    symlinkSync(join(folder, 'outside'), join(folder, 'a/link'));
    const kept = await keptPlaces([join(folder, 'a')], []);
    deepEqual(kept, { places: [], tooLarge: [] });
    symlinkSync('../real', join(folder, 'a/.vscode'));
    await rejects(keptPlaces([join(folder, 'a')], []), /\.vscode contains a link/);
  });

  it('are the whole folder if a limit ends the look', async t => {
    const names = ['', 'a/', 'a/a/', 'a/a/a/', 'a/a/a/a/'].map(at => `${at}.vscode`);
    const files = Object.fromEntries(names.map(name => [`${name}/tasks.json`, '']));
    const within = (limits: Partial<typeof roomy>) =>
      keptIn(t, files, { limits: { ...roomy, ...limits } });
    // The places, their folders, and the folders above.
    const mounts = tempFolder(t).split('/').length + 4 + 5;
    deepEqual(await within({ folders: 5, mounts }), { names: names.sort(), isPartial: false });
    for (const limits of [{ folders: 4 }, { mounts: mounts - 1 }, { time: 0 }]) {
      deepEqual(await within(limits), { names: [], isPartial: true }, JSON.stringify(limits));
    }
  });

  it('stay the same in other folders if a limit ends the look at one', async t => {
    const top = tempFolder(t);
    writeTree(top, { 'a/.vscode/x': '', 'c/.vscode/x': '', 'c/file': '', 'd/.vscode/x': '' });
    const many = Array.from({ length: 40 }, (_, n) => [`b/n${n}/.vscode/x`, '']);
    writeTree(top, { ...Object.fromEntries(many), 'b/team/app/.git/config': '' });
    const at = (name: string) => join(top, name);
    const folders = ['a', 'b', 'c', 'c/file', 'd'].map(at);
    const kept = await keptPlaces(folders, folders, { ...roomy, mounts: 40 });
    const places = ['a/.vscode', 'c/.vscode', 'd/.vscode'].map(at);
    deepEqual(kept, { places, tooLarge: [at('b')] });
  });

  it('are the folder of a link below the top, and the link’s target', async t => {
    const top = tempFolder(t);
    writeTree(top, { 'a/shared/claude/x': '', 'a/p/q/b': '', 'a/p/q/r/.vscode/x': '', 'a/s': '' });
    const at = (name: string) => join(top, name);
    symlinkSync('../../shared/link', at('a/p/q/.claude'));
    symlinkSync('claude', at('a/shared/link'));
    symlinkSync('nothing', at('a/p/.envrc'));
    const { places } = await keptPlaces([at('a')], [at('a')]);
    const kept = ['a/p', 'a/p/q', 'a/p/q/r/.vscode', 'a/shared', 'a/shared/claude'].map(at);
    deepEqual([...places].sort(), kept);
    symlinkSync('../../s/../shared/way/x', at('a/p/q/.idea'));
    symlinkSync('claude', at('a/shared/way'));
    symlinkSync('../../way/x', at('a/p/q/.zed'));
    symlinkSync('shared/claude', at('a/way'));
    await rejects(keptPlaces([at('a')], [at('a')]), /way\/x contains a link/);
  });

  it('ignore settings in a pipe or endless file', { timeout: 10_000 }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { '.git/HEAD': 'x', 'hooks/': '', 'a/.git/HEAD': 'x' });
    execFileSync('mkfifo', [join(folder, '.git/config'), join(folder, 'a/.git/commondir')]);
    symlinkSync('/dev/zero', join(folder, 'a/.git/config'));
    equal((await keptPlaces([folder], [folder])).places.length, 2);
  });

  it('follow settings behind a link and in any encoding', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { '.git/HEAD': 'x', 'hooks/': '' });
    const settings = '[user]\nname = J\u00fcrg\n[core]\nhooksPath = hooks';
    writeFileSync(join(folder, 'settings'), settings, 'latin1');
    symlinkSync('../settings', join(folder, '.git/config'));
    const { places } = await keptPlaces([folder], [folder]);
    equal(places.includes(join(folder, 'hooks')), true);
  });

  it('follow settings that include each other', { timeout: 10_000 }, async t => {
    const include = (...names: readonly string[]) =>
      `[include]\n${names.map(name => `path = ${name}\n`).join('')}`;
    const names = Array.from({ length: 200 }, (_, index) => `${index}`);
    const files = {
      '.git/HEAD': 'x',
      '.git/config': include('../0', '../1', '../missing'),
      '0': include(...names),
      '1': `${include(...names)}[core]\nhooksPath = hooks`,
      'hooks/': '',
    };
    deepEqual((await keptIn(t, files)).names, ['.git', '0', '1', 'hooks']);
  });
});

describe('Git settings for every repository', { skip }, () => {
  it('are also looked up in the system’s files', async t => {
    const folder = tempFolder(t);
    writeTree(folder, {
      'root/.git/HEAD': 'ref: refs/heads/main',
      'root/tools/hooks/': '',
      gitconfig: '[core]\n\thooksPath = tools/hooks\n',
    });
    const { GIT_CONFIG_SYSTEM: before } = process.env;
    process.env['GIT_CONFIG_SYSTEM'] = join(folder, 'gitconfig');
    t.after(() => {
      delete process.env['GIT_CONFIG_SYSTEM'];
      Object.assign(process.env, before !== undefined && { GIT_CONFIG_SYSTEM: before });
    });
    const root = join(folder, 'root');
    const places = [join(root, '.git'), join(root, 'tools/hooks')];
    deepEqual(await keptPlaces([root], [root]), { places, tooLarge: [] });
  });
});

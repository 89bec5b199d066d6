import assert from 'node:assert/strict';
import { chmodSync, existsSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type SandboxRequest, sandboxedStart } from '../../../src/mcp/sandbox/sandboxedStart.ts';
import { atEnd } from '../../support/processes.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot, ranIn } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const here = await sandboxHere();

describe('what a sandboxed server does in its folders shows it no more at its next start', {
  skip: here.skip,
}, () => {
  it('by a link beside its script', async t => {
    const { at, root, run } = world(t);
    const roots = [root];
    assert.equal(await run({ roots }, `ln -s '${at('home/secret')}' server.js`), '0 ');
    assert.equal(await run({ roots }, `cat '${at('home/secret')}'`), missing);
  });

  it('by a link in the place of its program', async t => {
    const { at, root, run } = world(t);
    symlinkSync('/usr/bin/dash', at('root/inside'));
    symlinkSync(at('home/tool'), at('root/outside'));
    const roots = [root];
    assert.equal(await run({ roots, command: at('root/inside') }, 'echo runs'), '0 runs\n');
    const outside = { roots, command: at('root/outside') };
    await assert.rejects(run(outside, 'echo runs'), /program \S+outside is a link in one of its/);
    const terms = { read: [at('home/tool')], write: [], network: false };
    assert.equal(await run({ ...outside, terms }, 'echo runs'), '0 runs\n');
  });

  it('by a link in a folder that it may change, which leads to what its definition names', async t => {
    const { at, run } = world(t);
    const terms = { read: [at('named/a/ref')], write: [at('named')], network: false };
    assert.match(await run({ terms }, 'mv a b'), /Device or resource busy/);
    // Another one may, which sees only the folder.
    const swap = 'mv a b && mkdir a && ln -s "$1" a/ref';
    const outer = { ...terms, read: [] };
    assert.equal(await run({ terms: outer }, swap, at('home/secret')), '0 ');
    await assert.rejects(run({ terms }, 'true'), /reached by a link in one of its folders/);
  });

  it('by moving the folder in which something is hidden, or is only read', async t => {
    const { at, run } = world(t);
    const [root, inner] = [at('root'), at('root/conf/inner')].map(path => mountedRoot(path));
    assert.ok(root && inner);
    const roots = [root, { ...inner, isReadOnly: true }];
    const hidden = [at('root/conf/keys')];
    const moved = await run({ roots, hidden }, 'mv conf conf2');
    assert.match(moved, /^1 mv: cannot move 'conf' to 'conf2': Device or resource busy/);
    assert.equal(existsSync(at('root/conf/keys/k')), true);
    const read = await run({ roots, hidden }, 'cat conf/keys/k conf/inner/a; echo > conf/inner/b');
    assert.match(read, /^2 a\n.*conf\/keys\/k.*conf\/inner\/b: Read-only file system/s);
    assert.equal(await run({ roots, hidden }, 'echo new > conf/new && cat conf/new'), '0 new\n');
    writeTree(at('root'), { 'conf/inner/.git/hooks/sample': '' });
    const both = [root, inner];
    assert.match(await run({ roots: both }, 'mv conf/inner conf/moved'), /^1 .*busy/);
    assert.match(await run({ roots: both }, 'mv conf moved'), /^1 .*busy/);
  });
});

describe('in a folder that a sandboxed server may change', { skip: here.skip }, () => {
  for (const [what, script] of Object.entries({
    'a hook': 'echo x > .git/hooks/pre-commit',
    'the settings of the repository': 'echo x > .git/config',
    'other settings for the repository': 'echo ../evil > .git/commondir',
    'another repository': 'mv .git .git2',
    'a task of the editor': 'echo x > .vscode/tasks.json',
  })) {
    it(`${what} can't be made`, async t => {
      const { at, root, run } = world(t);
      assert.match(await run({ roots: [root] }, script), /^[12] .*(?:Read-only file|busy)/s);
      const terms = { read: [], write: [at('root')], network: false };
      assert.match(await run({ terms }, script), /^[12] .*(?:Read-only file|busy)/s);
    });
  }

  it('the repository is kept where it is a file', async t => {
    const { at, root, run } = world(t);
    renameSync(at('root/.git'), at('root/real'));
    writeTree(at('root'), { '.git': 'gitdir: ../repository' });
    assert.match(await run({ roots: [root] }, 'echo x > .git'), /^2 .*Read-only file/);
    assert.match(await run({ roots: [root] }, 'mv .git away'), /^1 .*busy/);
  });

  it('a link in the place of what is kept could be replaced, so that the start is refused', async t => {
    const { at, root, run } = world(t);
    renameSync(at('root/.git'), at('root/real'));
    symlinkSync('real', at('root/.git'));
    const refused =
      /root\/\.git is reached by a link, which a server that may change \S+root could/;
    await assert.rejects(run({ roots: [root] }, 'true'), refused);
    const terms = { read: [], write: [at('root')], network: false };
    await assert.rejects(run({ terms }, 'true'), refused);
    assert.equal(await run({ roots: [{ ...root, isReadOnly: true }] }, 'cat .git/config'), '0 ');
  });

  it('what agents and shells start by themselves is only read, and so are hooks elsewhere', async t => {
    const { at, root, run } = world(t);
    writeTree(at('root'), {
      '.git/config': '[core]\n\thooksPath = tools/hooks\n[remote "x"]\n\thooksPath = conf\n',
      'tools/hooks/update': '',
      'tools/other': '',
      ...Object.fromEntries(
        ['.husky/a', '.claude/a', '.cursor/a', '.devcontainer/a'].map(n => [n, '']),
      ),
      '.mcp.json': '{}',
      '.envrc': '',
    });
    writeTree(at('home'), { '.gitconfig': '[core]\n\tHooksPath = "githooks" ; mine\n' });
    writeTree(at('root'), { 'githooks/update': '' });
    const kept = ['tools/hooks/update', 'githooks/update', '.husky/b', '.claude/a', '.cursor/b'];
    for (const path of [...kept, '.devcontainer/a', '.mcp.json', '.envrc']) {
      assert.match(
        await run({ roots: [root] }, `echo x > ${path}`),
        /^[12] .*Read-only file/,
        path,
      );
    }
    assert.match(await run({ roots: [root] }, 'mv tools/hooks tools/moved'), /^1 .*busy/);
    assert.equal(await run({ roots: [root] }, 'echo x > tools/other; echo x > conf/inner/a'), '0 ');
  });

  it('what hooks link to and settings include is only read, also where the repository is above', async t => {
    const { at, root, run } = world(t);
    writeTree(at('root'), {
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/config':
        '[includeIf "gitdir:x"] path = ../tools/settings\n[core] hooksPath = part/hooks\n',
      'tools/settings': '[core]\n\thooksPath = tools/more\n',
      'tools/more/a': '',
      'tools/check': '',
      'tools/other': '',
      'part/hooks/a': '',
      'part/other': '',
    });
    symlinkSync('../../tools/check', at('root/.git/hooks/pre-commit'));
    for (const path of ['tools/settings', 'tools/more/a', 'tools/check', 'part/hooks/a']) {
      const tried = await run({ roots: [root] }, `echo x > ${path}`);
      assert.match(tried, /^2 .*Read-only file/, path);
    }
    assert.match(await run({ roots: [root] }, 'mv tools moved'), /^1 .*busy/);
    assert.equal(await run({ roots: [root] }, 'echo x > tools/other'), '0 ');
    const roots = [mountedRoot(at('root/part'))];
    const terms = { read: [at('root/server')], write: [], network: false };
    assert.match(await run({ roots, terms }, 'echo x > hooks/a'), /^2 .*Read-only file/);
    assert.equal(await run({ roots, terms }, 'echo x > other'), '0 ');
  });

  it('so are hooks of Husky below the top, and those that one root has in another', async t => {
    const { at, root, run } = world(t);
    writeTree(at('root'), { 'web/.husky/_/h': '', 'web/.husky/update': '', 'shared/push': '' });
    writeTree(at('root'), { '.git/HEAD': 'x', '.git/config': '[core]\nhooksPath = web/.husky/_' });
    writeTree(at('other'), {
      '.git/HEAD': 'x',
      '.git/config': '[core]\nhooksPath = ../root/shared',
    });
    const roots = [root, mountedRoot(at('other'))];
    for (const path of ['web/.husky/update', 'web/.husky/_/h', 'shared/push']) {
      assert.match(await run({ roots }, `echo x > ${path}`), /^2 .*Read-only file/, path);
    }
    assert.equal(await run({ roots }, 'echo x > web/a'), '0 ');
  });

  it('what other programs run is only read below, too: in repositories, worktrees and submodules', async t => {
    const { at, root, run } = world(t);
    const files = {
      'src/proj/.git/HEAD': 'ref: refs/heads/main',
      'src/proj/.git/config': '[core]\n\thooksPath = tools/hooks\n',
      'src/proj/tools/hooks/update': '',
      'src/proj/sub/.git': 'gitdir: ../.git/modules/sub',
      'src/proj/.git/modules/sub/HEAD': 'x',
      'src/proj/.git/modules/sub/config': '[core]\nhooksPath = ../deep/hooks',
      'src/proj/deep/hooks/a': '',
      'src/tree/.git': 'gitdir: ../../elsewhere/worktrees/tree',
      'src/store.any/HEAD': 'x',
      'src/store.any/objects/': '',
      'src/store.any/refs/': '',
      'src/store.any/config': '',
      'packages/a/b/c/.vscode/tasks.json': '{}',
      'packages/a/.envrc': '',
      'packages/a/.mcp.json': '{}',
      'packages/b/.claude/settings.json': '{}',
      'packages/b/.github/hooks/a.json': '{}',
      'packages/b/my.code-workspace': '{}',
      'node_modules/x/.vscode/tasks.json': '{}',
    };
    writeTree(at('root'), files);
    const kept = Object.keys(files).filter(path => !path.endsWith('/'));
    const terms = { read: [], write: [at('root')], network: false };
    for (const request of [{ roots: [root] }, { terms }]) {
      const tried = await run(
        request,
        `for p in ${kept.join(' ')}; do echo "$p" >> $p && echo $p; done`,
      );
      assert.match(tried, /Read-only file system/);
      assert.deepEqual(tried.match(/^(?:\d )?node_modules.*|^(?:\d )?\S+$/gm), [
        '0 node_modules/x/.vscode/tasks.json',
      ]);
      const moved = await run(request, 'mv src/proj src/p; mv packages/a/b/c c; mv packages/b b');
      assert.match(moved, /busy/);
      assert.deepEqual(
        kept.filter(path => !existsSync(at(`root/${path}`))),
        [],
      );
      const rest =
        'cat src/proj/sub/.git && echo x > src/proj/a && mkdir src/new && echo x > packages/b/.github/a';
      assert.equal(await run(request, rest), '0 gitdir: ../.git/modules/sub');
      await run(request, 'rmdir src/new');
    }
  });

  it('hooks in what is hidden from it stay hidden', async t => {
    const { at, root, run } = world(t);
    writeTree(at('root'), {
      '.git/HEAD': 'x',
      '.git/config': '[core]\nhooksPath = conf/keys/hooks',
    });
    writeTree(at('root'), { 'conf/keys/hooks/a': '', 'conf/keys/.vscode/a': '' });
    const hidden = [at('root/conf/keys')];
    assert.equal(await run({ roots: [root], hidden }, 'ls -A conf/keys && echo x > conf/a'), '0 ');
  });

  it('a link in the place of what is kept below is no way to it, either', async t => {
    const { at, root, run } = world(t);
    writeTree(at('root'), { 'b/real/tasks.json': '{}', 'a/x': '' });
    symlinkSync('../b/real', at('root/a/.vscode'));
    for (const script of ['echo x > a/.vscode/tasks.json', 'echo x > b/real/new', 'echo x > a/x']) {
      assert.match(await run({ roots: [root] }, script), /^2 .*Read-only file/, script);
    }
    assert.match(await run({ roots: [root] }, 'rm a/.vscode'), /^1 .*Read-only file/);
    assert.match(await run({ roots: [root] }, 'mv b moved'), /^1 .*busy/);
    assert.equal(await run({ roots: [root] }, 'echo x > b/other'), '0 ');
  });

  it('a link that was put in the place of a root within what its definition names is not followed', async t => {
    const { at, run } = world(t);
    writeTree(at('named'), { 'packages/x/a': 'a' });
    const { place: _, ...root } = mountedRoot(at('named/packages/x'));
    const terms = { read: [], write: [at('named')], network: false };
    assert.equal(await run({ roots: [root], terms }, 'cat a'), '0 a');
    renameSync(at('named/packages/x'), at('named/moved'));
    symlinkSync(at('home'), at('named/packages/x'));
    const read = `cat '${at('home/secret')}'`;
    assert.equal(await run({ roots: [root], terms }, read), missing);
  });

  it('a link that was put in the place of a root within it is not followed', async t => {
    const { at, root, run } = world(t);
    writeTree(at('root'), { 'packages/x/a': 'a' });
    const nested = mountedRoot(at('root/packages/x'));
    const { place: _, ...unknown } = nested;
    const read = `cat '${at('home/secret')}' packages/x/secret`;
    assert.equal(await run({ roots: [root, unknown] }, 'cat packages/x/a'), '0 a');
    renameSync(at('root/packages/x'), at('root/moved'));
    symlinkSync(at('home'), at('root/packages/x'));
    assert.match(await run({ roots: [root, unknown] }, read), /^1 cat: .*cat: /s);
    assert.match(await run({ roots: [unknown, root] }, read), /^1 cat: .*cat: /s);
    await assert
      .rejects(run({ roots: [root, nested] }, read), /not the one that was allowed/)
      .catch(async () => assert.match(await run({ roots: [root, nested] }, read), /^125 /));
  });

  it('the repository can be changed where its definition names it', async t => {
    const { at, root, run } = world(t);
    const terms = { read: [], write: [at('root/.git')], network: false };
    assert.equal(await run({ roots: [root], terms }, 'echo x > .git/config'), '0 ');
    assert.match(await run({ roots: [root], terms }, 'echo x > .vscode/a'), /^2 .*Read-only file/);
  });
});

describe('the definition of a sandboxed server shows it', { skip: here.skip }, () => {
  it('nothing by its variables', async t => {
    const { at, root, run } = world(t);
    const env = { PYTHONPATH: at('home'), SSL_CERT_FILE: at('home/secret') };
    assert.equal(await run({ roots: [root], env }, `cat '${at('home/secret')}'`), missing);
  });

  it('nothing that is never exposed', async t => {
    const { at, run } = world(t);
    const hidden = [at('home/keys')];
    const terms = { read: [at('home')], write: [], network: false };
    assert.match(await run({ terms, hidden }, `cat '${at('home/keys/k')}'`), /^1 cat: /);
    assert.equal(await run({ terms, hidden }, `cat '${at('home/secret')}'`), '0 secret');
    for (const path of ['home/keys', 'home/keys/k']) {
      const named = { read: [at(path)], write: [], network: false };
      await assert.rejects(run({ terms: named, hidden }, 'true'), /which is never exposed/);
    }
    await assert.rejects(run({ hidden: [at('root')] }, 'true'), /needs \S+server to run, which/);
  });

  it('nothing in place of what is not there', async t => {
    const { at, run } = world(t);
    for (const terms of [
      { read: [at('home/missing')], write: [], network: false },
      { read: [], write: [at('home/missing')], network: false },
    ]) {
      await assert.rejects(
        run({ terms }, 'true'),
        /names \S+missing, which is not there\. Make it first, or leave it out\./,
      );
    }
  });

  it('nothing of which a sandbox has its own, and nothing of the system to be changed', async t => {
    const { run } = world(t);
    for (const terms of [
      ...['/', '/proc', '/proc/1', '/dev'].map(path => ({
        read: [path],
        write: [],
        network: false,
      })),
      { read: [], write: ['/usr/share'], network: false },
    ]) {
      await assert.rejects(run({ terms }, 'true'), /belongs to the system/);
    }
    const roots = [mountedRoot('/')];
    await assert.rejects(run({ roots }, 'true'), /is of the system: no sandbox can show it/);
  });
});

const missing = '1 cat: …: No such file or directory\n';

type Wanted = Partial<SandboxRequest> & {
  readonly env?: Record<string, string>;
  readonly command?: string;
};

/** A home with secrets and folders to show, with which shells are started in a sandbox. */
function world(t: TestContext) {
  const base = tempFolder(t);
  const at = (name: string) => join(base, name);
  writeTree(base, {
    'home/secret': 'secret',
    'home/tool': '#!/bin/sh\nexec /bin/sh "$@"\n',
    'home/keys/k': 'key',
    'named/a/ref': 'named',
    'root/.git/config': '',
    'root/.git/hooks/sample': '',
    'root/.vscode/settings.json': '{}',
    'root/conf/keys/k': 'key',
    'root/conf/inner/a': 'a\n',
    'root/server': 'script=$1; shift; eval "$script"',
  });
  chmodSync(at('home/tool'), 0o755);
  const { HOME } = process.env;
  process.env['HOME'] = at('home');
  atEnd(t, () => {
    process.env['HOME'] = HOME;
  });
  /** Runs a script for the shell, and answers its exit code and what it wrote. */
  const run = async (
    { env = {}, command = '/bin/sh', ...request }: Wanted,
    script: string,
    ...args: string[]
  ) => {
    assert.ok(here.skip === false);
    const none = { read: [], write: [], network: false };
    const wanted = { roots: [], terms: none, ...request };
    const start = {
      command,
      args: [at('root/server'), script, ...args],
      cwd: wanted.roots[0]?.path ?? wanted.terms.write[0] ?? '/',
      env: { PATH: '/usr/bin:/bin', ...env },
    };
    const { out, err, code } = await ranIn(await sandboxedStart(start, wanted, here.tool));
    const said = out + err;
    return `${code} ${said.replace(/^cat: '?\S+home\/secret'?:/, 'cat: …:')}`;
  };
  return { at, root: mountedRoot(at('root')), run };
}

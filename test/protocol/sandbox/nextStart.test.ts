import assert from 'node:assert/strict';
import { chmodSync, existsSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isHumanError } from '../../../src/domain/sentence.ts';
import { type SandboxRequest, sandboxedStart } from '../../../src/mcp/sandbox/sandboxedStart.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot, ranIn, takeHome } from '../../support/sandbox/sandboxedServer.ts';
import { linkTree, tempFolder, writeTree } from '../../support/temp.ts';
import { said } from '../../support/texts.ts';

const { tool, skip } = await sandboxHere();

describe('a sandboxed server cannot see more at its next start', {
  skip,
}, () => {
  it('by a link beside its script', async t => {
    const { at, root, run } = world(t);
    const roots = [root];
    assert.equal(await run({ roots }, `ln -s '${at('home/secret')}' server.js`), '0 ');
    assert.equal(await run({ roots }, `cat '${at('home/secret')}'`), missing);
  });

  it('by a link in place of its program', async t => {
    const { at, root, run } = world(t);
    symlinkSync('/usr/bin/dash', at('root/inside'));
    symlinkSync(at('home/tool'), at('root/outside'));
    const roots = [root];
    assert.equal(await run({ roots, command: at('root/inside') }, 'echo runs'), '0 runs\n');
    const outside = { roots, command: at('root/outside') };
    assert.equal(
      await run(outside, 'echo runs'),
      `sandboxedStart.sandboxedStart(${at('root/outside')})`,
    );
    const terms = named([at('home/tool')]);
    assert.equal(await run({ ...outside, terms }, 'echo runs'), '0 runs\n');
  });

  it('by a link in a writable folder to a place that its definition names', async t => {
    const { at, run } = world(t);
    const terms = named([at('named/a/ref')], [at('named')]);
    assert.match(await run({ terms }, 'mv a b'), /Device or resource busy/);
    // A server that sees only the folder may do this.
    const swap = 'mv a b && mkdir a && ln -s "$1" a/ref';
    const outer = { ...terms, read: [] };
    assert.equal(await run({ terms: outer }, swap, at('home/secret')), '0 ');
    assert.equal(await run({ terms }, 'true'), `sandboxedStart.shownAsNamed(${at('named/a/ref')})`);
  });

  it('by moving a folder with hidden or read-only contents', async t => {
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

/** Attempts in a folder: on protected files, on folders around them, and on files beside. */
interface Others {
  readonly files: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  /** The contents of the user's home. */
  readonly home?: Readonly<Record<string, string>>;
  readonly kept: readonly string[];
  readonly moved: readonly string[];
  readonly free: readonly string[];
}

const repositories = {
  'src/proj/.git/HEAD': 'ref: refs/heads/main',
  'src/proj/.git/config': '[core]\n\thooksPath = tools/hooks\n',
  'src/proj/tools/hooks/update': '',
  'src/proj/sub/.git': 'gitdir: ../.git/modules/sub',
  'src/proj/.git/modules/sub/HEAD': 'x',
  'src/proj/.git/modules/sub/config': '[core]\nhooksPath = ../deep/hooks',
  'src/proj/deep/hooks/a': '',
  'src/tree/.git': 'gitdir: ../../elsewhere/worktrees/tree',
  'src/store.any/HEAD': 'x',
  'src/store.any/config': '',
  'packages/a/b/c/.vscode/tasks.json': '{}',
  'packages/a/.envrc': '',
  'packages/a/.mcp.json': '{}',
  'packages/b/.claude/settings.json': '{}',
  'packages/b/.github/hooks/a.json': '{}',
  'packages/b/my.code-workspace': '{}',
};
const agents = ['.husky/a', '.claude/a', '.cursor/a', '.devcontainer/a', '.mcp.json', '.envrc'];

const others: Readonly<Record<string, Others>> = {
  'what other programs run below, in repositories, worktrees and submodules': {
    files: {
      ...repositories,
      ...{ 'src/store.any/objects/': '', 'src/store.any/refs/': '' },
      'node_modules/x/.vscode/tasks.json': '{}',
    },
    kept: Object.keys(repositories),
    moved: ['src/proj', 'packages/a/b/c', 'packages/b'],
    free: ['node_modules/x/.vscode/tasks.json', 'src/proj/a', 'packages/b/.github/a'],
  },
  'what agents and shells start by themselves, and hooks elsewhere,': {
    files: {
      '.git/config': '[core]\n\thooksPath = tools/hooks\n[remote "x"]\n\thooksPath = conf\n',
      ...Object.fromEntries([...agents, 'tools/hooks/update'].map(name => [name, ''])),
      'githooks/update': '',
    },
    home: { '.gitconfig': '[core]\n\tHooksPath = "githooks" ; mine\n' },
    kept: [...agents, '.husky/b', '.cursor/b', 'tools/hooks/update', 'githooks/update'],
    moved: ['tools/hooks'],
    free: ['tools/other', 'conf/inner/a'],
  },
  'what hooks link to and settings include': {
    files: {
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/config':
        '[includeIf "gitdir:x"] path = ../tools/settings\n[core] hooksPath = part/hooks\n',
      'tools/settings': '[core]\n\thooksPath = tools/more\n',
      ...{ 'tools/more/a': '', 'tools/check': '', 'part/hooks/a': '' },
    },
    links: { '.git/hooks/pre-commit': 'tools/check' },
    kept: ['tools/settings', 'tools/more/a', 'tools/check', 'part/hooks/a'],
    moved: ['tools'],
    free: ['tools/other'],
  },
  'a hook of Husky below the top': {
    files: {
      ...{ 'web/.husky/_/h': '', 'web/.husky/update': '' },
      ...{ '.git/HEAD': 'x', '.git/config': '[core]\nhooksPath = web/.husky/_' },
    },
    kept: ['web/.husky/update', 'web/.husky/_/h'],
    moved: ['web'],
    free: ['web/a'],
  },
  'what is reached below by a link in the place of what is kept': {
    files: { 'b/real/tasks.json': '{}', 'a/x': '' },
    links: { 'a/.vscode': 'b/real' },
    kept: ['a/.vscode/tasks.json', 'b/real/new', 'a/x'],
    moved: ['b', 'a/.vscode'],
    free: ['b/other'],
  },
};

describe('in a folder where a sandboxed server writes', { skip }, () => {
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
      const terms = named([], [at('root')]);
      assert.match(await run({ terms }, script), /^[12] .*(?:Read-only file|busy)/s);
    });
  }

  it('a link in place of a protected file refuses the start, since it could be replaced', async t => {
    const { at, root, run } = world(t);
    renameSync(at('root/.git'), at('root/real'));
    symlinkSync('real', at('root/.git'));
    const refused = `keptPlaces.keptAt(${at('root/.git')}, ${at('root')})`;
    assert.equal(await run({ roots: [root] }, 'true'), refused);
    const terms = named([], [at('root')]);
    assert.equal(await run({ terms }, 'true'), refused);
    assert.equal(await run({ roots: [{ ...root, isReadOnly: true }] }, 'cat .git/config'), '0 ');
  });

  for (const [what, { files, links = {}, home = {}, kept, moved, free }] of Object.entries(
    others,
  )) {
    it(`${what} is only read`, async t => {
      const { at, root, run } = world(t);
      writeTree(at('root'), files);
      linkTree(at('root'), links);
      writeTree(at('home'), home);
      const script = `
        for path in ${kept.join(' ')}; do echo x >> $path && echo $path; done
        for path in ${moved.join(' ')}; do mv $path $path-2 && echo $path; done
        for path in ${free.join(' ')}; do echo x >> $path && echo $path; done`;
      for (const request of [{ roots: [root] }, { terms: named([], [at('root')]) }]) {
        const changed = await run(request, `exec 2> /dev/null; ${script}`);
        assert.equal(changed, `0 ${free.map(path => `${path}\n`).join('')}`);
      }
    });
  }

  it('hooks of a repository above the root or in another root are read-only', async t => {
    const { at, root, run } = world(t);
    const config = (path: string) => ({
      '.git/HEAD': 'x',
      '.git/config': `[core]\nhooksPath = ${path}`,
    });
    writeTree(at('root'), { ...config('part/hooks'), 'part/hooks/a': '', 'shared/push': '' });
    writeTree(at('other'), config('../root/shared'));
    const part = { roots: [mountedRoot(at('root/part'))], terms: named([at('root/server')]) };
    assert.match(await run(part, 'echo x > hooks/a'), /^2 .*Read-only file/);
    assert.equal(await run(part, 'echo x > other'), '0 ');
    const roots = [root, mountedRoot(at('other'))];
    assert.match(await run({ roots }, 'echo x > shared/push'), /^2 .*Read-only file/);
  });

  it('hooks in a hidden folder stay hidden', async t => {
    const { at, root, run } = world(t);
    writeTree(at('root'), {
      '.git/HEAD': 'x',
      '.git/config': '[core]\nhooksPath = conf/keys/hooks',
    });
    writeTree(at('root'), { 'conf/keys/hooks/a': '', 'conf/keys/.vscode/a': '' });
    const hidden = [at('root/conf/keys')];
    assert.equal(await run({ roots: [root], hidden }, 'ls -A conf/keys && echo x > conf/a'), '0 ');
  });

  it('a link in place of a root in a folder that its definition names is not followed', async t => {
    const { at, run } = world(t);
    writeTree(at('named'), { 'packages/x/a': 'a' });
    const { place: _, ...root } = mountedRoot(at('named/packages/x'));
    const terms = named([], [at('named')]);
    assert.equal(await run({ roots: [root], terms }, 'cat a'), '0 a');
    renameSync(at('named/packages/x'), at('named/moved'));
    symlinkSync(at('home'), at('named/packages/x'));
    const read = `cat '${at('home/secret')}'`;
    assert.equal(await run({ roots: [root], terms }, read), missing);
  });

  it('a link in place of a nested root is not followed', async t => {
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
    assert.match(
      await run({ roots: [root, nested] }, read),
      /^(?:sandboxedStart\.reachedRoot\.3\(x\)$|125 )/,
    );
  });

  it('the repository is writable where its definition names it', async t => {
    const { at, root, run } = world(t);
    const terms = named([], [at('root/.git')]);
    assert.equal(await run({ roots: [root], terms }, 'echo x > .git/config'), '0 ');
    assert.match(await run({ roots: [root], terms }, 'echo x > .vscode/a'), /^2 .*Read-only file/);
  });
});

describe('the definition of a sandboxed server shows it', { skip }, () => {
  it('nothing through its variables', async t => {
    const { at, root, run } = world(t);
    const env = { PYTHONPATH: at('home'), SSL_CERT_FILE: at('home/secret') };
    assert.equal(await run({ roots: [root], env }, `cat '${at('home/secret')}'`), missing);
  });

  it('nothing on the never-expose list', async t => {
    const { at, run } = world(t);
    const hidden = [at('home/keys')];
    const terms = named([at('home')]);
    assert.match(await run({ terms, hidden }, `cat '${at('home/keys/k')}'`), /^1 cat: /);
    assert.equal(await run({ terms, hidden }, `cat '${at('home/secret')}'`), '0 secret');
    for (const path of ['home/keys', 'home/keys/k']) {
      const refused = await run({ terms: named([at(path)]), hidden }, 'true');
      assert.equal(refused, `sandboxedStart.shownAsNamed.2(${at(path)})`);
    }
    const needsHidden = `sandboxedStart.sandboxedStart.2(${at('root/server')})`;
    assert.equal(await run({ hidden: [at('root')] }, 'true'), needsHidden);
  });

  it('nothing in place of a missing path', async t => {
    const { at, run } = world(t);
    for (const terms of [named([at('home/missing')]), named([], [at('home/missing')])]) {
      assert.equal(await run({ terms }, 'true'), `sandboxedStart.notThere(${at('home/missing')})`);
    }
  });

  it('nothing that a sandbox has itself, and no writable folder of the system', async t => {
    const { run } = world(t);
    for (const terms of [
      ...['/', '/proc', '/proc/1', '/dev'].map(path => named([path])),
      named([], ['/usr/share']),
    ]) {
      assert.match(await run({ terms }, 'true'), /^sandboxedStart\.shownAsNamed\.3/);
    }
    const roots = [mountedRoot('/')];
    assert.match(await run({ roots }, 'true'), /^sandboxedStart\.reachedRoot\.2/);
  });
});

const missing = '1 cat: …: No such file or directory\n';

type Wanted = Partial<SandboxRequest> & {
  readonly env?: Record<string, string>;
  readonly command?: string;
};

/** What a definition names. */
function named(read: readonly string[], write: readonly string[] = []) {
  return { read, write, network: false };
}

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
  takeHome(t, at('home'));
  /** Runs a script for the shell, and answers its exit code and what it wrote, or why it was refused. */
  const run = async (
    { env = {}, command = '/bin/sh', ...request }: Wanted,
    script: string,
    ...args: string[]
  ) => {
    const wanted = { roots: [], terms: named([]), ...request };
    const start = {
      command,
      args: [at('root/server'), script, ...args],
      cwd: wanted.roots[0]?.path ?? wanted.terms.write[0] ?? '/',
      env: { PATH: '/usr/bin:/bin', ...env },
    };
    const sandboxed = await sandboxedStart(start, wanted, tool).catch((error: Error) => {
      assert.ok(isHumanError(error), error);
      return said(error.message);
    });
    if (typeof sandboxed === 'string') {
      return sandboxed;
    }
    const { out, err, code } = await ranIn(sandboxed);
    return `${code} ${(out + err).replace(/^cat: '?\S+home\/secret'?:/, 'cat: …:')}`;
  };
  return { at, root: mountedRoot(at('root')), run };
}

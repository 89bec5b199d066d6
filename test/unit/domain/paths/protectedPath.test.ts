import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import {
  holdsProtected,
  isProtectedName,
  protectedName,
} from '../../../../src/domain/paths/protectedPath.ts';
import { isAtOrBelow, namesBelow } from '../../../../src/domain/paths/rootPaths.ts';

function root(announced: string, real = announced, foldsCase = false) {
  return { announced, real, foldsCase };
}

test('what other programs start is protected at every depth, and all that is in it', () => {
  const name = (path: string) => protectedName(path, root('/ws/app'), 'linux');
  deepEqual(
    [
      name('/ws/app/.git'),
      name('/ws/app/.git/hooks/pre-commit'),
      name('/ws/app/sub/.vscode/tasks.json'),
      name('/ws/app/sub/.GIT'),
      name('/ws/app/.mcp.json'),
      name('/ws/app/.claude/settings.json'),
      name('/ws/app'),
      name('/ws/app/git'),
      name('/ws/app/.github/workflows/a.yml'),
      name('/ws/app/.gitignore'),
      name('/ws/app/.vscodeignore'),
      name('/ws/app/x.git/config'),
    ],
    ['.git', '.git', '.vscode', '.GIT', '.mcp.json', '.claude', ...Array(6).fill(undefined)],
  );
});

test('a name is protected that some file system takes for a protected one', () => {
  const names = [
    '.Git',
    '.VSCode',
    '.gi\u200ct', // HFS+ passes over it
    '\ufeff.git',
    '.v\u017fcode', // a long s, which APFS folds to s
    '.git.', // Windows drops it
    '.git ',
    'GIT~1',
    'vscode~2',
    'GI7D29~1',
    'CLAUDE~1',
    'DEVCON~1',
    'MCP~1.JSO',
    'api.code-workspace',
    'API~1.COD',
    'API8D2~1.COD',
    '.code-workspace',
    'lefthook.yml',
    '.lefthook-local.toml',
    'LEFTHO~1.YAM',
    'PRE-CO~1.YAM',
    'opencode.json',
    'OPENCO~2.JSO',
    '.gitconfig',
    'Team.gitconfig',
    'post-commit',
    'Pre-Push',
    'PREPAR~1',
  ];
  deepEqual(
    names.filter(name => isProtectedName(name)),
    names,
  );
  const free = ['git', '.', '..', '...', 'git~', 'digit~1', '.gitattributes', '.g\u0456t', '~1'];
  free.push('update', 'pre-commit.md', 'pre_commit', 'gitconfig');
  free.push('hooks', '.github', 'my-lefthook.yml', 'api.code-workspace.md', 'API~1.CO', 'API.COD');
  deepEqual(
    free.filter(name => isProtectedName(name)),
    [],
  );
});

test('a name can be protected in a folder of one name only', () => {
  const name = (path: string) => protectedName(path, root('/ws/app'), 'linux');
  deepEqual(
    [
      name('/ws/app/.github/hooks'),
      name('/ws/app/a/.GitHub/Hooks/x.json'),
      name('/ws/app/GITHUB~1/hooks'),
      name('/ws/app/.clinerules/hooks/a'),
      name('/ws/app/hooks/a'),
      name('/ws/app/.github/a/hooks'),
      protectedName('/ws/.github/hooks/a', root('/ws/.github'), 'linux'),
    ],
    [
      ...['.github/hooks', '.GitHub/Hooks', 'GITHUB~1/hooks', '.clinerules/hooks'],
      ...Array(3).fill(undefined),
    ],
  );
  deepEqual(['.github', 'GITHUB~1', '.ClineRules', 'hooks', '.git', 'x'].map(holdsProtected), [
    ...[true, true, true, false, false, false],
  ]);
});

test('names count below the root only: a shared .git folder was shared on purpose', () => {
  deepEqual(
    [
      protectedName('/ws/.git/hooks/x', root('/ws/.git'), 'linux'),
      protectedName('/ws/.git/modules/a/.git', root('/ws/.git'), 'linux'),
      protectedName('/ws/.vscode/link/x', root('/ws/link', '/ws/.vscode/link'), 'linux'),
    ],
    [undefined, '.git', undefined],
  );
});

test('the names below a root are found under both of its paths, as its file system compares them', () => {
  deepEqual(
    [
      namesBelow(root('/ws/link', '/data/app'), '/ws/link/a/b', 'linux'),
      namesBelow(root('/ws/link', '/data/app'), '/data/app/a', 'linux'),
      namesBelow(root('/ws/App', '/ws/App', true), '/WS/app/A', 'darwin'),
      namesBelow(root('/ws/caf\u00e9'), '/ws/cafe\u0301/A', 'darwin'),
      namesBelow(root('C:\\ws', 'C:\\ws', true), 'C:\\WS\\A\\.git', 'win32'),
      namesBelow(root('/'), '/a/b', 'linux'),
      namesBelow(root('/ws', '/ws/deep'), '/ws/deep/a', 'linux'),
    ],
    [['a', 'b'], ['a'], ['A'], ['A'], ['A', '.git'], ['a', 'b'], ['a']],
  );
});

test('of a path that is not in the root, every name counts', () => {
  deepEqual(namesBelow(root('/ws/app'), '/ws/app_evil/.git', 'linux'), ['ws', 'app_evil', '.git']);
});

test('a root is found at a path and below it, and not beside it', () => {
  const roots = [root('/ws/a/b'), root('/ws/link', '/ws/c/d'), root('/WS/E', '/WS/E', true)];
  const found = (path: string) => roots.find(one => isAtOrBelow(one, path, 'darwin'))?.announced;
  deepEqual(
    ['/ws/a/b', '/ws/a', '/ws/a/b/c', '/ws/c', '/ws/link', '/ws/e', '/ws/a/bb', '/ws/x'].map(found),
    ['/ws/a/b', '/ws/a/b', undefined, '/ws/link', '/ws/link', '/WS/E', undefined, undefined],
  );
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  holdsProtected,
  isProtectedName,
  protectedName,
} from '../../../../src/domain/paths/protectedPath.ts';
import { isRootWithin, namesBelow } from '../../../../src/domain/paths/rootPaths.ts';

function root(announced: string, real = announced, foldsCase = false) {
  return { announced, real, foldsCase };
}

/** The protected name of each path in the root `/ws/app`. */
const protectedIn = (paths: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.keys(paths).map(path => [
      path,
      protectedName(`/ws/app/${path}`, root('/ws/app'), 'linux'),
    ]),
  );

test('protects files that other programs run at every depth, with their contents', () => {
  const paths = {
    '.git': '.git',
    '.git/hooks/pre-commit': '.git',
    'sub/.vscode/tasks.json': '.vscode',
    'sub/.GIT': '.GIT',
    '.mcp.json': '.mcp.json',
    '.claude/settings.json': '.claude',
    '': undefined,
    git: undefined,
    '.github/workflows/a.yml': undefined,
    '.gitignore': undefined,
    '.vscodeignore': undefined,
    'x.git/config': undefined,
    // Protected in a folder of one name only.
    '.github/hooks': '.github/hooks',
    'a/.GitHub/Hooks/x.json': '.GitHub/Hooks',
    'GITHUB~1/hooks': 'GITHUB~1/hooks',
    '.clinerules/hooks/a': '.clinerules/hooks',
    'hooks/a': undefined,
    '.github/a/hooks': undefined,
  };
  deepEqual(protectedIn(paths), paths);
  equal(protectedName('/ws/.github/hooks/a', root('/ws/.github'), 'linux'), undefined);
  const folders = ['.github', 'GITHUB~1', '.ClineRules'];
  deepEqual([...folders, 'hooks', '.git', 'x'].filter(holdsProtected), folders);
});

test('protects a name that a file system treats as a protected one', () => {
  const names = [
    ...['.Git', '.VSCode'],
    '.gi\u200ct', // HFS+ passes over it
    '\ufeff.git',
    '.v\u017fcode', // a long s, which APFS folds to s
    '.git.', // Windows drops it
    ...['.git ', 'GIT~1', 'vscode~2', 'GI7D29~1', 'CLAUDE~1', 'DEVCON~1', 'MCP~1.JSO'],
    ...['api.code-workspace', 'API~1.COD', 'API8D2~1.COD', '.code-workspace', 'lefthook.yml'],
    ...['.lefthook-local.toml', 'LEFTHO~1.YAM', 'PRE-CO~1.YAM', 'opencode.json', 'OPENCO~2.JSO'],
    ...['.gitconfig', 'Team.gitconfig', 'post-commit', 'Pre-Push', 'PREPAR~1'],
  ];
  const free = [
    ...['git', '.', '..', '...', 'git~', 'digit~1', '.gitattributes', '.g\u0456t', '~1', 'update'],
    ...['pre-commit.md', 'pre_commit', 'gitconfig', 'hooks', '.github', 'my-lefthook.yml'],
    ...['api.code-workspace.md', 'API~1.CO', 'API.COD'],
  ];
  deepEqual(
    [...names, ...free].filter(name => isProtectedName(name)),
    names,
  );
});

test('protects names below the root only: a shared .git folder was shared on purpose', () => {
  deepEqual(
    [
      protectedName('/ws/.git/hooks/x', root('/ws/.git'), 'linux'),
      protectedName('/ws/.git/modules/a/.git', root('/ws/.git'), 'linux'),
      protectedName('/ws/.vscode/link/x', root('/ws/link', '/ws/.vscode/link'), 'linux'),
    ],
    [undefined, '.git', undefined],
  );
});

test('finds names below both paths of a root, compared as its file system does', () => {
  deepEqual(
    [
      namesBelow(root('/ws/link', '/data/app'), '/ws/link/a/b', 'linux'),
      namesBelow(root('/ws/link', '/data/app'), '/data/app/a', 'linux'),
      namesBelow(root('/ws/App', '/ws/App', true), '/WS/app/A', 'darwin'),
      namesBelow(root('/ws/caf\u00e9'), '/ws/cafe\u0301/A', 'darwin'),
      namesBelow(root('C:\\ws', 'C:\\ws', true), 'C:\\WS\\A\\.git', 'win32'),
      namesBelow(root('/'), '/a/b', 'linux'),
      namesBelow(root('/ws', '/ws/deep'), '/ws/deep/a', 'linux'),
      // Of a path that is not in the root, every name counts.
      namesBelow(root('/ws/app'), '/app_evil/.git', 'linux'),
    ].map(names => names.join()),
    ['a,b', 'a', 'A', 'A', 'A,.git', 'a,b', 'a', 'app_evil,.git'],
  );
});

test('finds a root at a path and below it, and not beside it', () => {
  const roots = [root('/ws/a/b'), root('/ws/link', '/ws/c/d'), root('/WS/E', '/WS/E', true)];
  const found = (path: string) => roots.find(one => isRootWithin(one, path, 'darwin'))?.announced;
  deepEqual(
    ['/ws/a/b', '/ws/a', '/ws/a/b/c', '/ws/c', '/ws/link', '/ws/e', '/ws/a/bb', '/ws/x'].map(found),
    ['/ws/a/b', '/ws/a/b', undefined, '/ws/link', '/ws/link', '/WS/E', undefined, undefined],
  );
});

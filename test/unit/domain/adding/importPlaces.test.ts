import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importPlaces, type Machine } from '../../../../src/domain/adding/importPlaces.ts';

const linux: Machine = {
  platform: 'linux',
  home: '/home/user',
  appData: undefined,
  userSettings: '/home/user/.config/Code/User',
  folders: [{ name: 'api', path: '/proj/api' }],
  workspaceFile: undefined,
};

test('every place of a folder and of the user is looked at, the folder first', () => {
  assert.deepEqual(
    importPlaces(linux).map(({ path, source }) => [path, source.label, source.dialect]),
    [
      ['/proj/api/.vscode/mcp.json', '.vscode/mcp.json', 'vscode'],
      ['/proj/api/.mcp.json', '.mcp.json', 'claude-code'],
      ['/proj/api/.cursor/mcp.json', '.cursor/mcp.json', 'cursor'],
      ['/home/user/.config/Code/User/mcp.json', 'User/mcp.json', 'vscode'],
      ['/home/user/.cursor/mcp.json', '~/.cursor/mcp.json', 'cursor'],
      ['/home/user/.claude.json', '~/.claude.json', 'claude-code'],
      ['/home/user/.claude.json', '~/.claude.json', 'claude-code'],
      [
        '/home/user/.config/Claude/claude_desktop_config.json',
        'claude_desktop_config.json',
        'claude-desktop',
      ],
    ],
  );
});

test('several folders are told apart, and what is in a workspace file belongs to the workspace', () => {
  const folders = [...linux.folders, { name: 'web\n', path: '/proj/web' }];
  const places = importPlaces({ ...linux, folders, workspaceFile: '/proj/x.code-workspace' });
  const ofWorkspace = places.filter(({ source }) => source.scope === 'workspace');
  assert.deepEqual(
    ofWorkspace.map(({ source }) => source.label),
    [
      '.vscode/mcp.json (api)',
      '.mcp.json (api)',
      '.cursor/mcp.json (api)',
      '.vscode/mcp.json (web\\u000a)',
      '.mcp.json (web\\u000a)',
      '.cursor/mcp.json (web\\u000a)',
      'x.code-workspace',
    ],
  );
  assert.deepEqual(ofWorkspace.at(-1)?.source.at, ['settings', 'mcp']);
  assert.deepEqual(
    places.map(({ source }) => source.at).filter(([first]) => first === 'projects'),
    [
      ['projects', '/proj/api'],
      ['projects', '/proj/web'],
    ],
  );
});

test('Claude Desktop keeps its file elsewhere on each system', () => {
  const last = (machine: Partial<Machine>) => importPlaces({ ...linux, ...machine }).at(-1)?.path;
  const windows = { platform: 'win32', home: 'C:\\Users\\u' } as const;
  assert.deepEqual(
    [
      last({ platform: 'darwin', home: '/Users/u' }),
      last({ ...windows, appData: 'D:\\Data' }),
      last(windows),
    ],
    [
      '/Users/u/Library/Application Support/Claude/claude_desktop_config.json',
      'D:\\Data\\Claude\\claude_desktop_config.json',
      'C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ],
  );
});

test('a folder on Windows is known to Claude Code under any of its spellings', () => {
  const folders = [{ name: 'api', path: 'c:\\proj\\api' }];
  const keys = importPlaces({ ...linux, platform: 'win32', folders })
    .map(({ source }) => source.at)
    .filter(([first]) => first === 'projects')
    .map(([, key]) => key);
  assert.deepEqual(keys, ['C:\\proj\\api', 'C:/proj/api', 'c:\\proj\\api', 'c:/proj/api']);
});

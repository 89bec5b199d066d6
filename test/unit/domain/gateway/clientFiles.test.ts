import { deepEqual, notEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  adviceOn,
  type Client,
  clientFiles,
  type ImportMachine,
  importPlaces,
  knownClients,
  type Machine,
} from '../../../../src/domain/gateway/clientFiles.ts';
import { isProtectedName } from '../../../../src/domain/paths/protectedPath.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

const linux = {
  platform: 'linux',
  home: '/home/ada',
  appData: undefined,
  folders: ['api', 'web'].map(name => ({ name, path: `/proj/${name}` })),
} as const;
const windows = {
  platform: 'win32',
  home: 'C:\\Users\\Ada',
  appData: 'C:\\Users\\Ada\\AppData\\Roaming',
  folders: [],
} as const;
const pathsOf = (client: Client, machine: Machine, isRemote = false) =>
  clientFiles(client, machine, isRemote).map(({ path }) => path);

test('what starts servers from a folder is written by no server there', () => {
  const files = Object.values(knownClients).flatMap(client =>
    'folderFile' in client ? [client.folderFile] : [],
  );
  deepEqual(
    files.filter(file => !isProtectedName(file.split('/')[0] ?? '')),
    [],
  );
  notEqual(files.length, 0);
});

describe('the files of a client', () => {
  test('are the user’s first, then those of the folders', () => {
    deepEqual(clientFiles('cursor', linux, false), [
      { path: '/home/ada/.cursor/mcp.json', scope: 'user' },
      { path: '/proj/api/.cursor/mcp.json', scope: 'folder' },
      { path: '/proj/web/.cursor/mcp.json', scope: 'folder' },
    ]);
    deepEqual(pathsOf('codex', { ...linux, folders: [] }), ['/home/ada/.codex/config.toml']);
    deepEqual(pathsOf('copilot-cli', linux), ['/home/ada/.copilot/mcp-config.json']);
    deepEqual(pathsOf('windsurf', linux), ['/home/ada/.codeium/windsurf/mcp_config.json']);
    deepEqual(pathsOf('zed', linux), ['/home/ada/.config/zed/settings.json']);
  });

  test('are not those in which a client keeps its state, and none of a client nobody knows', () => {
    deepEqual(pathsOf('claude-code', linux), ['/proj/api/.mcp.json', '/proj/web/.mcp.json']);
    deepEqual(pathsOf('other', linux), []);
  });

  test('are elsewhere on each system', () => {
    const file = 'claude_desktop_config.json';
    deepEqual(pathsOf('claude-desktop', { ...linux, platform: 'darwin', home: '/Users/ada' }), [
      `/Users/ada/Library/Application Support/Claude/${file}`,
    ]);
    deepEqual(pathsOf('claude-desktop', { ...windows, appData: undefined }), [
      `C:\\Users\\Ada\\AppData\\Roaming\\Claude\\${file}`,
    ]);
    deepEqual(pathsOf('claude-desktop', windows), [`${windows.appData}\\Claude\\${file}`]);
    deepEqual(pathsOf('zed', windows), [`${windows.appData}\\Zed\\settings.json`]);
    deepEqual(pathsOf('gemini-cli', windows), ['C:\\Users\\Ada\\.gemini\\settings.json']);
  });

  test('of a program on the user’s own machine can’t be written from a remote window', () => {
    deepEqual(pathsOf('claude-desktop', linux, true), []);
    deepEqual(pathsOf('cursor', linux, true), [
      '/proj/api/.cursor/mcp.json',
      '/proj/web/.cursor/mcp.json',
    ]);
    deepEqual(pathsOf('copilot-cli', linux, true), pathsOf('copilot-cli', linux));
  });
});

test('what is copied for a client goes into its file, where nothing else is said of it', () => {
  deepEqual(
    (['codex', 'zed', 'other'] as const).map(client => inEnglish(adviceOn(client))),
    [
      'Add it to ~/.codex/config.toml.',
      'Add it to the settings of Zed.',
      'It has the form that most clients take.',
    ],
  );
});

const editor: ImportMachine = {
  platform: 'linux',
  home: '/home/user',
  appData: undefined,
  userSettings: '/home/user/.config/Code/User',
  folders: [{ name: 'api', path: '/proj/api' }],
  workspaceFile: undefined,
};

test('every place of a folder and of the user is looked at, the folder first', () => {
  deepEqual(
    importPlaces(editor).map(({ path, source }) => [path, source.label]),
    [
      ['/proj/api/.vscode/mcp.json', '.vscode/mcp.json'],
      ['/proj/api/.mcp.json', '.mcp.json'],
      ['/proj/api/.cursor/mcp.json', '.cursor/mcp.json'],
      ['/home/user/.config/Code/User/mcp.json', 'User/mcp.json'],
      ['/home/user/.claude.json', '~/.claude.json'],
      ['/home/user/.claude.json', '~/.claude.json'],
      ['/home/user/.cursor/mcp.json', '~/.cursor/mcp.json'],
      ['/home/user/.config/Claude/claude_desktop_config.json', 'claude_desktop_config.json'],
    ],
  );
});

test('several folders are told apart, and what is in a workspace file belongs to the workspace', () => {
  const folders = [...editor.folders, { name: 'web\n', path: '/proj/web' }];
  const places = importPlaces({ ...editor, folders, workspaceFile: '/proj/x.code-workspace' });
  const ofWorkspace = places.filter(({ source }) => source.scope === 'workspace');
  deepEqual(
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
  deepEqual(ofWorkspace.at(-1)?.source.at, ['settings', 'mcp']);
  deepEqual(
    places.map(({ source }) => source.at).filter(([first]) => first === 'projects'),
    [
      ['projects', '/proj/api'],
      ['projects', '/proj/web'],
    ],
  );
});

test('a folder on Windows is known to Claude Code under any of its spellings', () => {
  const folders = [{ name: 'api', path: 'c:\\proj\\api' }];
  const keys = importPlaces({ ...editor, platform: 'win32', folders })
    .map(({ source }) => source.at)
    .filter(([first]) => first === 'projects')
    .map(([, key]) => key);
  deepEqual(keys, ['C:\\proj\\api', 'C:/proj/api', 'c:\\proj\\api', 'c:/proj/api']);
});

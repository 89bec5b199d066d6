import { deepEqual, equal, notEqual } from 'node:assert/strict';
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
import { foundAsExpected } from '../../../support/cases.ts';
import { saidBy } from '../../../support/texts.ts';

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

test('protects the files of a folder that start servers', () => {
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
  test('are listed for the user first, then for the folders', () => {
    deepEqual(clientFiles('cursor', linux, false), [
      { path: '/home/ada/.cursor/mcp.json', scope: 'user' },
      { path: '/proj/api/.cursor/mcp.json', scope: 'folder' },
      { path: '/proj/web/.cursor/mcp.json', scope: 'folder' },
    ]);
    const first = (client: Client) => pathsOf(client, linux)[0]?.replace('/home/ada/', '');
    foundAsExpected({
      codex: [first('codex'), '.codex/config.toml'],
      copilot: [first('copilot-cli'), '.copilot/mcp-config.json'],
      windsurf: [first('windsurf'), '.codeium/windsurf/mcp_config.json'],
      zed: [first('zed'), '.config/zed/settings.json'],
    });
  });

  test('leave out the state files of a client, and unknown clients', () => {
    deepEqual(pathsOf('claude-code', linux), ['/proj/api/.mcp.json', '/proj/web/.mcp.json']);
    deepEqual(pathsOf('other', linux), []);
  });

  test('differ on each system', () => {
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

test('copies an entry in the form of the client’s file unless told otherwise', () => {
  deepEqual(
    (['codex', 'other'] as const).map(client => saidBy(adviceOn(client))),
    ['clientFiles.adviceOn(~/.codex/config.toml)', 'clientFiles.adviceOn()'],
  );
  equal(adviceOn('zed').template, knownClients.zed.advice);
});

const editor: ImportMachine = {
  platform: 'linux',
  home: '/home/user',
  appData: undefined,
  userSettings: '/home/user/.config/Code/User',
  folders: [{ name: 'api', path: '/proj/api' }],
  workspaceFile: undefined,
};

test('looks at every place of a folder and of the user, the folder first', () => {
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

test('tells folders apart, and assigns servers of a workspace file to the workspace', () => {
  const folders = [...editor.folders, { name: 'web\n', path: '/proj/web' }];
  const places = importPlaces({ ...editor, folders, workspaceFile: '/proj/x.code-workspace' });
  const ofWorkspace = places.filter(({ source }) => source.scope === 'workspace');
  const files = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json'];
  deepEqual(
    ofWorkspace.map(({ source }) => source.label),
    [
      ...['api', 'web\\u000a'].flatMap(name => files.map(file => `${file} (${name})`)),
      'x.code-workspace',
    ],
  );
  deepEqual(ofWorkspace.at(-1)?.source.at, ['settings', 'mcp']);
  const projects = places.map(({ source }) => source.at).filter(([first]) => first === 'projects');
  deepEqual(projects.flat(), ['projects', '/proj/api', 'projects', '/proj/web']);
});

test('names a folder by its path when another has the same name', () => {
  const folders = ['/a/web', '/b/web', '/c/x}'].map(path => ({ name: path.slice(3), path }));
  const places = importPlaces({ ...editor, folders: [...editor.folders, ...folders] });
  const ofVsCode = places.filter(({ path }) => path.endsWith('/.vscode/mcp.json'));
  deepEqual(
    ofVsCode.map(({ source: { label, folder, folderPath } }) => [label, folder, folderPath]),
    [
      ['.vscode/mcp.json (api)', 'api', undefined],
      ['.vscode/mcp.json (/a/web)', 'web', '/a/web'],
      ['.vscode/mcp.json (/b/web)', 'web', '/b/web'],
      ['.vscode/mcp.json (/c/x})', 'x}', '/c/x}'],
    ],
  );
});

test('finds a Windows folder of Claude Code in any spelling', () => {
  const folders = [{ name: 'api', path: 'c:\\proj\\api' }];
  const keys = importPlaces({ ...editor, platform: 'win32', folders })
    .map(({ source }) => source.at)
    .filter(([first]) => first === 'projects')
    .map(([, key]) => key);
  deepEqual(keys, ['C:\\proj\\api', 'C:/proj/api', 'c:\\proj\\api', 'c:/proj/api']);
});

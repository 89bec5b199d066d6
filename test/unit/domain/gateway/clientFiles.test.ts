import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '../../../../src/domain/gateway/clientEntries.ts';
import { clientFiles } from '../../../../src/domain/gateway/clientFiles.ts';

const linux = {
  platform: 'linux',
  home: '/home/ada',
  appData: undefined,
  isRemote: false,
  folders: ['/proj/api', '/proj/web'],
} as const;
const windows = {
  platform: 'win32',
  home: 'C:\\Users\\Ada',
  appData: 'C:\\Users\\Ada\\AppData\\Roaming',
  isRemote: false,
  folders: [],
} as const;
const pathsOf = (client: Client, machine: Parameters<typeof clientFiles>[1]) =>
  clientFiles(client, machine).map(({ path }) => path);

describe('the files of a client', () => {
  test('are the user’s first, then those of the folders', () => {
    deepEqual(clientFiles('cursor', linux), [
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
    deepEqual(pathsOf('claude-desktop', windows), [`${windows.appData}\\Claude\\${file}`]);
    deepEqual(pathsOf('zed', windows), [`${windows.appData}\\Zed\\settings.json`]);
    deepEqual(pathsOf('gemini-cli', windows), ['C:\\Users\\Ada\\.gemini\\settings.json']);
  });

  test('of a program on the user’s own machine can’t be written from a remote window', () => {
    const remote = { ...linux, isRemote: true };
    deepEqual(pathsOf('claude-desktop', remote), []);
    deepEqual(pathsOf('cursor', remote), [
      '/proj/api/.cursor/mcp.json',
      '/proj/web/.cursor/mcp.json',
    ]);
    deepEqual(pathsOf('copilot-cli', remote), pathsOf('copilot-cli', linux));
  });
});

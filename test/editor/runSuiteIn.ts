import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runTests } from '@vscode/test-electron';
import type { VsCodeRelease } from '../vscode/releases.ts';
import { createWorkspace, listedFolders, writeWorkspace } from '../vscode/workspaceFile.ts';
import { type Suite, type SuiteName, suites } from './suites.ts';

const root = join(import.meta.dirname, '..', '..');
const launcher = join(root, 'test', 'vscode', 'code.ts');
const desktopVersions = { newest: 'stable', floor: '1.105.1' } as const;

/** One run of a suite: its editor and its bundle. */
export interface SuiteRun {
  readonly suite: SuiteName;
  readonly bundle: string;
  readonly release: VsCodeRelease;
  /** A desktop editor, downloaded when needed, instead of the one npm carries. */
  readonly isDesktop: boolean;
}

/** Runs a suite in a fresh window with separate folders and editor state. */
export async function runSuiteIn(run: SuiteRun): Promise<{ passed: boolean; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-roots-editor-'));
  const both = new PassThrough();
  const output = text(both);
  const home = join(folder, 'home');
  mkdirSync(home);
  if (run.isDesktop) {
    writeDesktopSettings(join(folder, 'user-data', 'User'));
  }
  const passed = await runTests({
    ...editorFor(run, home),
    extensionDevelopmentPath: root,
    extensionTestsPath: run.bundle,
    launchArgs: launchArgs(run.suite, folder),
    stdout: both,
    stderr: both,
  }).then(
    () => true,
    error => {
      both.write(`${error instanceof Error ? error.message : error}\n`);
      return false;
    },
  );
  both.end();
  // Processes of the editor may still write there while they end.
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  return { passed, output: await output };
}

function editorFor({ release, suite, isDesktop }: SuiteRun, home: string) {
  if (isDesktop) {
    return {
      version: desktopVersions[release],
      // The person who runs the tests must not find its files. On macOS it would ask for the key
      // chain, which it finds by the home.
      extensionTestsEnv: process.platform === 'darwin' ? {} : { HOME: home, USERPROFILE: home },
    };
  }
  return {
    vscodeExecutablePath: launcher,
    extensionTestsEnv: {
      MCP_ROOTS_VSCODE: release,
      MCP_ROOTS_TRUST: suites[suite].asksForTrust ? 'ask' : 'off',
      // The launcher's `#!/usr/bin/env node` is to find the Node that runs us.
      PATH: dirname(process.execPath) + delimiter + process.env['PATH'],
    },
  };
}

/** Writes the settings that the launcher writes for the other editors. */
function writeDesktopSettings(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const settings = { 'chat.disableAIFeatures': true, 'mcpRoots.bundledServer.sandbox': 'off' };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
}

function launchArgs(suite: SuiteName, folder: string): string[] {
  return [
    ...openedWorkspace(suites[suite], folder),
    `--user-data-dir=${join(folder, 'user-data')}`,
    `--extensions-dir=${join(folder, 'extensions')}`,
  ];
}

function openedWorkspace({ folders, namesServers }: Suite, parent: string): string[] {
  if (folders.length === 0) {
    return [];
  }
  const workspace = createWorkspace(parent, folders);
  if (namesServers) {
    nameForBuiltInClient(workspace, 'api');
  }
  return [workspace];
}

/**
 * Names the bundled server in both places where the editor's own MCP client looks for workspace
 * servers: the `.vscode/mcp.json` of a folder, and the workspace file.
 */
function nameForBuiltInClient(workspace: string, folder: string): void {
  const bundled = { command: process.execPath, args: [join(root, 'dist', 'server.js')] };
  const settings = join(dirname(workspace), folder, '.vscode');
  mkdirSync(settings, { recursive: true });
  const servers = { 'bundled-of-folder': bundled };
  writeFileSync(join(settings, 'mcp.json'), JSON.stringify({ servers }));
  const mcp = { servers: { 'bundled-of-window': bundled } };
  writeWorkspace(workspace, { folders: listedFolders(workspace), settings: { mcp } });
}

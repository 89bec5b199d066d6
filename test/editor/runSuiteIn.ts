import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runTests } from '@vscode/test-electron';
import type { VsCodeRelease } from '../vscode/releases.ts';
import { createWorkspace } from '../vscode/workspaceFile.ts';
import { hubServer, nameForBuiltInClient } from './builtInServers.ts';
import { type Suite, type SuiteName, suites } from './suites.ts';

const root = join(import.meta.dirname, '..', '..');
const launcher = join(root, 'test', 'vscode', 'code.ts');
const desktopVersions = { newest: 'stable', floor: '1.105.1' } as const;

/** One run of a suite: in which editor, and which bundle. */
export interface SuiteRun {
  readonly suite: SuiteName;
  readonly bundle: string;
  readonly release: VsCodeRelease;
  /** A desktop editor, downloaded when needed, instead of the one npm carries. */
  readonly isDesktop: boolean;
}

/** Runs a suite in a fresh window with folders and an editor state of its own. */
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
  // What the editor started may still write there while it ends.
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  return { passed, output: await output };
}

function editorFor({ release, suite, isDesktop }: SuiteRun, home: string) {
  if (isDesktop) {
    return {
      version: desktopVersions[release],
      // What it keeps there is not to be left with whoever runs the tests. On macOS it would ask for
      // the key chain, which is found by the home.
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

/** What the launcher of the other editors writes for them. */
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
    const bundled = { command: process.execPath, args: [join(root, 'dist', 'server.js')] };
    const hub = hubServer(parent, bundled, join(root, 'node_modules'));
    nameForBuiltInClient(workspace, 'api', { bundled, hub });
  }
  return [workspace];
}

import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectMain } from '../../support/fakeGateway.ts';
import { atEnd } from '../../support/processes.ts';
import { launchChromium } from '../../vscode/chromium.ts';
import { type CodeServer, startCodeServer } from '../../vscode/codeServer.ts';
import { npmVsCode } from '../../vscode/install.ts';
import { createWorkspace, listedFolders, writeWorkspace } from '../../vscode/workspaceFile.ts';
import { Workbench } from './workbench.ts';

const vsix = join(import.meta.dirname, '..', '..', '..', 'dist', 'mcp-roots.vsix');

/** The window that a test needs. */
export interface TestWindow {
  /** Folders to make and open. */
  readonly folders?: readonly string[];
  /** More folders, below the others, that exist before the window opens. */
  readonly subfolders?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The same in the workspace file, which is complete when the window opens. */
  readonly workspaceSettings?: Readonly<Record<string, unknown>>;
  /** Whether it starts in Restricted Mode. */
  readonly asksForTrust?: boolean;
  /** Left out: a new, empty one. */
  readonly home?: string;
  readonly scale?: number;
  readonly size?: { readonly width: number; readonly height: number };
}

/** An editor of the test's own with the packaged extension in it. */
export interface TestEditor {
  readonly workbench: Workbench;
  readonly server: CodeServer;
  /** Where the editor keeps everything; processes that it starts have it on their command line. */
  readonly folder: string;
  /** The open `.code-workspace` file, with the folders beside it. */
  readonly workspace: string;
  /** Connects a client outside of the editor, which runs in a folder of the workspace, to a server. */
  readonly connect: (name: string, server: string, folder?: string) => Promise<Client>;
}

/**
 * Opens a window with the packaged extension, which `npm run package` made. All of it ends with the
 * test; when the test failed, a picture of the window stays as `artifacts/failed-<test>.png`.
 */
export async function openWorkbench(t: TestContext, wanted: TestWindow = {}): Promise<TestEditor> {
  const { folders = ['api', 'web'], subfolders = [], scale, size } = wanted;
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mcp-roots-ui-')));
  const workspace = createWorkspace(join(folder, 'workspace'), folders);
  if (wanted.workspaceSettings) {
    const settings = wanted.workspaceSettings;
    writeWorkspace(workspace, { folders: listedFolders(workspace), settings });
  }
  for (const path of subfolders) {
    mkdirSync(join(dirname(workspace), path));
  }
  // Processes of the editor may still write there while they end.
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const server = await startCodeServer({
    code: await npmVsCode('newest'),
    folder: join(folder, 'editor'),
    extensions: [vsix],
    settings: wanted.settings,
    asksForTrust: wanted.asksForTrust,
    isSlim: true,
    home: wanted.home ?? join(folder, 'home'),
  });
  atEnd(t, () => server.stop());
  const browser = await launchChromium();
  atEnd(t, () => browser.close());
  const workbench = await Workbench.open(browser, server, {
    scale,
    size,
    workspace,
  });
  atEnd(t, () => leave(t, workbench));
  const home = join(folder, 'home');
  const connect = async (name: string, of: string, place = 'web') => {
    const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [connectMain, '--server', of],
      cwd: join(dirname(workspace), place),
      env: { HOME: home, USERPROFILE: home },
    });
    atEnd(t, () => client.close());
    await client.connect(transport);
    return client;
  };
  return { workbench, server, folder, workspace, connect };
}

async function leave(t: TestContext, workbench: Workbench): Promise<void> {
  const { passed, error } = t as TestContext & TestEnd;
  if (!passed && !workbench.page.isClosed()) {
    await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
    // Without a picture, the texts show the state of the window.
    const failure = error?.cause;
    if (failure instanceof Error) {
      failure.stack += `\nThe window shows:\n${await workbench.words()}`;
    }
  }
  await workbench.close();
}

/** How the test body ended: Node has this property, its type definitions do not. */
interface TestEnd {
  readonly passed: boolean;
  readonly error?: { readonly cause?: unknown } | null;
}

import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd } from '../../support/processes.ts';
import { launchChromium } from '../../vscode/chromium.ts';
import { type CodeServer, startCodeServer } from '../../vscode/codeServer.ts';
import { npmVsCode } from '../../vscode/install.ts';
import type { VsCodeRelease } from '../../vscode/releases.ts';
import { createWorkspace, listedFolders, writeWorkspace } from '../../vscode/workspaceFile.ts';
import { Workbench } from './workbench.ts';

const vsix = join(import.meta.dirname, '..', '..', '..', 'dist', 'mcp-roots.vsix');

/** What window a test wants. */
export interface TestWindow {
  /** Folders to make and open; an empty window when there are none. */
  readonly folders?: readonly string[];
  /** Further folders, below those, that are there before the window is. */
  readonly subfolders?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The same in the workspace file, which is complete when the window opens. */
  readonly workspaceSettings?: Readonly<Record<string, unknown>>;
  /** Whether it starts in Restricted Mode. */
  readonly asksForTrust?: boolean;
  /** Left out: an empty one of its own. */
  readonly home?: string;
  readonly release?: VsCodeRelease;
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
}

/**
 * Opens a window with the packaged extension, which `npm run package` made. All of it ends with the
 * test; when the test failed, a picture of the window stays as `artifacts/failed-<test>.png`.
 */
export async function openWorkbench(t: TestContext, wanted: TestWindow = {}): Promise<TestEditor> {
  const { folders = ['api', 'web'], subfolders = [], release = 'newest', scale, size } = wanted;
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mcp-roots-ui-')));
  const workspace = createWorkspace(join(folder, 'workspace'), folders);
  if (wanted.workspaceSettings) {
    const settings = wanted.workspaceSettings;
    writeWorkspace(workspace, { folders: listedFolders(workspace), settings });
  }
  for (const path of subfolders) {
    mkdirSync(join(dirname(workspace), path));
  }
  // What the editor started may still write there while it ends.
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const server = await startCodeServer({
    code: await npmVsCode(release),
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
    workspace: folders.length > 0 ? workspace : undefined,
  });
  atEnd(t, () => leave(t, workbench));
  return { workbench, server, folder, workspace };
}

async function leave(t: TestContext, workbench: Workbench): Promise<void> {
  const { passed, error } = t as TestContext & TestEnd;
  if (!passed && !workbench.page.isClosed()) {
    await workbench.screenshot(`failed-${t.name.replaceAll(/\W+/g, '-')}`);
    // Where no picture is kept, the words tell what was there instead.
    const failure = error?.cause;
    if (failure instanceof Error) {
      failure.stack += `\nThe window shows:\n${await workbench.words()}`;
    }
  }
  await workbench.close();
}

/** How the test body ended: Node has told for long, its type definitions do not. */
interface TestEnd {
  readonly passed: boolean;
  readonly error?: { readonly cause?: unknown } | null;
}

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeTree } from '../support/temp.ts';
import { showsRow } from '../ui/support/rowsOf.ts';
import { Workbench } from '../ui/support/workbench.ts';
import { launchChromium } from '../vscode/chromium.ts';
import { type CodeServer, startCodeServer } from '../vscode/codeServer.ts';
import { npmVsCode } from '../vscode/install.ts';
import { runTool } from '../vscode/runTool.ts';
import { workbenchUrl } from '../vscode/workbenchUrl.ts';
import { createWorkspace } from '../vscode/workspaceFile.ts';

// `npm start` packages the extension, installs it into a real VS Code, and opens a demo workspace:
// in the desktop editor when there is one, else in the VS Code that npm carries, served on localhost.
const usage = `Usage: npm start [-- --check] [--packaged]

Opens a demo workspace in an editor with the extension.
  --check     only looks whether it has the extension, and ends with 0 or 1
  --packaged  uses the package that is there`;

const root = join(import.meta.dirname, '..', '..');
const vsix = join(root, 'dist', 'mcp-roots.vsix');
const demo = join(root, '.vscode-test', 'demo');
// Always the same one, if it is free: a browser keeps the editor's state by address.
const preferredPort = 4173;

/** The demo workspace. */
const files = {
  'api/README.md': '# API\n\nServes the web shop.\n',
  'api/src/server.ts': "export const port = Number(process.env['PORT'] ?? 8080);\n",
  'web/README.md': '# Web\n\nThe shop as its customers see it.\n',
  'web/index.html': '<!doctype html>\n<title>Shop</title>\n<h1>Shop</h1>\n',
};

const values = wanted();
if (!values || values.help) {
  console.log(usage);
  process.exit(values ? 0 : 2);
}

if (!values.packaged) {
  console.log('Packaging the extension …');
  await runTool('npm', ['run', 'package'], root);
}

if (values.check) {
  await runCheck();
} else if (hasDesktopCode()) {
  await openDesktopCode(vsix, demoWorkspace());
  console.log('VS Code is open, with the extension and the demo workspace.');
} else {
  await serve();
}

function wanted() {
  const option = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ options: { check: option, packaged: option, help: option } }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** Opens what `npm start` opens, without a person. What can be done there is for the tests of the workbench. */
async function runCheck(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-roots-check-'));
  const server = await startServer(join(folder, 'editor'), 0);
  const browser = await launchChromium();
  try {
    const workspace = createDemo(join(folder, 'demo'));
    const workbench = await Workbench.open(browser, server, { workspace });
    await workbench.openContainer('MCP Roots');
    await showsRow(workbench.view('Servers'), 'MCP Roots Server: stopped');
    await workbench.close();
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function serve(): Promise<void> {
  const folder = join(root, '.vscode-test', 'demo-editor');
  const server = await startServer(folder, await freePort(preferredPort), {
    // As it is where somebody installs it.
    'mcpRoots.bundledServer.sandbox': 'auto',
  });
  console.log(`VS Code is at ${workbenchUrl(server, { workspace: demoWorkspace() })}`);
  console.log('Open it in a browser on this machine. Ctrl+C ends it.');
  await new Promise<void>(resolve => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await server.stop();
}

async function startServer(folder: string, port: number, settings = {}): Promise<CodeServer> {
  return startCodeServer({
    code: await npmVsCode('newest'),
    folder,
    port,
    extensions: [vsix],
    settings: { 'mcpRoots.trace': true, ...settings },
  });
}

/** The demo workspace keeps the user's changes until its folder is deleted. */
function demoWorkspace(): string {
  const file = join(demo, 'demo.code-workspace');
  return existsSync(file) ? file : createDemo(demo);
}

/** Makes a small workspace of two folders, `api` and `web`, anew. Returns its file. */
function createDemo(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  writeTree(folder, files);
  return createWorkspace(folder, ['api', 'web']);
}

/** Whether the desktop editor is on this machine, with a screen to open it on. */
function hasDesktopCode(): boolean {
  const { platform, env } = process;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    return false;
  }
  try {
    execFileSync('code', ['--version'], { stdio: 'ignore', shell: platform === 'win32' });
    return true;
  } catch {
    return false;
  }
}

/** Installs the extension into the desktop editor, and opens the workspace there. */
async function openDesktopCode(vsix: string, workspace: string): Promise<void> {
  await runTool('code', ['--install-extension', vsix, '--force']);
  await runTool('code', ['--new-window', workspace]);
}

/** `wanted` when nothing on this machine listens there, else 0, which means any free port. */
async function freePort(wanted: number): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(wanted, '127.0.0.1'), 'listening');
    return wanted;
  } catch {
    return 0;
  } finally {
    probe.close();
  }
}

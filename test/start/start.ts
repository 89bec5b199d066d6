import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CodeServer, startCodeServer } from '../vscode/codeServer.ts';
import { freePort } from '../vscode/freePort.ts';
import { npmVsCode } from '../vscode/install.ts';
import { runTool } from '../vscode/runTool.ts';
import { workbenchUrl } from '../vscode/workbenchUrl.ts';
import { check } from './check.ts';
import { createDemo } from './demo.ts';
import { hasDesktopCode, openDesktopCode } from './desktop.ts';

// `npm start` packages the extension, installs it into a real VS Code, and opens a demo workspace:
// in the desktop editor when there is one, else in the VS Code that npm carries, served on localhost.
const usage = `Usage: npm start [-- --check] [--packaged]

Opens a demo workspace in an editor with the extension.
  --check     does the main job there without a person, and ends with 0 or 1
  --packaged  uses the package that is there`;

const root = join(import.meta.dirname, '..', '..');
const vsix = join(root, 'dist', 'mcp-roots.vsix');
const demo = join(root, '.vscode-test', 'demo');
// Always the same one, if it is free: a browser keeps the editor's state by address.
const preferredPort = 4173;

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

async function runCheck(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-roots-check-'));
  const server = await startServer(join(folder, 'editor'), 0);
  try {
    const isGood = await check(server, createDemo(join(folder, 'demo')));
    process.exitCode = isGood ? 0 : 1;
  } finally {
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

/** What a person did to the demo workspace stays until its folder is deleted. */
function demoWorkspace(): string {
  const file = join(demo, 'demo.code-workspace');
  return existsSync(file) ? file : createDemo(demo);
}

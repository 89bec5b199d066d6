#!/usr/bin/env node
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { patience } from '../support/patience.ts';
import { launchChromium } from './chromium.ts';
import { type CodeServer, startCodeServer } from './codeServer.ts';
import { npmVsCode } from './install.ts';
import { workbenchUrl } from './workbenchUrl.ts';

// A stand-in for the `code` executable, for `runTests({ vscodeExecutablePath })`: it runs extension
// tests in the VS Code that npm carries, and ends with their exit code. MCP_ROOTS_VSCODE=floor takes
// the oldest supported release instead of the newest, MCP_ROOTS_TRUST=ask starts in Restricted Mode.

// The lines that the workbench logs at every start.
const chatter = [
  'Resolving connection token',
  'Resolved connection token',
  'Creating a socket',
  'Ignoring fetching additional builtin extensions',
  'Updating additional builtin extensions',
  'ChatSessionStore: ',
  'No default agent contributed',
  'Canceled: ',
  '[reconnection-grace-time]',
  '[Service Worker]',
  '[AgentHost:remote]',
  '[AccountPolicyGate]',
];

// For tests that hang. Others take three minutes, on a busy machine over six.
const limit = 20 * 60_000;
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

let end: (exitCode: number) => void = () => {};
const exitCode = new Promise<number>(resolve => {
  end = resolve;
});
for (const [signal, number] of Object.entries(signals)) {
  process.once(signal, () => end(128 + number));
}
setTimeout(() => {
  console.error(`The tests did not end within ${limit / 60_000} minutes.`);
  end(1);
}, limit);

const folder = mkdtempSync(join(tmpdir(), 'mcp-roots-code-'));
let server: CodeServer | undefined;
let browser: Browser | undefined;
try {
  const args = parseCodeArguments(process.argv.slice(2));
  [server, browser] = await Promise.all([startServer(args), launchChromium()]);
  await openTests(args, server, browser);
  process.exitCode = await exitCode;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// The page goes first: it tells the extension host that the window closes, so extensions deactivate.
await browser?.close();
await server?.stop();
// Processes of the server may still write there while they end.
await rm(folder, { recursive: true, force: true, maxRetries: 20 });
process.exit();

async function startServer({ extensionDevelopmentPaths }: CodeArguments): Promise<CodeServer> {
  const release = process.env['MCP_ROOTS_VSCODE'] === 'floor' ? 'floor' : 'newest';
  return startCodeServer({
    code: await npmVsCode(release),
    folder,
    asksForTrust: process.env['MCP_ROOTS_TRUST'] === 'ask',
    runsTests: true,
    isSlim: true,
    // A page in a browser takes one extension that is under development.
    added: extensionDevelopmentPaths.slice(1),
    home: join(folder, 'home'),
  });
}

/** Opens the window for the tests; they end when the extension host exits. */
async function openTests(
  { extensionDevelopmentPaths, extensionTestsPath, workspace }: CodeArguments,
  server: CodeServer,
  browser: Browser,
): Promise<void> {
  // Nobody looks at it: hidden parts are not drawn.
  const viewport = { width: 400, height: 300 };
  const page = await browser.newPage({ serviceWorkers: 'block', viewport });
  page.setDefaultTimeout(patience);
  page.on('crash', () => end(1));
  page.on('pageerror', error => console.error(error));
  await page.exposeFunction('codeAutomationLog', printConsole);
  await page.exposeFunction('codeAutomationExit', (code: number) => end(code));
  const remote = (path: string) => `vscode-remote://${server.authority}${path}`;
  const payload = [
    ...extensionDevelopmentPaths
      .slice(0, 1)
      .map(path => ['extensionDevelopmentPath', remote(path)] as const),
    ['extensionTestsPath', remote(extensionTestsPath)],
    ['skipWelcome', 'true'],
  ] as const;
  await page.goto(workbenchUrl(server, { workspace, payload }));
}

/** Prints the log of the extension host, which comes mixed with the workbench's messages. */
function printConsole(level: 'log' | 'info' | 'warn' | 'error', args: unknown[]): void {
  const message = String(args[0]);
  if (!chatter.some(start => message.startsWith(start))) {
    console[level](...args);
  }
}

/** The options of VS Code's command line that the launcher understands. */
interface CodeArguments {
  readonly extensionDevelopmentPaths: readonly string[];
  readonly extensionTestsPath: string;
  /** Absolute path of a folder or a `.code-workspace` file; an empty window when undefined. */
  readonly workspace?: string;
}

/**
 * Reads the command line that `@vscode/test-electron` writes. Skips flags without a meaning for a
 * server, such as `--no-sandbox`.
 *
 * @throws when no tests are named: this launcher does nothing else.
 */
function parseCodeArguments(args: readonly string[]): CodeArguments {
  const extensionTestsPath = valuesOf(args, 'extensionTestsPath').at(-1);
  if (!extensionTestsPath) {
    throw new Error('This launcher runs extension tests: pass --extensionTestsPath=<path>.');
  }
  const workspace = args.find(arg => !arg.startsWith('-'));
  return {
    extensionDevelopmentPaths: valuesOf(args, 'extensionDevelopmentPath'),
    extensionTestsPath,
    workspace: workspace && resolve(workspace),
  };
}

function valuesOf(args: readonly string[], name: string): string[] {
  const prefix = `--${name}=`;
  return args.filter(arg => arg.startsWith(prefix)).map(arg => arg.slice(prefix.length));
}

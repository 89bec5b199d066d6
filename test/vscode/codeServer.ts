import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { NpmVsCode } from './install.ts';
import { runTool } from './runTool.ts';

/** The options for the start of a VS Code server. */
export interface CodeServerOptions {
  readonly code: NpmVsCode;
  /** Where it keeps settings, logs and extensions. Used again, it finds them again. */
  readonly folder: string;
  /** A free port is taken when none is named. The editor's state in the browser hangs on the port. */
  readonly port?: number;
  /** Whether folders start in Restricted Mode until the user trusts them. */
  readonly asksForTrust?: boolean;
  /** Whether a page may run extension tests in this server. */
  readonly runsTests?: boolean;
  /** User settings, on top of ours for a quiet editor. Left alone in a folder that has some. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** VSIX files to install before the start. */
  readonly extensions?: readonly string[];
  /** Whether it leaves out the built-in extensions that the tests do not need. */
  readonly isSlim?: boolean;
  /** More folders of extensions for a slim server. */
  readonly added?: readonly string[];
  /** The home of its user, created if missing. Left out: our user's home. */
  readonly home?: string;
}

/** A running VS Code server. */
export interface CodeServer {
  /** `127.0.0.1:<port>`: the address in URLs, and the authority of its `vscode-remote:` URIs. */
  readonly authority: string;
  /** Without it, others on this machine cannot use the server. */
  readonly token: string;
  /** Ends it with every process in its group. Close its pages first, so that extensions deactivate. */
  stop(): Promise<void>;
}

const startTimeout = 60_000;

// The hundred others take a quarter of the processor time of a start.
const neededExtensions = [
  ...['configuration-editing', 'json', 'json-language-features'],
  ...['git', 'git-base', 'markdown-basics', 'markdown-language-features'],
  ...['theme-defaults', 'theme-seti'],
];

/** Installs the extensions, starts the server, and returns when it answers. */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const { code, folder, home } = options;
  // Git starts a program for each folder that is added: half the time of the extension host.
  const slim = options.isSlim ? { 'git.enabled': false } : {};
  writeSettings(folder, { ...slim, ...options.settings });
  const folders = ['--server-data-dir', folder, '--extensions-dir', join(folder, 'extensions')];
  for (const vsix of options.extensions ?? []) {
    const install = [code.serverMain, ...folders, '--install-extension', vsix, '--force'];
    await runTool(code.node, install);
  }
  const tokenFile = join(folder, 'token');
  const token = readOrMakeToken(tokenFile);
  const flags = [...folders, '--connection-token-file', tokenFile, ...serverFlags(options)];
  const command = [code.node, code.serverMain, ...flags];
  const guard = spawn(process.execPath, [join(import.meta.dirname, 'guard.ts'), ...command], {
    detached: true,
    env: serverEnvironment(home),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return {
    authority: `127.0.0.1:${await readPort(guard)}`,
    token,
    stop: () => stop(guard),
  };
}

/** The token stays the same for a folder, so that a browser which knows it may come back. */
function readOrMakeToken(file: string): string {
  if (!existsSync(file)) {
    writeFileSync(file, randomUUID(), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

/** A folder with links to the built-in extensions that are needed. */
function builtInExtensions({ code, folder, added = [] }: CodeServerOptions): string {
  const all = join(dirname(code.serverMain), '..', 'extensions');
  const needed = join(folder, 'built-in');
  if (!existsSync(needed)) {
    mkdirSync(needed);
    for (const path of [...neededExtensions.map(name => join(all, name)), ...added]) {
      symlinkSync(path, join(needed, basename(path)), 'junction');
    }
  }
  return needed;
}

function serverFlags(options: CodeServerOptions): string[] {
  const { port = 0, asksForTrust, runsTests, isSlim } = options;
  return [
    ...['--host', '127.0.0.1', '--port', String(port)],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    // The environment is ours as it stands: a login shell would be slow and could change it.
    '--force-disable-user-env',
    // Nothing is far away here, and it takes three processes their time.
    '--disable-websocket-compression',
    ...(asksForTrust ? [] : ['--disable-workspace-trust']),
    ...(isSlim ? ['--builtin-extensions-dir', builtInExtensions(options)] : []),
    ...(runsTests ? ['--enable-smoke-test-driver'] : []),
  ];
}

function serverEnvironment(home: string | undefined): NodeJS.ProcessEnv {
  if (home !== undefined) {
    mkdirSync(home, { recursive: true });
  }
  // Variables that the test runner's Node set for itself must not reach the editor's Nodes. A
  // bundled server there would take those of the tests' launcher for options.
  const isOurs = (name: string) => /^(?:NODE_OPTIONS|NODE_TEST_CONTEXT|MCP_ROOTS_.*)$/.test(name);
  const inherited = Object.entries(process.env).filter(([name]) => !isOurs(name));
  // No marketplace: the server must look up nothing outside this machine.
  return {
    ...Object.fromEntries(inherited),
    ...(home !== undefined && { HOME: home, USERPROFILE: home }),
    EXTENSIONS_GALLERY: '{}',
  };
}

function writeSettings(folder: string, settings: Readonly<Record<string, unknown>>): void {
  const quiet = {
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    'workbench.reduceMotion': 'on',
    // A click on an open part leaves it open: a window may have restored its state already.
    'workbench.activityBar.iconClickBehavior': 'focus',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'extensions.ignoreRecommendations': true,
    'security.workspace.trust.startupPrompt': 'never',
    'chat.disableAIFeatures': true,
    // Else its windows would be others where this machine has bubblewrap.
    'mcpRoots.bundledServer.sandbox': 'off',
  };
  const file = join(folder, 'data', 'User', 'settings.json');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...quiet, ...settings }, undefined, 2));
  }
}

function readPort(guard: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (what: string) =>
      reject(new Error(`The VS Code server ${what}. It said:\n${said}`));
    const timer = setTimeout(() => {
      guard.stdin?.end();
      fail(`did not start in ${startTimeout / 1000} s`);
    }, startTimeout);
    const read = (chunk: Buffer) => {
      said += chunk;
      const port = /Extension host agent listening on (\d+)/.exec(said)?.[1];
      if (port) {
        clearTimeout(timer);
        guard.stdout?.off('data', read).resume();
        guard.stderr?.off('data', read).resume();
        resolve(Number(port));
      }
    };
    guard.stdout?.on('data', read);
    guard.stderr?.on('data', read);
    guard.once('close', () => {
      clearTimeout(timer);
      fail('ended before it was ready');
    });
  });
}

async function stop(guard: ChildProcess): Promise<void> {
  if (guard.exitCode === null && guard.signalCode === null) {
    const gone = once(guard, 'exit');
    guard.stdin?.end();
    await gone;
  }
}

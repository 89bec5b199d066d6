import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import {
  type ClientKind,
  connect,
  rootOf,
  serverMain,
  type TestClient,
  type ToolResult,
} from './bundledServer.ts';
import { writeConfig } from './hub.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';
import { tempFolder } from './temp.ts';

/** A hub that runs as a process of its own and serves any number of clients over HTTP. */
export interface HubService {
  readonly url: string;
  readonly process: ChildProcess;
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  readonly token: string;
  /** All that it wrote to stderr. */
  stderr(): string;
  /** The text of its audit. */
  audit(): string;
}

/** A session of a client, which shares these folders with the hub. */
export interface HubClient extends TestClient {
  /** Shares others from now on, of which a legacy session is told. */
  setRoots(folders: readonly string[]): Promise<void>;
  /** Calls a tool of a server behind the hub. */
  through(server: string, tool: string, args?: object): Promise<ToolResult>;
}

/** Starts a hub with a token and an audit. It ends before the servers behind it are looked at. */
export async function startHubService(t: TestContext, config: object): Promise<HubService> {
  const auditFile = join(tempFolder(t), 'audit.jsonl');
  const token = 'tok-of-the-test';
  const args = ['--config', writeConfig(t, config), '--audit', auditFile, '--http', '0'];
  const child = spawn(process.execPath, [serverMain, ...args, '--token-env', 'HUB_TOKEN'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HUB_TOKEN: token },
  });
  const exited = once(child, 'exit') as unknown as HubService['exited'];
  atEnd(t, async () => {
    child.kill('SIGTERM');
    if ((await within(exited, patience, 'late')) === 'late') {
      child.kill('SIGKILL');
      throw new Error('The hub does not end.');
    }
  });
  let text = '';
  child.stderr.on('data', chunk => {
    text += chunk;
  });
  for (;;) {
    const [url] = /http:\S+\/mcp/.exec(text) ?? [];
    if (url) {
      const stderr = () => text;
      const audit = () => readFileSync(auditFile, 'utf8');
      return { url, process: child, exited, token, stderr, audit };
    }
    const ended = exited.then(() => 'ended');
    const more = await within(Promise.race([once(child.stderr, 'data'), ended]), patience, 'late');
    if (typeof more === 'string') {
      throw new Error(`The hub does not start (${more}): ${text}`);
    }
  }
}

/** Connects a client to the hub, as one session. */
export async function joinHub(
  t: TestContext,
  { url, token }: HubService,
  kind: ClientKind,
  folders: readonly string[],
): Promise<HubClient> {
  const headers = { Authorization: `Bearer ${token}` };
  const roots = folders.map(folder => rootOf(folder));
  const client = await connect(t, kind, { roots, http: { url, headers } });
  return Object.assign(client, {
    async setRoots(others: readonly string[]) {
      client.roots = others.map(folder => rootOf(folder));
      await client.notify();
    },
    through: (serverName: string, toolName: string, toolArgs: object = {}) =>
      client.call('call-tool', { serverName, toolName, toolArgs }),
  });
}

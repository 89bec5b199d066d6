import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import { type ClientKind, rootOf, serverMain, type ToolResult } from './bundledServer.ts';
import { openSdk1, openSdk2, type StdioClient, type StdioClientOptions } from './hubClients.ts';
import { atEnd } from './processes.ts';
import { tempFolder } from './temp.ts';
import type { Era } from './wire.ts';

/** How to start the hub, and what its client is. */
export interface HubOptions {
  /** What the configuration file holds: a value that is written as JSON, or its very text. */
  readonly config: object | string;
  /** The folders that the client serves as its roots; left out: a client without the capability. */
  readonly roots?: readonly string[];
  /** Further arguments of the hub. */
  readonly args?: readonly string[];
  /** What the client declares besides roots. */
  readonly capabilities?: Readonly<Record<string, object>>;
  /** Another file of the server. */
  readonly main?: string;
  /** A program that starts it, with the arguments before its own. */
  readonly starter?: readonly string[];
  /** Where hubs keep what they know of this machine; left out: somewhere for this one alone. */
  readonly cache?: string;
}

/** A server as `list-servers` tells of it. */
export interface ListedServer {
  readonly refused?: readonly object[];
  readonly name: string;
  readonly state: string;
  readonly tools?: number | readonly string[];
  readonly rootsReachIt?: unknown;
  readonly problem?: string;
  readonly sandbox?: {
    readonly network: boolean;
    readonly missedPath?: string;
    readonly lacksBrowser?: true;
  };
}

/** What `list-servers` answers with. */
export interface ListedServers {
  readonly servers: readonly ListedServer[];
  readonly problems: readonly string[];
}

/** A tool as `list-tools` tells of it. */
export interface ListedTool {
  readonly serverName: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
}

/** A hub that runs as a process of its own, and a client of it. */
export interface Hub<C = unknown> {
  /** The client of the SDK itself, for what is not offered here. */
  readonly client: C;
  readonly pid: number;
  readonly stderr: readonly string[];
  readonly configFile: string;
  /** How often the client was asked for its roots. */
  timesAsked(): number;
  /** Serves other folders from now on, of which a legacy connection is told. */
  setRoots(folders: readonly string[]): Promise<void>;
  /** Writes another configuration into the file. */
  edit(config: object | string): void;
  /** Calls a tool of a server behind the hub. */
  call(server: string, tool: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** Calls a tool of the hub itself. */
  callOwn(tool: string, args?: Record<string, unknown>): Promise<ToolResult>;
  listServers(): Promise<ListedServers>;
  listTools(of?: {
    readonly serverName?: string;
    readonly search?: string;
  }): Promise<readonly ListedTool[]>;
  /** Ends the hub by the end of its input. */
  close(): Promise<void>;
}

/** Starts the hub with a client of the newer SDK; both end with the test. */
export function startHub(
  t: Pick<TestContext, 'after'>,
  { era, ...options }: HubOptions & { readonly era: Era },
): Promise<Hub<ClientOfSdk2>> {
  return start(t, options, launch => openSdk2(era, launch));
}

/** The same with any of the clients that are not ours. */
export function startHubFor(
  t: Pick<TestContext, 'after'>,
  kind: ClientKind,
  options: HubOptions,
): Promise<Hub> {
  return kind === 'SDK 1 (legacy)'
    ? start(t, options, openSdk1)
    : startHub(t, { ...options, era: kind === 'SDK 2 (modern)' ? 'modern' : 'legacy' });
}

/** Writes the configuration where nothing else is; answers with the file. */
export function writeConfig(t: Pick<TestContext, 'after'>, config: object | string): string {
  const file = join(tempFolder(t), 'servers.json');
  writeFileSync(file, textOf(config));
  return file;
}

async function start<C>(
  t: Pick<TestContext, 'after'>,
  { config, args = [], cache, capabilities, main, roots, starter = [] }: HubOptions,
  open: (options: StdioClientOptions) => Promise<StdioClient<C>>,
): Promise<Hub<C>> {
  const configFile = writeConfig(t, config);
  let folders = roots ?? [];
  let asked = 0;
  const answer = () => {
    asked += 1;
    return folders.map(folder => rootOf(folder));
  };
  const hub = [process.execPath, main ?? serverMain, '--config', configFile, ...args];
  const [command = '', ...rest] = [...starter, ...hub];
  const opened = await open({
    command,
    args: rest,
    env: { XDG_CACHE_HOME: cache ?? tempFolder(t) },
    ...(capabilities && { capabilities }),
    ...(roots && { roots: answer }),
  });
  atEnd(t, () => opened.close());
  const { call: callOwn } = opened;
  return {
    client: opened.client,
    pid: opened.pid,
    stderr: opened.stderr,
    configFile,
    timesAsked: () => asked,
    setRoots: async others => {
      folders = others;
      await opened.notify();
    },
    edit: changed => writeFileSync(configFile, textOf(changed)),
    call: (serverName, toolName, toolArgs = {}) =>
      callOwn('call-tool', { serverName, toolName, toolArgs }),
    callOwn,
    listServers: async () => structured<ListedServers>(await callOwn('list-servers')),
    listTools: async (of = {}) =>
      structured<{ readonly tools: readonly ListedTool[] }>(await callOwn('list-tools', { ...of }))
        .tools,
    close: opened.close,
  };
}

/** @throws when the tool refuses: what it says then is not what was asked for. */
function structured<T>({ content, structuredContent, isError }: ToolResult): T {
  if (isError || !structuredContent) {
    throw new Error(`The hub has refused: ${content[0]?.text}`);
  }
  return structuredContent as unknown as T;
}

function textOf(config: object | string): string {
  return typeof config === 'string' ? config : JSON.stringify(config, undefined, 2);
}

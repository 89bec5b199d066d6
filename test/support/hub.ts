import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import { type ClientKind, rootOf, serverMain, type ToolResult } from './bundledServer.ts';
import { openSdk1, openSdk2, type StdioClient, type StdioClientOptions } from './hubClients.ts';
import { atEnd } from './processes.ts';
import { tempFolder } from './temp.ts';
import type { Era } from './wire.ts';

/** The options of the hub and its client. */
export interface HubOptions {
  /** The contents of the configuration file: a value to write as JSON, or the text itself. */
  readonly config: object | string;
  /** The folders that the client serves as its roots; left out: a client without the capability. */
  readonly roots?: readonly string[];
  /** Further arguments of the hub. */
  readonly args?: readonly string[];
  /** The client's capabilities besides roots. */
  readonly capabilities?: Readonly<Record<string, object>>;
  /** Another file of the server. */
  readonly main?: string;
  /** A program that starts it, with the arguments before its own. */
  readonly starter?: readonly string[];
  /** The hubs' data folder on this machine; left out: a separate one for this hub. */
  readonly data?: string;
}

/** A server as `list-servers` tells of it. */
export interface ListedServer {
  readonly name: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly state: string;
  readonly tools?: number | readonly string[];
  readonly rootsReachIt?: unknown;
  readonly problem?: string;
  readonly sandbox?: {
    readonly network: boolean;
    readonly missedPath?: string;
    readonly lacks?: string;
  };
}

/** The answer of `list-servers`. */
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

/** A hub in a separate process, and a client of it. */
export type Hub<C = unknown> = Awaited<ReturnType<typeof start<C>>>;

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
  { config, args = [], data, capabilities, main, roots, starter = [] }: HubOptions,
  open: (options: StdioClientOptions) => Promise<StdioClient<C>>,
) {
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
    env: { XDG_DATA_HOME: data ?? tempFolder(t) },
    ...(capabilities && { capabilities }),
    ...(roots && { roots: answer }),
  });
  atEnd(t, () => opened.close());
  const { call: callOwn } = opened;
  return {
    /** The client of the SDK itself, for what is not offered here. */
    client: opened.client,
    pid: opened.pid,
    stderr: opened.stderr,
    configFile,
    /** How often the client was asked for its roots. */
    timesAsked: () => asked,
    /** Serves other folders from now on, with a notice on a legacy connection. */
    setRoots: async (others: readonly string[]) => {
      folders = others;
      await opened.notify();
    },
    /** Writes another configuration into the file. */
    edit: (changed: object | string) => writeFileSync(configFile, textOf(changed)),
    /** Calls a tool of a server behind the hub. */
    call: (serverName: string, toolName: string, toolArgs: Record<string, unknown> = {}) =>
      callOwn('call-tool', { serverName, toolName, toolArgs }),
    /** Calls a tool of the hub itself. */
    callOwn,
    listServers: async () => structured<ListedServers>(await callOwn('list-servers')),
    listTools: async (of: { readonly serverName?: string; readonly search?: string } = {}) =>
      structured<{ readonly tools: readonly ListedTool[] }>(await callOwn('list-tools', { ...of }))
        .tools,
    /** Ends the hub by the end of its input. */
    close: opened.close,
  };
}

/** @throws when the tool refuses, because its answer is not the expected one. */
function structured<T>({ content, structuredContent, isError }: ToolResult): T {
  if (isError || !structuredContent) {
    throw new Error(`The hub has refused: ${content[0]?.text}`);
  }
  return structuredContent as unknown as T;
}

function textOf(config: object | string): string {
  return typeof config === 'string' ? config : JSON.stringify(config, undefined, 2);
}

import { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import {
  StdioClientTransport as StdioOfSdk2,
  type StdioServerParameters,
} from '@modelcontextprotocol/client/stdio';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport as TransportOfSdk1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { TestRoot, ToolResult } from './bundledServer.ts';
import type { Era } from './wire.ts';

/** What a client of one of the SDKs is, once it is connected to a process of its own. */
export interface StdioClient<C> {
  readonly client: C;
  readonly pid: number;
  /** What the process has written to stderr, a line each. */
  readonly stderr: readonly string[];
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  listTools(): Promise<readonly { readonly name: string }[]>;
  /** Tells of changed roots on legacy connections; on modern ones there is nothing to tell. */
  notify(): Promise<void>;
  /** Ends the process as the SDK does: by the end of its input, and then by force. */
  close(): Promise<void>;
}

/** What to start, and what the client declares besides roots. */
export interface StdioClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly capabilities?: Readonly<Record<string, object>>;
  /** Answers `roots/list`; left out: a client without the capability. */
  readonly roots?: () => readonly TestRoot[];
}

const info = { name: 'test', version: '1' };

/** Starts a process and connects a client of the newer SDK to it, in that era alone. */
export async function openSdk2(
  era: Era,
  { command, args, capabilities, roots }: StdioClientOptions,
): Promise<StdioClient<ClientOfSdk2>> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : era;
  const client = new ClientOfSdk2(info, {
    capabilities: { ...capabilities, ...(roots && rootsCapability) },
    versionNegotiation: { mode },
  });
  if (roots) {
    client.setRequestHandler('roots/list', () => ({ roots: [...roots()] }));
  }
  const transport = new OneProcess({ command, args: [...args], stderr: 'pipe' });
  const stderr = linesOf(transport.stderr);
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr,
    call: async (name, values = {}) =>
      (await client.callTool({ name, arguments: values })) as unknown as ToolResult,
    listTools: async () => (await client.listTools()).tools,
    notify: async () => (era === 'legacy' ? client.sendRootsListChanged() : undefined),
    close: () => client.close(),
  };
}

/** The same with the older SDK. */
export async function openSdk1({
  command,
  args,
  capabilities,
  roots,
}: StdioClientOptions): Promise<StdioClient<ClientOfSdk1>> {
  const client = new ClientOfSdk1(info, {
    capabilities: { ...capabilities, ...(roots && rootsCapability) },
  });
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...roots()] }));
  }
  const transport = new StdioOfSdk1({ command, args: [...args], stderr: 'pipe' });
  const stderr = linesOf(transport.stderr);
  await client.connect(transport as TransportOfSdk1);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr,
    call: async (name, values = {}) =>
      (await client.callTool({ name, arguments: values })) as unknown as ToolResult,
    listTools: async () => (await client.listTools()).tools,
    notify: () => client.sendRootsListChanged(),
    close: () => client.close(),
  };
}

const rootsCapability = { roots: { listChanged: true } };

/** The SDK asks a second process first which revision it speaks, unless the class is another. */
class OneProcess extends StdioOfSdk2 {
  constructor(parameters: StdioServerParameters) {
    super(parameters);
  }
}

/** The lines of a stream, as they come; read from the start, so that it never fills up. */
function linesOf(stream: StdioOfSdk1['stderr']): readonly string[] {
  const lines: string[] = [];
  let rest = '';
  stream?.on('data', (chunk: Buffer) => {
    const pieces = (rest + chunk.toString()).split('\n');
    rest = pieces.pop() ?? '';
    lines.push(...pieces);
  });
  return lines;
}

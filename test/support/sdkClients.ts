import { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport as HttpOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportOfSdk1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { TestRoot, ToolResult } from './bundledServer.ts';
import type { Era } from './wire.ts';

/** A connected client of an SDK. */
export interface SdkClient<C> {
  /** The client itself, for what is not offered here. */
  readonly client: C;
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  listTools(): Promise<readonly { readonly name: string }[]>;
  /** Tells of changed roots on legacy connections; on modern ones there is nothing to tell. */
  notify(): Promise<void>;
  /** Ends the connection, and a process that it started, as the SDK does. */
  close(): Promise<void>;
}

/** The client's name and version for the server. */
export interface SdkClientOptions {
  /** Its capabilities besides roots. */
  readonly capabilities?: Readonly<Record<string, object>>;
  /** Answers `roots/list`, and may throw; left out: a client without the capability. */
  readonly roots?: () => readonly TestRoot[];
}

const info = { name: 'test', version: '1' };

/** Connects a client of the newer SDK, in that era alone. */
export async function openClientOfSdk2(
  era: Era,
  transport: Parameters<ClientOfSdk2['connect']>[0],
  options: SdkClientOptions,
): Promise<SdkClient<ClientOfSdk2>> {
  const { roots } = options;
  const client = new ClientOfSdk2(info, {
    capabilities: declared(options),
    versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : era },
  });
  if (roots) {
    client.setRequestHandler('roots/list', () => ({ roots: [...roots()] }));
  }
  await client.connect(transport);
  return {
    ...commonPart(client),
    notify: async () => (era === 'legacy' ? client.sendRootsListChanged() : undefined),
  };
}

/** The same with the older SDK, which knows the legacy era alone. */
export async function openClientOfSdk1(
  transport: StdioOfSdk1 | HttpOfSdk1,
  options: SdkClientOptions,
): Promise<SdkClient<ClientOfSdk1>> {
  const { roots } = options;
  const client = new ClientOfSdk1(info, { capabilities: declared(options) });
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...roots()] }));
  }
  await client.connect(transport as TransportOfSdk1);
  return { ...commonPart(client), notify: () => client.sendRootsListChanged() };
}

function declared({ capabilities, roots }: SdkClientOptions): object {
  return { ...capabilities, ...(roots && { roots: { listChanged: true } }) };
}

/** The common part of both SDKs. */
function commonPart<C extends ClientOfSdk1 | ClientOfSdk2>(
  client: C,
): Omit<SdkClient<C>, 'notify'> {
  return {
    client,
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}

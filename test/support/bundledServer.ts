import type { TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StreamableHTTPClientTransport as HttpOfSdk2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOfSdk2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LineProcess } from './lineProcess.ts';
import { atEnd } from './processes.ts';
import {
  openClientOfSdk1,
  openClientOfSdk2,
  type SdkClient,
  type SdkClientOptions,
} from './sdkClients.ts';
import { reasonOf } from './writing.ts';

/** The bundled server, as it is shipped: `npm run build` makes it from `src`. */
export const serverMain = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** Clients that are not ours: of the older protocol, and of both with the newer SDK. */
export const clients = ['SDK 1 (legacy)', 'SDK 2 (legacy)', 'SDK 2 (modern)'] as const;
export type ClientKind = (typeof clients)[number];

export interface TestRoot {
  readonly uri: string;
  readonly name?: string;
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** The texts of a result, a line each. */
export function textOf({ content }: Pick<ToolResult, 'content'>): string {
  return content.map(({ text }) => text).join('\n');
}

/** The key of the reason for a refusal; `done` if the call passed. */
export function refusedFor({ isError, content }: ToolResult): string {
  return isError ? reasonOf({ message: content[0]?.text ?? '' }) : 'done';
}

/** A client that is connected to a separate server process. */
export interface TestClient extends Omit<SdkClient<unknown>, 'client'> {
  /** The answer to the next `roots/list`; a function may throw. */
  roots: readonly TestRoot[] | (() => readonly TestRoot[]);
  readonly timesAsked: () => number;
}

export interface ConnectOptions {
  /** Left out: a client without the capability. */
  readonly roots?: TestClient['roots'];
  readonly args?: readonly string[];
  /** Left out: a separate server process, over stdio. */
  readonly http?: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
}

/** Connects a client to a server, which it starts unless there is one; both end with the test. */
export async function connect(
  t: Pick<TestContext, 'after'>,
  kind: ClientKind,
  { roots, args = [], http }: ConnectOptions,
): Promise<TestClient> {
  let asked = 0;
  const answer = () => {
    asked += 1;
    return typeof client.roots === 'function' ? client.roots() : client.roots;
  };
  const sdkClient = await open(roots === undefined ? {} : { roots: answer });
  const client: TestClient = { ...sdkClient, roots: roots ?? [], timesAsked: () => asked };
  atEnd(t, () => client.close());
  return client;

  function open(options: SdkClientOptions): Promise<SdkClient<unknown>> {
    const command = process.execPath;
    const launch = { command, args: [serverMain, ...args], stderr: 'ignore' as const };
    const requestInit = { headers: { ...http?.headers } };
    if (kind === 'SDK 1 (legacy)') {
      const transport = http
        ? new HttpOfSdk1(new URL(http.url), { requestInit })
        : new StdioOfSdk1(launch);
      return openClientOfSdk1(transport, options);
    }
    const transport = http
      ? new HttpOfSdk2(new URL(http.url), { requestInit })
      : new StdioOfSdk2(launch);
    return openClientOfSdk2(kind === 'SDK 2 (modern)' ? 'modern' : 'legacy', transport, options);
  }
}

/** The root of a folder, named as given. */
export function rootOf(folder: string, name?: string): TestRoot {
  return { uri: pathToFileURL(folder).href, ...(name !== undefined && { name }) };
}

/** A JSON-RPC message; every part is looked at by the tests themselves. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: ToolResult & Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server process; a test speaks to it byte by byte. */
export class RawSession extends LineProcess {
  private readonly received: Message[] = [];

  constructor(t: Pick<TestContext, 'after'>, args: readonly string[] = []) {
    // In a separate process group, which a test may kill.
    const detached = process.platform !== 'win32';
    const start = { command: process.execPath, args: [serverMain, ...args], detached };
    super(t, start, line => this.received.push(JSON.parse(line)));
  }

  /** Sends all of it in one write, so that the server gets it in one piece. */
  send(...messages: readonly object[]): void {
    const lines = messages.map(message => JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.process.stdin.write(`${lines.join('\n')}\n`);
  }

  /** Takes the next message that fits from the received ones. */
  next(fits: (message: Message) => boolean): Promise<Message> {
    return this.found(String(fits), () => {
      const index = this.received.findIndex(fits);
      return index < 0 ? undefined : this.received.splice(index, 1)[0];
    });
  }

  answerTo(id: number): Promise<Message> {
    return this.next(message => message.id === id && message.method === undefined);
  }

  rootsRequest(): Promise<Message> {
    return this.next(message => message.method === 'roots/list');
  }

  /** The handshake of the older protocol, as a client with these capabilities. */
  async initialize(capabilities: object = { roots: { listChanged: true } }): Promise<void> {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo };
    this.send({ id: 1, method: 'initialize', params });
    await this.answerTo(1);
    this.send({ method: 'notifications/initialized' });
  }
}

/** A call of a tool, to be sent. */
export function toolCall(id: number, name: string, args: Record<string, unknown> = {}): object {
  return { id, method: 'tools/call', params: { name, arguments: args } };
}

import type { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import {
  StdioClientTransport as StdioOfSdk2,
  type StdioServerParameters,
} from '@modelcontextprotocol/client/stdio';
import type { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  openClientOfSdk1,
  openClientOfSdk2,
  type SdkClient,
  type SdkClientOptions,
} from './sdkClients.ts';
import type { Era } from './wire.ts';

/** A client of an SDK that is connected to a separate process. */
export interface StdioClient<C> extends SdkClient<C> {
  readonly pid: number;
  /** The stderr of the process, line by line. */
  readonly stderr: readonly string[];
}

/** The command to start, and the client's options. */
export interface StdioClientOptions extends SdkClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Besides the variables that the SDKs pass on. */
  readonly env?: Record<string, string>;
}

/** Starts a process and connects a client of the newer SDK to it, in that era alone. */
export async function openSdk2(
  era: Era,
  options: StdioClientOptions,
): Promise<StdioClient<ClientOfSdk2>> {
  const transport = new OneProcess(processOf(options));
  const stderr = linesOf(transport.stderr);
  const opened = await openClientOfSdk2(era, transport, options);
  return { ...opened, pid: transport.pid ?? 0, stderr };
}

/** The same with the older SDK. */
export async function openSdk1(options: StdioClientOptions): Promise<StdioClient<ClientOfSdk1>> {
  const transport = new StdioOfSdk1(processOf(options));
  const stderr = linesOf(transport.stderr);
  const opened = await openClientOfSdk1(transport, options);
  return { ...opened, pid: transport.pid ?? 0, stderr };
}

/** The SDK asks a second process first which revision it speaks, unless the class is another. */
class OneProcess extends StdioOfSdk2 {
  constructor(parameters: StdioServerParameters) {
    super(parameters);
  }
}

function processOf({ command, args, env = {} }: StdioClientOptions): StdioServerParameters {
  return { command, args: [...args], env, stderr: 'pipe' };
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

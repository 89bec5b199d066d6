import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Message } from './bundledServer.ts';
import {
  askingServer as askingProgram,
  faultyServer,
  modernServer,
  type OddServerOptions,
  oddServer,
  programEnv,
  type RawServerOptions,
  type RecordingServer,
  rawServer,
  rootlessServer,
  tappedServer,
} from './recordingServer.ts';

/** A server for a hub's configuration, which records what it gets. */
export interface HubServer {
  /** Its entry in the configuration. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The tools it was called for with their arguments, by whichever of its processes. */
  readonly heard: () => readonly { readonly tool: string; readonly args: unknown }[];
  readonly recorded: RecordingServer;
}

/** The reference server for files: of the older revisions, and it asks for roots unprompted. */
export function filesystemServer(t: TestContext): HubServer {
  return entry(tappedServer(t, packaged('@modelcontextprotocol/server-filesystem')));
}

/** The reference server with a tool for each thing in the protocol. */
export function everythingServer(t: TestContext): HubServer {
  return entry(tappedServer(t, packaged('@modelcontextprotocol/server-everything')));
}

/** A server of the newest revision, and of no other: it asks for roots inside of a call. */
export function newestServer(t: TestContext): HubServer {
  // Without a probe: to it, a process that gets no processor for some seconds seems to be of the
  // older revisions, which this server refuses.
  return entry(modernServer(t), { protocol: '2026-07-28' });
}

/** A server that gets its folders as arguments. */
export function argumentsServer(t: TestContext): HubServer {
  const recorded = rootlessServer(t);
  // The server sees everything after the record folder as its arguments.
  return entry(recorded, { args: [...recorded.start.args, '${roots}'], rootsAs: ['args'] });
}

/** A server that does not know roots, and gets no folders. */
export function echoServer(t: TestContext): HubServer {
  return entry(rootlessServer(t));
}

/** The hand-written server, which can behave in every way. */
export function plainServer(t: TestContext, options: RawServerOptions = {}): HubServer {
  return entry(rawServer(t, options));
}

/** A server of the older revisions with a tool `ask`, which asks the client round by round. */
export function askingServer(t: TestContext): HubServer {
  return entry(askingProgram(t));
}

/** The server that does everything wrong. */
export function wrongServer(t: TestContext): HubServer {
  return entry(faultyServer(t), { protocol: 'legacy' });
}

/** A server for a hub's configuration with the given offers. */
export function oddHubServer(t: TestContext, options: OddServerOptions): HubServer {
  const recorded = oddServer(t, options);
  const { command, args } = recorded.start;
  return { definition: { command, args, protocol: 'legacy' }, recorded, heard: () => [] };
}

/** A tool that takes anything. */
export function plainTool(name: string): { readonly name: string; readonly inputSchema: object } {
  return { name, inputSchema: { type: 'object' } };
}

/** A configuration of these servers under these names. */
export function configOf(servers: Readonly<Record<string, HubServer>>): object {
  return {
    mcpServers: Object.fromEntries(
      Object.entries(servers).map(([name, { definition }]) => [name, definition]),
    ),
  };
}

/** The program of a server that comes as a package. */
export function packaged(name: string): string {
  return fileURLToPath(
    import.meta.resolve(`${name}/package.json`).replace(/\/package\.json$/, '/dist/index.js'),
  );
}

/** Without a working directory, so that it starts in the first root. */
function entry(recorded: RecordingServer, more: object = {}): HubServer {
  const { command, args } = recorded.start;
  const definition = { command, args, env: programEnv, ...more };
  return { definition, recorded, heard: () => callsIn(recorded.messages()) };
}

function callsIn(messages: readonly Record<string, unknown>[]) {
  return (messages as readonly Message[])
    .filter(({ method }) => method === 'tools/call')
    .map(({ params }) => ({ tool: String(params?.['name']), args: params?.['arguments'] }));
}

import type { TestContext } from 'node:test';
import type { HubServer } from './hubServers.ts';
import { type OddServerOptions, oddServer } from './recordingServer.ts';

/** A server for the configuration of a hub that offers what it is told to. */
export function oddHubServer(t: TestContext, options: OddServerOptions): HubServer {
  const recorded = oddServer(t, options);
  const { command, args } = recorded.start;
  return { definition: { command, args, protocol: 'legacy' }, recorded, heard: () => [] };
}

/** A tool that takes anything. */
export function plainTool(name: string): { readonly name: string; readonly inputSchema: object } {
  return { name, inputSchema: { type: 'object' } };
}

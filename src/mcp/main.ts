/**
 * The client bundle: everything that needs the SDK, loaded when the first server is connected,
 * because loading the SDK takes longer than the whole activation may.
 */
export { UriTemplate } from '@modelcontextprotocol/client';
export { ManagedServer } from './life/managedServer.ts';
export { ServerConnection } from './link/connection.ts';
export { DiscoveryClient } from './link/discoveryClient.ts';
export { RelayLink } from './link/relayLink.ts';
export { clientIn, namedAs, withoutServer } from './link/relayRules.ts';
export { FolderLooks } from './link/rootsOfClient.ts';
export { readPlainFile } from './process/plainFile.ts';
export { serverEnvironment } from './process/stdio/environment.ts';
export { ProcessOwner } from './process/stdio/processOwner.ts';
export { isProgramThere, processStart } from './process/stdio/processStart.ts';
export { Sandbox } from './sandbox/sandbox.ts';
export { assertThere, neededPaths } from './sandbox/sandboxedStart.ts';
export { ownAttacker } from './sandbox/waysOut/probe.ts';

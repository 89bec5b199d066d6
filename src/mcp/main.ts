/**
 * The client bundle: everything that needs the SDK, loaded when the first server is connected,
 * because loading the SDK takes longer than the whole activation may.
 */
export { ServerConnection } from './connection.ts';
export { DiscoveryClient } from './discoveryClient.ts';
export { ManagedServer } from './managedServer.ts';
export { readPlainFile } from './plainFile.ts';
export { RelayLink } from './relayLink.ts';
export { clientIn } from './relayRules.ts';
export { FolderLooks } from './rootsOfClient.ts';
export { Sandbox } from './sandbox/sandbox.ts';
export { assertThere, neededPaths } from './sandbox/sandboxedStart.ts';
export { ownAttacker } from './sandbox/waysOut/probe.ts';
export { serverEnvironment } from './stdio/environment.ts';
export { ProcessOwner } from './stdio/processOwner.ts';
export { isProgramThere, processStart } from './stdio/processStart.ts';

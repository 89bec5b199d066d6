/**
 * The client bundle: everything that needs the SDK, loaded when the first server is connected,
 * because loading the SDK takes longer than the whole activation may.
 */
export { ServerConnection } from './connection.ts';
export { KnownSecrets } from './knownSecrets.ts';
export { ManagedServer, preparedTarget } from './managedServer.ts';
export { openWire } from './openWire.ts';
export { clientNameIn, Relay } from './relay.ts';
export { RootsCheck } from './rootsCheck/rootsCheck.ts';
export { MissedPaths } from './sandbox/missedPaths.ts';
export { Sandbox } from './sandbox/sandbox.ts';
export { neededPaths } from './sandbox/sandboxedStart.ts';
export { ownAttacker } from './sandbox/waysOut/probe.ts';
export { serverEnvironment } from './stdio/environment.ts';
export { ProcessOwner } from './stdio/processOwner.ts';
export { envFileText, isProgramThere, processStart } from './stdio/processStart.ts';
export { defaultTimes } from './times.ts';

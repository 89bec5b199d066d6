/**
 * The client bundle: everything that needs the SDK, loaded when the first server is connected,
 * because loading the SDK takes longer than the whole activation may.
 */
export { ServerConnection } from './connection.ts';
export { serverEnvironment } from './environment.ts';

import type { ServerConnection } from '../../mcp/connection.ts';
import type { ManagedServer } from '../../mcp/managedServer.ts';
import type { RelayLink } from '../../mcp/relayLink.ts';
import type { RootsCheck } from '../../mcp/rootsCheck/rootsCheck.ts';
import type { FolderLooks } from '../../mcp/rootsOfClient.ts';
import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import type { neededPaths } from '../../mcp/sandbox/sandboxedStart.ts';
import type { ownAttacker } from '../../mcp/sandbox/waysOut/probe.ts';
import type { serverEnvironment } from '../../mcp/stdio/environment.ts';
import type { ProcessOwner } from '../../mcp/stdio/processOwner.ts';
import type { envFileText, isProgramThere, processStart } from '../../mcp/stdio/processStart.ts';
import type { Supervisor } from '../../mcp/supervisor.ts';

/** The part of the client bundle that the extension uses. */
export interface ClientBundle {
  readonly ManagedServer: typeof ManagedServer;
  readonly ServerConnection: typeof ServerConnection;
  readonly RelayLink: typeof RelayLink;
  readonly FolderLooks: typeof FolderLooks;
  readonly Supervisor: typeof Supervisor;
  readonly serverEnvironment: typeof serverEnvironment;
  readonly ProcessOwner: typeof ProcessOwner;
  readonly neededPaths: typeof neededPaths;
  readonly processStart: typeof processStart;
  readonly envFileText: typeof envFileText;
  readonly isProgramThere: typeof isProgramThere;
  readonly RootsCheck: typeof RootsCheck;
  readonly Sandbox: typeof Sandbox;
  readonly ownAttacker: typeof ownAttacker;
}

/** Returns the owner of all processes of this window, whose class is part of the client bundle. */
export type OwnerIn = (bundle: ClientBundle) => ProcessOwner;

/** Loads the client bundle, and with it the SDK, on the first call. */
export function loadClient(): Promise<ClientBundle> {
  return import('../../mcp/main.ts');
}

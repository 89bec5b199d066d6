import type { ServerConnection } from '../../../mcp/connection.ts';
import type { ProcessOwner } from '../../../mcp/stdio/processOwner.ts';
import type { processStart } from '../../../mcp/stdio/processStart.ts';
import type { Supervisor } from '../../../mcp/supervisor.ts';

/** What the hub uses of the client bundle. */
export interface ClientBundle {
  readonly ServerConnection: typeof ServerConnection;
  readonly Supervisor: typeof Supervisor;
  readonly ProcessOwner: typeof ProcessOwner;
  readonly processStart: typeof processStart;
}

/** Loads the client bundle, and with it the SDK, on the first call. */
export function loadClient(): Promise<ClientBundle> {
  return import('../../../mcp/main.ts');
}

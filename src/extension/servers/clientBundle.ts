import type { ServerConnection } from '../../mcp/connection.ts';
import type { serverEnvironment } from '../../mcp/environment.ts';

/** What the extension uses of the client bundle. */
export interface ClientBundle {
  readonly ServerConnection: typeof ServerConnection;
  readonly serverEnvironment: typeof serverEnvironment;
}

/** Loads the client bundle, and with it the SDK, on the first call. */
export function loadClient(): Promise<ClientBundle> {
  return import('../../mcp/main.ts');
}

import type { ProcessOwner } from '../../mcp/process/stdio/processOwner.ts';

export type ClientBundle = typeof import('../../mcp/main.ts');

/** Returns the one owner of all processes of this window. Its class is in the client bundle. */
export type OwnerIn = (bundle: ClientBundle) => ProcessOwner;

/** Loads the client bundle, and with it the SDK, on the first call. */
export function loadClient(): Promise<ClientBundle> {
  return import('../../mcp/main.ts');
}

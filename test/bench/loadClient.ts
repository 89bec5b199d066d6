import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as client from '../../src/mcp/main.ts';

export const builtClient = join(import.meta.dirname, '..', '..', 'dist', 'client.js');

/** The client as it is shipped, where it is built. */
export async function loadClient(): Promise<typeof client> {
  return existsSync(builtClient)
    ? createRequire(import.meta.url)(builtClient)
    : import('../../src/mcp/main.ts');
}

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as client from '../../src/mcp/main.ts';

const built = join(import.meta.dirname, '..', '..', 'dist', 'client.js');

/** The client as it is shipped, where it is built. */
export async function loadClient(): Promise<typeof client> {
  return existsSync(built)
    ? createRequire(import.meta.url)(built)
    : import('../../src/mcp/main.ts');
}

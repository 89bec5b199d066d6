import { join } from 'node:path';
import type { ServerDefinition } from '../../domain/serverDefinition.ts';

/** The id of the server that comes with this extension. */
export const bundledServerId = 'bundled';

/**
 * The bundled server, run by the editor's own Node.
 *
 * Its identity is that it is ours, with these options. The paths of the editor and of the extension
 * are no part of it: they change with every update, and who trusts the extension trusts its server.
 */
export function bundledServer(extensionPath: string, options: readonly string[]): ServerDefinition {
  return {
    id: bundledServerId,
    label: 'MCP Roots Server',
    launch: {
      command: process.execPath,
      args: [join(extensionPath, 'dist', 'server.js'), ...options],
      cwd: undefined,
      env: { ELECTRON_RUN_AS_NODE: '1' },
    },
    fields: { transport: 'stdio', command: 'mcp-roots (bundled)', args: options },
  };
}

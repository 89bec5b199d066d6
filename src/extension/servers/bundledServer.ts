import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  bundledServerLabel,
  defaultTerms,
  type ServerDefinition,
} from '../../domain/servers/serverDefinition.ts';
import type { IdentityFields } from '../../domain/servers/serverIdentity.ts';

export const bundledServerId = 'bundled';

const allowWrite = '--allow-write';

/** The rights that the user gives the bundled server. */
interface BundledServerOptions {
  readonly allowWrite: boolean;
  /** True if the system keeps it in its folders, where it can. */
  readonly isBundledSandboxed: boolean;
}

/** The bundled server, run by the editor's own Node. */
export function bundledServer(
  extensionPath: string,
  options: BundledServerOptions,
): ServerDefinition {
  const args = options.allowWrite ? [allowWrite] : [];
  return {
    id: bundledServerId,
    label: bundledServerLabel,
    launch: {
      type: 'stdio',
      command: process.execPath,
      args: [join(extensionPath, 'dist', 'server.js'), ...args],
      // Not a root: that would stay its working directory after it is revoked.
      cwd: homedir(),
      env: { ELECTRON_RUN_AS_NODE: '1' },
      envFile: undefined,
    },
    ...defaultTerms,
    // Slow to start, it is still no older server.
    protocol: '2026-07-28',
    ...(options.isBundledSandboxed && {
      // It has no use for a network.
      sandboxIfAny: { read: [], write: [], network: false },
    }),
  };
}

/**
 * Its identity is that it is ours, with its options. The paths of the editor and of the extension are
 * no part of it: they change with every update, and who trusts the extension trusts its server.
 */
export function bundledFields(definition: ServerDefinition): IdentityFields {
  const args = isWritingBundledServer(definition) ? [allowWrite] : [];
  return { transport: 'stdio', command: 'mcp-roots (bundled)', args };
}

/** True if the definition is that of the bundled server with the tools that write. */
export function isWritingBundledServer({ id, launch }: ServerDefinition): boolean {
  return id === bundledServerId && launch.type === 'stdio' && launch.args.includes(allowWrite);
}

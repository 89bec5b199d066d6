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

/** What the user lets the bundled server do. */
interface BundledServerOptions {
  readonly allowWrite: boolean;
  /** True if a sandbox confines the server to its folders, where a sandbox is available. */
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
      // Not a root: a root would stay the working directory even after the user revokes it.
      cwd: homedir(),
      env: { ELECTRON_RUN_AS_NODE: '1' },
      envFile: undefined,
    },
    ...defaultTerms,
    // A fixed revision, because after a slow start, the client might try an older revision.
    protocol: '2026-07-28',
    ...(options.isBundledSandboxed && {
      // The bundled server needs no network.
      sandboxIfAny: { read: [], write: [], network: false },
    }),
  };
}

/**
 * The bundled server's identity: a fixed name, and its options. It has no paths of the editor or
 * the extension, because each update changes them. Whoever trusts the extension trusts its server.
 */
export function bundledFields(definition: ServerDefinition): IdentityFields {
  const args = isWritingBundledServer(definition) ? [allowWrite] : [];
  return { transport: 'stdio', command: 'mcp-roots (bundled)', args };
}

/** True if this is the bundled server with the tools that write. */
export function isWritingBundledServer({ id, launch }: ServerDefinition): boolean {
  return id === bundledServerId && launch.type === 'stdio' && launch.args.includes(allowWrite);
}

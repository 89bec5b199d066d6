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
  /** True if the system confines the server to its folders, where the system can. */
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
      // Not a root, which would stay the working directory after its revocation.
      cwd: homedir(),
      env: { ELECTRON_RUN_AS_NODE: '1' },
      envFile: undefined,
    },
    ...defaultTerms,
    // Fixed, because a slow start must not make the client try an older protocol.
    protocol: '2026-07-28',
    ...(options.isBundledSandboxed && {
      // The bundled server needs no network.
      sandboxIfAny: { read: [], write: [], network: false },
    }),
  };
}

/**
 * The bundled server's identity: a fixed name, with its options. The paths of the editor and the extension
 * are left out, because each update changes them. Whoever trusts the extension trusts its server.
 */
export function bundledFields(definition: ServerDefinition): IdentityFields {
  const args = isWritingBundledServer(definition) ? [allowWrite] : [];
  return { transport: 'stdio', command: 'mcp-roots (bundled)', args };
}

/** True if the definition is that of the bundled server with the tools that write. */
export function isWritingBundledServer({ id, launch }: ServerDefinition): boolean {
  return id === bundledServerId && launch.type === 'stdio' && launch.args.includes(allowWrite);
}

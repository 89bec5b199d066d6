import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultTerms, type ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { IdentityFields } from '../../domain/servers/serverIdentity.ts';

/** The id of the server that comes with this extension. */
export const bundledServerId = 'bundled';

const allowWrite = '--allow-write';

/** Where on this machine is what the bundled server is started with. */
export interface BundledServerFiles {
  readonly extensionPath: string;
  /** The editor's; `undefined` when it has none, and then the server looks for one itself. */
  readonly ripgrep: string | undefined;
}

/** What the user lets the bundled server do. */
export interface BundledServerOptions {
  /** Whether it offers the tools that write. */
  readonly allowWrite: boolean;
}

/** The bundled server, run by the editor's own Node. */
export function bundledServer(
  { extensionPath, ripgrep }: BundledServerFiles,
  options: BundledServerOptions,
): ServerDefinition {
  const args = options.allowWrite ? [allowWrite] : [];
  return {
    id: bundledServerId,
    label: 'MCP Roots Server',
    launch: {
      type: 'stdio',
      command: process.execPath,
      args: [join(extensionPath, 'dist', 'server.js'), ...args],
      // Not in a root: it would keep that as its working directory when it is taken away.
      cwd: homedir(),
      env: { ELECTRON_RUN_AS_NODE: '1', ...(ripgrep && { MCP_ROOTS_RIPGREP: ripgrep }) },
      envFile: undefined,
    },
    ...defaultTerms,
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

/** Whether a definition is that of the bundled server with the tools that write. */
export function isWritingBundledServer({ id, launch }: ServerDefinition): boolean {
  return id === bundledServerId && launch.type === 'stdio' && launch.args.includes(allowWrite);
}

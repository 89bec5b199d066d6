import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultTerms, type ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { IdentityFields } from '../../domain/servers/serverIdentity.ts';

/** The id of the server that comes with this extension. */
export const bundledServerId = 'bundled';

const allowWrite = '--allow-write';

/** The files that the bundled server is started with. */
interface BundledServerFiles {
  readonly extensionPath: string;
  /** The editor's; `undefined` when it has none, and then the server looks for one itself. */
  readonly ripgrep: string | undefined;
}

/** What the user lets the bundled server do. */
interface BundledServerOptions {
  /** Whether it offers the tools that write. */
  readonly allowWrite: boolean;
  /** Whether the system keeps it in its folders, where that can be had. */
  readonly isBundledSandboxed: boolean;
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
      // Not a root: that would stay its working directory after it is revoked.
      cwd: homedir(),
      env: { ELECTRON_RUN_AS_NODE: '1', ...(ripgrep && { MCP_ROOTS_RIPGREP: ripgrep }) },
      envFile: undefined,
    },
    ...defaultTerms,
    // The preview of macOS is for servers whose definitions ask for it.
    ...(options.isBundledSandboxed &&
      process.platform !== 'darwin' && {
        // It has no use for a network.
        sandboxIfAny: { read: ripgrep === undefined ? [] : [ripgrep], write: [], network: false },
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

/** Whether a definition is that of the bundled server with the tools that write. */
export function isWritingBundledServer({ id, launch }: ServerDefinition): boolean {
  return id === bundledServerId && launch.type === 'stdio' && launch.args.includes(allowWrite);
}

/** For which system a program was built, in the words of Node. */
interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: NodeJS.Architecture;
}

/**
 * The ripgrep that the editor searches with, when it is where editors keep it. That place is no
 * promise of the editor's: it has moved before, so `undefined` is nothing unusual.
 */
export function editorRipgrep(appRoot: string, system: System): string | undefined {
  return placesOfRipgrep(appRoot, system).find(existsSync);
}

/** Where editors have kept ripgrep, the newest place first. */
function placesOfRipgrep(appRoot: string, { platform, arch }: System): string[] {
  const program = platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = [
    // Since VS Code 1.122. (https://github.com/microsoft/vscode/issues/318691)
    join('ripgrep-universal', 'bin', `${platform}-${arch}`, program),
    // What `@vscode/ripgrep` itself consists of since 1.18.
    join(`ripgrep-${platform}-${arch}`, 'bin', program),
    join('ripgrep', 'bin', program),
  ];
  // No program can be started out of an archive, so the editor keeps those beside it.
  return ['node_modules.asar.unpacked', 'node_modules'].flatMap(modules =>
    packages.map(path => join(appRoot, modules, '@vscode', path)),
  );
}

import { existsSync } from 'node:fs';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { ProcessOwner } from '../../../src/mcp/process/stdio/processOwner.ts';
import { findSandboxTool, type SandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { canInstallPackages, installPackages } from '../debianPackages.ts';

/**
 * The sandbox of this machine. Installs Debian's bubblewrap if it is missing and we may.
 *
 * @returns `skip`: the reason for tests that need the missing tool.
 */
export async function sandboxHere(): Promise<{
  readonly tool: SandboxTool;
  readonly skip: string | false;
}> {
  if (process.platform === 'linux' && !existsSync('/usr/bin/bwrap') && canInstallPackages()) {
    // If it is unavailable, `skip` below says so.
    await installPackages('bubblewrap').catch(error => console.log(String(error)));
  }
  const owner = new ProcessOwner('editor', console);
  const { tool, problem } = await findSandboxTool(owner);
  owner.dispose();
  const skip = problem ? `No sandbox here: ${inEnglish(problem)}` : false;
  return { tool: tool as SandboxTool, skip };
}

/**
 * Starts a program so deep in user namespaces that the kernel allows it only this many more. A
 * sandbox takes two. With two left, none can be made in it: the same is true on Ubuntu from 25.04 on.
 */
export function withNamespacesLeft(count: number): string[] {
  const deeper = 'unshare -U --map-current-user';
  const tooMany = `${deeper} `.repeat(count + 1);
  const script = `${tooMany} true 2>/dev/null || exec "$@"; exec ${deeper} sh -c "$0" "$0" "$@"`;
  return ['/bin/sh', '-c', script, script];
}

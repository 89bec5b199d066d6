import { existsSync } from 'node:fs';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { findSandboxTool, type SandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { canInstallPackages, installPackages } from '../debianPackages.ts';

/**
 * The sandbox of this machine, with Debian's bubblewrap installed now if it is missing and we may, or
 * why a test that needs it has to be skipped.
 */
export async function sandboxHere(): Promise<
  { readonly tool: SandboxTool; readonly skip: false } | { readonly skip: string }
> {
  if (process.platform === 'linux' && !existsSync('/usr/bin/bwrap') && canInstallPackages()) {
    // Where there is none to be had, it is said below to be missing.
    await installPackages('bubblewrap').catch(error => console.log(String(error)));
  }
  const { tool, problem } = await findSandboxTool();
  return tool ? { tool, skip: false } : { skip: `No sandbox here: ${inEnglish(problem)}` };
}

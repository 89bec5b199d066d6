import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rootQuestion } from '../../../src/domain/sandbox/bubblewrap.ts';
import type { SeccompArch } from '../../../src/domain/sandbox/seccomp.ts';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { ProcessOwner } from '../../../src/mcp/process/stdio/processOwner.ts';
import {
  bubblewrapTool,
  findSandboxTool,
  landlockTool,
  type SandboxTool,
} from '../../../src/mcp/sandbox/sandboxTool.ts';
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

/** Landlock, as a sandbox takes it where there are no namespaces. `skip`: this system is too old. */
export function landlockHere(): { readonly tool: SandboxTool; readonly skip: string | false } {
  const { status } = spawnSync('/usr/bin/perl', ['-e', 'exit(syscall(444, 0, 0, 1) < 6)']);
  const skip = status === 0 ? false : 'There is no Landlock of Linux 6.12 here, or no Perl.';
  return { tool: landlockTool(process.arch as SeccompArch), skip };
}

/** Starts a program with an empty file in the place of each of these. */
export function without(...files: readonly string[]): string[] {
  const namespace = process.getuid?.() === 0 ? '-m' : '-Urm';
  const hide = files.map(file => `mount --bind /dev/null ${file} && `).join('');
  return ['unshare', namespace, '/bin/sh', '-c', `${hide}exec "$@"`, 'sh'];
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

/** Whether the bubblewrap of this machine stays in its root: it then needs no other order of mounts. */
export function staysInRoot(): boolean {
  return spawnSync('/usr/bin/bwrap', rootQuestion(), { encoding: 'utf8' }).stdout === 'inside\n';
}

/** The bubblewrap of this machine with the mounts for one that stays in its root, or leaves it. */
export function bubblewrapWith(isInRoot: boolean): SandboxTool {
  const bubblewrap = { path: '/usr/bin/bwrap', version: '0.8.0', staysInRoot: isInRoot };
  return bubblewrapTool(bubblewrap, process.arch as SeccompArch);
}

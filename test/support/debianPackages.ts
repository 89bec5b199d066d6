import { existsSync, readFileSync } from 'node:fs';
import { runTool } from '../vscode/runTool.ts';

/** Whether we may install what the tests need: we are root on Debian. */
export function canInstallPackages(): boolean {
  const release = '/etc/os-release';
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'));
  return isDebian && process.getuid?.() === 0;
}

/** Installs Debian's packages of these names, and waits while another test does the like. */
export async function installPackages(...names: readonly string[]): Promise<void> {
  console.log(`Installing ${names.join(', ')} from Debian’s packages, once …`);
  // It waits for others who install something, but not for others who update.
  const inTurn = [import.meta.dirname, 'apt-get', '-o', 'DPkg::Lock::Timeout=120'];
  await runTool('flock', [...inTurn, 'update']);
  await runTool('flock', [...inTurn, 'install', '--yes', ...names]);
}

import { execFileSync } from 'node:child_process';
import { runTool } from '../vscode/runTool.ts';

/** Whether the desktop editor is on this machine, with a screen to open it on. */
export function hasDesktopCode(): boolean {
  const { platform, env } = process;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    return false;
  }
  try {
    execFileSync('code', ['--version'], { stdio: 'ignore', shell: platform === 'win32' });
    return true;
  } catch {
    return false;
  }
}

/** Installs the extension into the desktop editor, and opens the workspace there. */
export async function openDesktopCode(vsix: string, workspace: string): Promise<void> {
  await runTool('code', ['--install-extension', vsix, '--force']);
  await runTool('code', ['--new-window', workspace]);
}

import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';

const system = process.platform;

/** This system's rules for paths: what a test with real folders gives as the platform. */
export const thisPlatform: PathPlatform =
  system === 'win32' || system === 'darwin' ? system : 'linux';

/** The systems that a test may be for; `posix` is each but Windows. */
type System = 'linux' | 'macos' | 'windows' | 'posix';

const isOn: Readonly<Record<System, boolean>> = {
  linux: system === 'linux',
  macos: system === 'darwin',
  windows: system === 'win32',
  posix: system !== 'win32',
};

/** The `skip` of a test for some systems only: the reason on all others. */
export function onlyOn(wanted: System, why: string): string | false {
  return isOn[wanted] ? false : `Only on ${wanted}: ${why}`;
}

/** The `skip` of a test that gives files to another user, or runs as one. */
export const skipOwners = process.getuid?.() !== 0 && 'Only root may be another user.';

/** The `skip` of a test that makes pipes in folders. */
export const skipPipes = onlyOn('posix', 'Windows has no pipes in folders.');

/** The `skip` of a test with a server that closes its input or output. */
export const skipClosedStdio = onlyOn('posix', 'Node closes no standard stream on Windows.');

/** The `skip` of a test that makes links: on Windows, not every user may. */
export const skipLinks: string | false =
  isOn.posix || canLink() ? false : 'Links cannot be made here: Windows asks for a privilege.';

/** Looked at afterwards, since Wine makes none and does not say so. */
function canLink(): boolean {
  const link = join(tmpdir(), `mcp-roots-link-${process.pid}`);
  try {
    symlinkSync(tmpdir(), link);
    return lstatSync(link).isSymbolicLink();
  } catch {
    return false;
  } finally {
    rmSync(link, { force: true });
  }
}

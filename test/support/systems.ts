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

/** What a test gives as `skip` that can pass on some systems only: elsewhere, it says why. */
export function onlyOn(wanted: System, why: string): string | false {
  return isOn[wanted] ? false : `Only on ${wanted}: ${why}`;
}

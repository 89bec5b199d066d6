import { asciiLower } from './pathInput.ts';
import type { PathPlatform } from './pathNames.ts';
import type { ScopeRoot } from './pathScope.ts';

/** The names in `path` below `root`, the outermost first. If `path` is outside, all its names. */
export function namesBelow(
  root: ScopeRoot,
  path: string,
  platform: PathPlatform,
): readonly string[] {
  const names = namesOf(path, platform);
  const depths = [root.announced, root.real]
    .map(start => keysOf(start, root, platform))
    .filter(start => startsWith(keysOf(path, root, platform), start))
    .map(start => start.length);
  return names.slice(Math.max(0, ...depths));
}

/** Whether `path` is one of the root's two paths, or a folder that contains one of them. */
export function isRootWithin(root: ScopeRoot, path: string, platform: PathPlatform): boolean {
  const start = keysOf(path, root, platform);
  return [root.announced, root.real].some(below =>
    startsWith(keysOf(below, root, platform), start),
  );
}

function namesOf(path: string, platform: PathPlatform): readonly string[] {
  return path.split(platform === 'win32' ? '\\' : '/').filter(name => name !== '');
}

/** Returns the names in `path`. Names that the root's file system takes for the same are equal. */
function keysOf(path: string, { foldsCase }: ScopeRoot, platform: PathPlatform): readonly string[] {
  const named = platform === 'darwin' ? path.normalize('NFC') : path;
  return namesOf(foldsCase ? asciiLower(named) : named, platform);
}

function startsWith(names: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => names[index] === name);
}

import type { Rules } from '../../domain/guard/guardRules.ts';
import { foldName } from '../../domain/paths/pathKey.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { namesBelow } from '../../domain/paths/rootPaths.ts';
import { globReasons } from './denialText.ts';

/**
 * Why the globs of the configuration refuse a path in the roots; `undefined`: they do not. With
 * nested roots, globs are matched below each: a `deny` match below any root forbids; each `allow`
 * needs a match below at least one.
 */
export function globRuling(rules: Rules, path: string, scope: PathScope): string | undefined {
  if (rules.allow.length === 0 && rules.deny.length === 0) {
    return undefined;
  }
  const { platform } = scope;
  const names = scope
    .findAll(path)
    .flatMap(root => spellings(namesBelow(root, path, platform), platform));
  if (rules.deny.some(glob => names.some(spelling => glob.matches(spelling, 0)))) {
    return globReasons.deny;
  }
  const isAllowed = rules.allow.every(glob =>
    // A folder may be used when all that can be in it may be.
    names.some(spelling => glob.matches(spelling, 0) || glob.matches([...spelling, anyName], 0)),
  );
  return isAllowed ? undefined : globReasons.allow;
}

/** Stands for any entry of a folder: a name nobody writes a glob for. */
const anyName = '\uffff'.repeat(4);

/** Where the file system folds letter case, a glob may be written in another than the disk has. */
function spellings(
  names: readonly string[],
  platform: PathPlatform,
): readonly (readonly string[])[] {
  if (platform === 'linux') {
    return [names];
  }
  const folded = names.map(name => foldName(name.replace(ignored, ''), platform));
  return [names, folded, folded.map(name => name.toUpperCase())];
}

/** Characters of a name that macOS passes over when it looks for a file. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu;

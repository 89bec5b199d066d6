import { readGlobNames } from '../../domain/glob/globNames.ts';
import { matchesSequence, type Step } from '../../domain/glob/sequence.ts';

/** The rules of one ignore file, as far as they can match anything, in their order. */
export interface IgnoreRules {
  readonly rules: readonly IgnoreRule[];
  /** How many names lead from the root to the folder that the rules are about. */
  readonly depth: number;
  /** The rules that count where these say nothing. */
  readonly above: IgnoreRules | undefined;
}

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly matches: (names: readonly string[], depth: number) => boolean;
}

/**
 * Reads a `.gitignore`. What Git does not understand matches nothing, as with Git. One difference:
 * `?` and `[…]` stand for a character here, for a byte of its UTF-8 there.
 */
export function readIgnoreRules(
  text: string,
  depth: number,
  above: IgnoreRules | undefined,
): IgnoreRules {
  const lines = `${text.replace(/^\ufeff/, '')}\n`.split(/\r?\n/);
  return { rules: lines.flatMap(line => readRule(line) ?? []), depth, above };
}

/** Whether rules ignore an entry, given by the names from the root to it. The last match decides. */
export function isIgnored(
  rules: IgnoreRules | undefined,
  names: readonly string[],
  isFolder: boolean,
): boolean {
  for (let level = rules; level; level = level.above) {
    for (let at = level.rules.length - 1; at >= 0; at--) {
      const rule = level.rules[at];
      if (rule && (isFolder || !rule.isForFolders) && rule.matches(names, level.depth)) {
        return !rule.isNegated;
      }
    }
  }
  return false;
}

function readRule(line: string): IgnoreRule | undefined {
  if (line.startsWith('#')) {
    return undefined;
  }
  const isNegated = line.startsWith('!');
  const pattern = withoutBlanks(line).slice(isNegated ? 1 : 0);
  const isForFolders = pattern.endsWith('/');
  const path = isForFolders ? pattern.slice(0, -1) : pattern;
  const steps = path === '' ? undefined : readGlobNames(path.replace(/^\//, ''));
  if (!steps) {
    return undefined;
  }
  return { isNegated, isForFolders, matches: matcherOf(steps, path.includes('/')) };
}

/** Blanks at the end do not count, except one that is escaped. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && !isEscaped(line, end - 1)) {
    end -= 1;
  }
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (line[start - 1] === '\\') {
    start -= 1;
  }
  return (at - start) % 2 === 1;
}

/** A pattern without a slash is about the name alone. */
function matcherOf(steps: readonly Step<string>[], isPath: boolean): IgnoreRule['matches'] {
  if (isPath) {
    return (names, depth) => matchesSequence(steps, names, depth);
  }
  const [first] = steps;
  const test = typeof first === 'function' ? first : () => true;
  return names => test(names.at(-1) ?? '');
}

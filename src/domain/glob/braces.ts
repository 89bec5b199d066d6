import { readClass } from './characterClass.ts';

/**
 * Writes a glob with braces as the globs it stands for: `*.{js,ts}` as `*.js` and `*.ts`.
 * `undefined` when a brace is not closed, or when that would be more than `limit`.
 */
export function expandBraces(glob: string, limit: number): readonly string[] | undefined {
  return expand([...glob], limit);
}

function expand(glob: readonly string[], limit: number): readonly string[] | undefined {
  const open = next(glob, 0, ['{']);
  if (open === glob.length) {
    return [glob.join('')];
  }
  const group = readGroup(glob, open);
  const ends = group && expand(glob.slice(group.end), limit);
  const starts = group?.alternatives.map(alternative => expand(alternative, limit)) ?? [];
  const known = starts.flatMap(start => start ?? []);
  if (!ends || starts.includes(undefined) || known.length * ends.length > limit) {
    return undefined;
  }
  const before = glob.slice(0, open).join('');
  return known.flatMap(start => ends.map(end => before + start + end));
}

function readGroup(glob: readonly string[], open: number) {
  const alternatives: (readonly string[])[] = [];
  let depth = 1;
  let from = open + 1;
  for (let at = next(glob, from, marks); at < glob.length; at = next(glob, at + 1, marks)) {
    depth += glob[at] === '{' ? 1 : glob[at] === '}' ? -1 : 0;
    if (depth === 0 || (depth === 1 && glob[at] === ',')) {
      alternatives.push(glob.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) {
      return { alternatives, end: from };
    }
  }
  return undefined;
}

const marks: readonly string[] = ['{', ',', '}'];

/** Where the next of these characters stands for itself, or the end. */
function next(glob: readonly string[], start: number, characters: readonly string[]): number {
  let at = start;
  while (at < glob.length && !characters.includes(glob[at] ?? '')) {
    if (glob[at] === '[') {
      at = readClass(glob, at)?.end ?? at + 1;
    } else {
      at += glob[at] === '\\' ? 2 : 1;
    }
  }
  return Math.min(at, glob.length);
}

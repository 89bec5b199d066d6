import { readClass } from './characterClass.ts';
import { matchesSequence, type SequenceStep } from './sequence.ts';

/**
 * Reads a glob as the names between its slashes, by the rules that Git and globs have in common:
 * `*`, `?`, `[…]`, `\`, and `**` as a whole name for any number of folders. At the end `**` is
 * what lies below, so at least one name. `undefined` when a bracket or an escape has no end.
 */
export function readGlobNames(glob: string): readonly SequenceStep<string>[] | undefined {
  const names = readNames([...glob]);
  if (!names) {
    return undefined;
  }
  const steps = names.map(name => (isAnyFolders(name) ? 'anything' : nameTest(name)));
  return steps.at(-1) === 'anything' ? [...steps, anyName] : steps;
}

/** The name that every name matches. */
export const anyName: SequenceStep<string> = () => true;

type Part = { readonly literal: string } | { readonly holds: Test } | 'star';
type Test = (character: string) => boolean;

function readNames(pattern: readonly string[]): readonly (readonly Part[])[] | undefined {
  const names: Part[][] = [[]];
  for (let at = 0; at < pattern.length; ) {
    const read = readPart(pattern, at);
    if (!read) {
      return undefined;
    }
    if (typeof read.part === 'object' && 'literal' in read.part && read.part.literal === '/') {
      names.push([]);
    } else {
      names.at(-1)?.push(read.part);
    }
    at = read.end;
  }
  return names;
}

function readPart(
  pattern: readonly string[],
  at: number,
): { readonly part: Part; readonly end: number } | undefined {
  const character = pattern[at] ?? '';
  switch (character) {
    case '*':
      return { part: 'star', end: at + 1 };
    case '?':
      return { part: { holds: () => true }, end: at + 1 };
    case '[': {
      const found = readClass(pattern, at);
      return found && { part: found, end: found.end };
    }
    case '\\': {
      const literal = pattern[at + 1];
      return literal === undefined ? undefined : { part: { literal }, end: at + 2 };
    }
    default:
      return { part: { literal: character }, end: at + 1 };
  }
}

function isAnyFolders(name: readonly Part[]): boolean {
  return name.length > 1 && name.every(part => part === 'star');
}

/** Most names in patterns have at most one star and nothing else, and can be told at a glance. */
function nameTest(parts: readonly Part[]): (name: string) => boolean {
  const star = parts.indexOf('star');
  const before = literalOf(star < 0 ? parts : parts.slice(0, star));
  const after = literalOf(star < 0 ? [] : parts.slice(star + 1));
  if (before === undefined || after === undefined) {
    const steps = parts.map(stepOf);
    return name => matchesSequence(steps, [...name]);
  }
  if (star < 0) {
    return name => name === before;
  }
  const length = before.length + after.length;
  return name => name.length >= length && name.endsWith(after) && name.startsWith(before);
}

function literalOf(parts: readonly Part[]): string | undefined {
  const literals = parts.map(part => {
    return typeof part === 'object' && 'literal' in part ? part.literal : undefined;
  });
  return literals.includes(undefined) ? undefined : literals.join('');
}

function stepOf(part: Part): SequenceStep<string> {
  if (part === 'star') {
    return 'anything';
  }
  return 'literal' in part ? character => character === part.literal : part.holds;
}

import { parseArgs } from 'node:util';

/** What the command line of the bench asks for. */
export interface Options {
  /** The names of the parts to run. */
  readonly only: readonly string[];
  readonly isQuick: boolean;
  /** The revision to compare with, in place of what others do. */
  readonly compare: string | undefined;
}

/** A part, as the command line knows it. */
export interface NamedPart {
  readonly name: string;
  /** Whether it measures two revisions side by side. */
  readonly comparesRevisions?: boolean;
}

/** @throws with a sentence for who typed it, when it asks for what the bench can't do. */
export function parseOptions(args: readonly string[], parts: readonly NamedPart[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      compare: { type: 'string' },
    },
  });
  const { only, quick, compare } = values;
  const known = parts
    .filter(({ comparesRevisions }) => comparesRevisions || compare === undefined)
    .map(({ name }) => name);
  const named = only?.split(',') ?? known;
  const unknown = named.filter(name => !known.includes(name));
  if (unknown.length > 0) {
    const what = compare === undefined ? 'measure' : 'compare';
    throw new Error(`There is no ${unknown.join(', ')} to ${what}, only: ${known.join(', ')}.`);
  }
  return { only: named, isQuick: quick, compare };
}

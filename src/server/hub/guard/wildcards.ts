import { join } from 'node:path';
import { anyName, readGlobNames } from '../../../domain/glob/globNames.ts';
import type { Step } from '../../../domain/glob/sequence.ts';
import { isRuledOut } from './globRuling.ts';
import { type Judging, leadsOut } from './judgement.ts';
import { entriesOf } from './linkNames.ts';

/** A text with wildcards, and what of it a program puts entries of the disk for. */
export interface Wildcards {
  /** Absolute. */
  readonly base: string;
  readonly text: string;
  /** Whether it opens what the last name stands for, and not only lists it. */
  readonly opensLast: boolean;
}

/** Whether a shell would put something in the place of a part of it. */
export function hasWildcards(text: string): boolean {
  return text.length <= longest && wildcard.test(text);
}

const longest = 1000;
const wildcard = /[*?]|\[.+\]|[@+!]\(|\{[\w-]+\.\.[\w-]+(?:\.\.[\d-]+)?\}/;

/**
 * The first of the existing entries that the wildcards stand for, at most one for each way there,
 * that must not be used: one that a link leads out of the roots to, or that is ruled out.
 */
export function refusedMatch(judging: Judging, wildcards: Wildcards): string | undefined {
  const { base, text, opensLast } = wildcards;
  const slashed = judging.scope.platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const names = slashed.split('/');
  return search({ judging, names, opensLast, isMatch: false }, text.startsWith('/') ? '/' : base);
}

interface Search {
  readonly judging: Judging;
  /** Those still to go. */
  readonly names: readonly string[];
  readonly opensLast: boolean;
  /** Whether a wildcard came before. */
  readonly isMatch: boolean;
}

function search(state: Search, folder: string): string | undefined {
  const { judging, names, opensLast, isMatch } = state;
  const at = names.findIndex(hasWildcards);
  const path = join(folder, ...(at < 0 ? names : names.slice(0, at)));
  if (at < 0) {
    return isMatch && isRefused(judging, path) ? path : undefined;
  }
  const test = testOf(names[at] ?? '');
  const rest = names.slice(at + 1).filter(name => name !== '');
  // A type of media is written `*/*`.
  const isSkipped = !opensLast && (rest.length === 0 || !/[^*?]/.test(names[at] ?? ''));
  // What may be any number of folders is not followed.
  if (isSkipped || typeof test !== 'function' || !judging.scope.find(path)) {
    return isMatch && isRefused(judging, path) ? path : undefined;
  }
  const showsHidden = /^(?:\.|[@+!?*]\()/.test(names[at] ?? '');
  for (const entry of entriesOf(path, judging.budget) ?? []) {
    const isMeant = (showsHidden || !entry.name.startsWith('.')) && test(entry.name);
    const found = isMeant
      ? judgeMatch({ ...state, names: rest }, join(path, entry.name))
      : undefined;
    if (found !== undefined || judging.budget.isSpent) {
      return found;
    }
  }
  return undefined;
}

/** Which names are meant; more than these where not every program reads the notation alike. */
function testOf(name: string): Step<string> {
  const plain = name
    .replace(/\**[@+!?*]\(.*\)\**/, '*')
    .replace(letters, (_, one: string, other: string) => `[${[one, other].sort().join('-')}]`)
    .replace(numbers, '[-0-9]*');
  const [test] = /\[[=.]/.test(plain) ? [] : (readGlobNames(plain) ?? []);
  return test ?? anyName;
}

/** As `{a..c}`, which a shell expands. */
const letters = /\{([a-z])\.\.([a-z])(?:\.\.-?\d+)?\}/gi;
const numbers = /\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}/g;

function judgeMatch(state: Search, path: string): string | undefined {
  return state.names.length > 0
    ? search({ ...state, isMatch: true }, path)
    : isRefused(state.judging, path)
      ? path
      : undefined;
}

function isRefused(judging: Judging, path: string): boolean {
  return leadsOut(judging, path, path) || isRuledOut(judging, path);
}

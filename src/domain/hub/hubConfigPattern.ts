import { mayTakeForEver } from './patternCost.ts';

/** A pattern that finds paths, or what is wrong with it, to be read after its place. */
export type ReadPattern =
  | { readonly ok: true; readonly pattern: RegExp }
  | { readonly ok: false; readonly problem: string };

const maxLength = 500;

/** Reads a regular expression that is to be tried on short texts of any origin. */
export function pathPattern(text: string): ReadPattern {
  if (text === '' || text.length > maxLength) {
    return { ok: false, problem: `must have 1 to ${maxLength} characters.` };
  }
  const pattern = compiled(text);
  if (!pattern) {
    return {
      ok: false,
      problem: 'must be a regular expression of JavaScript (with its flag "u").',
    };
  }
  return mayTakeForEver(text) ? { ok: false, problem: tooSlow } : { ok: true, pattern };
}

const tooSlow =
  'could take for ever: repeat no group that holds "*", "+", "?", "{…}" or "|", refer back to none, and write at most 3 of "*", "+" and "{…}" and 10 of "?" and "|".';

function compiled(text: string): RegExp | undefined {
  try {
    return new RegExp(text, 'u');
  } catch {
    return undefined; // The error repeats the text.
  }
}

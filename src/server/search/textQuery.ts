import type { LineQuery } from './lineQuery.ts';

/** What a person searches for. */
export interface TextQuery {
  readonly query: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/** The pattern of a query, or the reason, as finished sentences, why there is none. */
export type PatternOutcome =
  | { readonly ok: true; readonly pattern: LineQuery['pattern'] }
  | { readonly ok: false; readonly reason: string };

/** Reads a query. Matching is done by this server, with the regular expressions of JavaScript. */
export function readQuery({ query, isRegex, isCaseSensitive }: TextQuery): PatternOutcome {
  const problem = problemWith(query, isRegex);
  if (problem !== undefined) {
    return { ok: false, reason: problem };
  }
  if (!isRegex && isCaseSensitive) {
    return { ok: true, pattern: { kind: 'text', text: query } };
  }
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const flags = isCaseSensitive ? 'u' : 'iu';
  try {
    new RegExp(source, flags);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const hint = 'It has to be one of JavaScript, with the flag "u".';
    return { ok: false, reason: `The regular expression cannot be used: ${detail}. ${hint}` };
  }
  return { ok: true, pattern: { kind: 'regex', source, flags } };
}

const maxLength = 1000;

function problemWith(query: string, isRegex: boolean): string | undefined {
  if (query === '' || query.length > maxLength) {
    return `The query has to have 1 to ${maxLength} characters.`;
  }
  if (/\p{Surrogate}/u.test(query)) {
    return 'The query holds half of a character (a lone surrogate).';
  }
  if (query.includes('\0')) {
    return 'The query holds a NUL character, which no text does.';
  }
  return !isRegex && /[\r\n]/.test(query)
    ? 'The query holds an end of a line, but lines are searched one by one: search for one of them.'
    : undefined;
}

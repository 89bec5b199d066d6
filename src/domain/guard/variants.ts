import type { PathPlatform } from '../paths/pathNames.ts';
import {
  bestFit,
  decoded,
  stripped,
  unescaped,
  untilNul,
  withoutBraces,
  withoutBreaks,
} from './rewriting.ts';
import { withoutVariables, withWordsOfVariables } from './variables.ts';

/** What a program could make of a path; `undefined` when that is more than can be looked at. */
export function variantsOfPath(
  path: string,
  platform: PathPlatform,
): readonly string[] | undefined {
  return allOf(path, one => [
    ...rewritings(one, platform),
    unescaped(one, platform),
    withoutQuery(one),
  ]);
}

/**
 * What a program could make of a text that it takes for a path; `undefined` when that is more than
 * can be looked at. Escapes stay: in a text that may be anything they are those of a pattern.
 */
export function variantsOfText(
  text: string,
  platform: PathPlatform,
): readonly string[] | undefined {
  return allOf(text, one => rewritings(one, platform));
}

function allOf(
  text: string,
  rewritten: (text: string) => readonly string[],
): readonly string[] | undefined {
  if (isPlain.test(text)) {
    return [];
  }
  const found = new Set([text]);
  for (const one of found) {
    for (const another of rewritten(one)) {
      found.add(another);
    }
    if (found.size > mostVariants) {
      return undefined;
    }
  }
  found.delete(text);
  return [...found];
}

const mostVariants = 100;

const isPlain = /^[\w./@+,:=()[\]-]*$/;

function rewritings(text: string, platform: PathPlatform): readonly string[] {
  return [
    stripped(text),
    text.replace(/["'`]/g, ''),
    decoded(text),
    bestFit(text, platform),
    text.replaceAll('\\', '/'),
    withoutBreaks(text),
    untilNul(text),
    // What is nothing but a parameter is a name.
    withoutVariables(text) || text,
    withWordsOfVariables(text),
    ...withoutBraces(text),
  ];
}

/**
 * Without what may be the query or the fragment of a URI. The folders on the way to a root may have
 * these signs in their names, so that of an absolute path it is looked for in the last name only.
 */
function withoutQuery(text: string): string {
  const start = isAbsolute.test(text)
    ? text.replace(/[?#][^\\/]*$/, '')
    : text.replace(/[?#].*/s, '');
  return /[^\\/]/.test(start) ? start : text;
}

const isAbsolute = /^(?:[\\/]|[a-z]:)/i;

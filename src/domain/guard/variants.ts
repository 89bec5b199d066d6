import type { PathPlatform } from '../paths/pathNames.ts';
import { bestFit, decoded, stripped, withoutBraces, withoutVariables } from './rewriting.ts';

/** What a program could make of a path; `undefined` when that is more than can be looked at. */
export function variantsOf(path: string, platform: PathPlatform): readonly string[] | undefined {
  if (isPlain.test(path)) {
    return [];
  }
  const found = new Set([path]);
  for (const one of found) {
    for (const rewritten of rewritings(one, platform)) {
      found.add(rewritten);
    }
    if (found.size > mostVariants) {
      return undefined;
    }
  }
  found.delete(path);
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
    withoutVariables(text),
    ...withoutBraces(text),
  ];
}

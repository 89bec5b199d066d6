import { posix } from 'node:path';

/**
 * The absolute paths that a text names where it says that something is not there, or may not be read
 * or changed. Programs say it in as many ways as there are languages, so this is a guess, for a person
 * to look at.
 */
export function missingPaths(text: string, home: string): string[] {
  const said = text
    .slice(0, longestText)
    .split('\n')
    .filter(line => saysMissing.test(line));
  const found = said.flatMap(line => [...line.matchAll(path)].map(pathIn));
  return [...new Set(found.map(one => posix.normalize(one.replace(/^~(?=\/)/, home))))].slice(
    0,
    mostPaths,
  );
}

/** Whether a text says that no browser could be started, in the words of browsers and their drivers. */
export function saysNoBrowser(text: string): boolean {
  return noBrowser.test(text.slice(0, longestText));
}

/** More than any error has to say. */
const longestText = 20_000;
const mostPaths = 10;

const saysMissing =
  /\b(?:ENOENT|EACCES|EROFS|EPERM|no such file|not found|does not exist|cannot (?:open|access|find)|can't open|permission denied|read-only file system)\b/i;

/** The words of Chromium, Debian's script for it, Playwright and Puppeteer. */
const noBrowser =
  /process_singleton_posix|EAFNOSUPPORT[^\n]*\/pw-|\/etc\/chromium\.d\/|sandboxing failed|no usable sandbox|without --no-sandbox|failed to launch the browser|Target\.setDiscoverTargets|executable doesn't exist at|distribution '[\w-]+' is not found|could not find google chrome/i;

/** In quotes, or up to a blank or a colon. */
const path =
  /(?:(?<quote>['"`])(?<quoted>~?\/[^'"`\n]+)\k<quote>|(?<=^|[\s=(])(?<plain>~?\/[^\s:'"`,;()]*[^\s:'"`,;().]))/g;

function pathIn({ groups = {} }: RegExpMatchArray): string {
  return groups['quoted'] ?? groups['plain'] ?? '';
}

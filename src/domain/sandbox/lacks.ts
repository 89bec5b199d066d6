import { posix } from 'node:path';

/**
 * Finds absolute paths in an error text that says that something is missing, or can't be read or
 * changed. Programs have many words for this, so the result is a guess for a person to check.
 */
export function lackedPaths(text: string, home: string): string[] {
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

/** Our texts for what a sandbox denies besides files, by the key that {@link lackIn} returns. */
export const lackWords = {
  browser: "The server can't start a browser in its sandbox",
  sockets: 'The server can\'t use unix sockets, because its "sandbox" lacks "unixSockets"',
};

export type SandboxLack = keyof typeof lackWords;

/**
 * Returns what an error text says is lacking: a browser, in the words of browsers and their
 * drivers, or a unix socket. `undefined`: neither.
 */
export function lackIn(text: string, hasUnixSockets: boolean): SandboxLack | undefined {
  const start = text.slice(0, longestText);
  if (noBrowser.test(start)) {
    return 'browser';
  }
  return !hasUnixSockets && noSocket.test(start) ? 'sockets' : undefined;
}

/** The most characters to search: more than any sensible error has. */
const longestText = 20_000;
const mostPaths = 10;

const saysMissing =
  /\b(?:ENOENT|EACCES|EROFS|EPERM|no such file|not found|does not exist|cannot (?:open|access|find)|can't open|permission denied|read-only file system)\b/i;

/** The words of Chromium, Debian's script for it, Playwright and Puppeteer. */
const noBrowser =
  /process_singleton_posix|EAFNOSUPPORT[^\n]*\/pw-|\/etc\/chromium\.d\/|sandboxing failed|no usable sandbox|without --no-sandbox|failed to launch the browser|Target\.setDiscoverTargets|executable doesn't exist at|distribution '[\w-]+' is not found|could not find google chrome/i;

/** Errors for unix sockets of C, Node, Go, Python and Docker; no ports and no IPv6 addresses. */
const noSocket =
  /^(?!.*\b(?:tcp|udp)\b)(?=.*(?:EAFNOSUPPORT|address family not supported|errno 97\b))(?!.*(?:::|\d:\d+\s*$|localhost:)).*$|daemon at unix:\/\//im;

/** A path in quotes, or up to a blank or a colon. */
const path =
  /(?:(?<quote>['"`])(?<quoted>~?\/[^'"`\n]+)\k<quote>|(?<=^|[\s=(])(?<plain>~?\/[^\s:'"`,;()]*[^\s:'"`,;().]))/g;

function pathIn({ groups = {} }: RegExpMatchArray): string {
  return groups['quoted'] ?? groups['plain'] ?? '';
}

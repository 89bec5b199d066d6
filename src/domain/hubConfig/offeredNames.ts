import { createHash } from 'node:crypto';

/** A server's tool behind the hub that a client's name may mean. */
export interface OfferCandidate {
  readonly server: string;
  /** The tool's name on the server; `undefined` when only the server's list can tell. */
  readonly own: string | undefined;
}

// Models accept names of 64 characters, and clients put a prefix before each: VS Code's has up to
// 19. VS Code then cuts off what is too long, even if names differ only at their ends.
const longestName = 45;
const separator = '__';
/** The length of {@link pairHash}, made of `0` to `9` and `a` to `f`. */
const pairHashLength = 8;
const longestHashed = longestName - separator.length - '_'.length - pairHashLength;
/** At least this much of a server's name is in each name of its tools. */
const leastOfServer = 10;

// Without `__`, and without `_` at its end: so the first `__` of an offered name is the separator.
const plainServer = /^(?!.*__)[\w-]*[A-Za-z0-9-]$/;
const plainName = /^[\w-]+$/;
const hashed = /_[0-9a-f]{8}$/;

/**
 * The clients' name for a tool of a server: `server__name`. Parts and a hash replace it if the name
 * is ambiguous, too long, or has characters that some clients refuse. It follows from the pair
 * alone, and is never a tool of the hub itself: those have no `__`.
 */
export function offeredName(server: string, name: string): string {
  if (isPlain(server, name)) {
    return `${server}${separator}${name}`;
  }
  return `${shownPart(server, name)}_${pairHash(server, name)}`;
}

/**
 * The servers to which a tool of this name may belong: at most one if the name has no hash, because
 * it then contains the whole name of the server.
 */
export function nameCandidates(offered: string, servers: readonly string[]): OfferCandidate[] {
  const pair = plainPair(offered);
  if (pair) {
    return servers.includes(pair.server) ? [pair] : [];
  }
  return hashed.test(offered)
    ? servers
        .filter(server => offered.startsWith(fit(server).slice(0, leastOfServer)))
        .map(server => ({ server, own: undefined }))
    : [];
}

function plainPair(offered: string): OfferCandidate | undefined {
  const end = offered.indexOf(separator);
  const server = offered.slice(0, Math.max(end, 0));
  const own = offered.slice(end + separator.length);
  return end > 0 && isPlain(server, own) ? { server, own } : undefined;
}

function isPlain(server: string, name: string): boolean {
  const isShort = server.length + separator.length + name.length <= longestName;
  // A name that only looks hashed gets a hash, too: otherwise a server could take another's name.
  const isTold = isShort && !hashed.test(`${separator}${name}`);
  return isTold && plainServer.test(server) && plainName.test(name);
}

function shownPart(server: string, name: string): string {
  const ofServer = fit(server).slice(0, Math.max(leastOfServer, longestHashed - name.length));
  return `${ofServer}${separator}${fit(name).slice(0, longestHashed - ofServer.length)}`;
}

function fit(text: string): string {
  return text.slice(0, longestName).replace(/[^\w-]/g, '_');
}

/** Differs for any other two texts, and is the same in every session. */
function pairHash(first: string, second: string): string {
  // As JSON: either text may hold any separator, and half a surrogate pair is not valid UTF-8.
  const pair = JSON.stringify([first, second]);
  return createHash('sha256').update(pair).digest('hex').slice(0, pairHashLength);
}

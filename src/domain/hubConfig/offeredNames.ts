import { createHash } from 'node:crypto';

/** A tool of a server behind the hub that a client's name may stand for. */
export interface OfferCandidate {
  readonly server: string;
  /** Its name on the server; `undefined`: only the server's list can tell. */
  readonly own: string | undefined;
}

// Models take names of 64 characters, and clients put a prefix of their own before each: VS Code one
// of up to 19 characters, cutting off what is too long then, names that differ at their ends or not.
const longestName = 45;
const separator = '__';
/** The length of {@link pairHash}, whose characters are `0` to `9` and `a` to `f`. */
const pairHashLength = 8;
const longestHashed = longestName - separator.length - '_'.length - pairHashLength;
/** The least part of a server's name in each name of its tools. */
const leastOfServer = 10;

// Without `__` in it or `_` at its end, so that the first `__` of an offered name is the one put in.
const plainServer = /^(?!.*__)[\w-]*[A-Za-z0-9-]$/;
const plainName = /^[\w-]+$/;
const hashed = /_[0-9a-f]{8}$/;

/**
 * The name that clients have for a tool of a server: `server__name`, or a part of that and a hash where other pairs could have the same, or where it is too long or has characters that not
 * every client takes. It depends on nothing but the pair, and is no tool of the hub itself: those
 * have no `__`.
 */
export function offeredName(server: string, name: string): string {
  if (isPlain(server, name)) {
    return `${server}${separator}${name}`;
  }
  return `${shownPart(server, name)}_${pairHash(server, name)}`;
}

/** Whether clients have this name for that tool. */
export function isOfferedAs(server: string, name: string, offered: string): boolean {
  // Hashing takes longer than all else here, and is seldom needed to tell two names apart.
  const isLike = isPlain(server, name) || offered.startsWith(shownPart(server, name));
  return isLike && offeredName(server, name) === offered;
}

/**
 * The servers that a tool of this name can belong to: at most one when the name has no
 * hash, since then it holds the server's name in full.
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
  // A name that only looks hashed gets a hash too, or one server could name a tool as another's is.
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

/** Tells two texts from any other two, and is the same in every session. */
function pairHash(first: string, second: string): string {
  // As JSON, since either text may hold any separator, and half a surrogate pair is no UTF-8.
  const pair = JSON.stringify([first, second]);
  return createHash('sha256').update(pair).digest('hex').slice(0, pairHashLength);
}

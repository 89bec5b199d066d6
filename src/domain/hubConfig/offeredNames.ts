import { createHash } from 'node:crypto';

/** A tool behind the hub, and its server, that a client may mean by a name. */
export interface OfferCandidate {
  readonly server: string;
  /** The tool's name on the server; `undefined` when only the server's list of tools can tell. */
  readonly own: string | undefined;
}

// Models accept names of 64 characters. Clients put a prefix before each name: VS Code's has up to
// 19. VS Code cuts off the rest of a name, even if two names differ only in that rest.
const longestName = 45;
const separator = '__';
/** The length of a {@link pairHash}, whose characters are `0` to `9` and `a` to `f`. */
const pairHashLength = 8;
const longestHashed = longestName - separator.length - '_'.length - pairHashLength;
/** Each name of a tool has at least this many characters of its server's name. */
const leastOfServer = 10;

// A plain name has no `__` and no `_` at its end, so an offered name's first `__` separates.
const plainServer = /^(?!.*__)[\w-]*[A-Za-z0-9-]$/;
const plainName = /^[\w-]+$/;
const hashed = /_[0-9a-f]{8}$/;

/**
 * The name by which clients know a server's tool: `server__name`. If that is ambiguous, too long,
 * or has characters that some clients refuse, the name has parts of both and a hash. Only server
 * and tool decide the name. The hub's own tools have no `__` in their names, so none has this name.
 */
export function offeredName(server: string, name: string): string {
  if (isPlain(server, name)) {
    return `${server}${separator}${name}`;
  }
  return `${shownPart(server, name)}_${pairHash(server, name)}`;
}

/**
 * The servers to which a tool of this name may belong. A name without a hash has at most one
 * server, because it contains the whole name of the server.
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
  // A name that only looks hashed gets a hash, too. Otherwise one server could use another's name.
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

/** A short hash of two texts, the same in every session. */
function pairHash(first: string, second: string): string {
  // Hashes JSON: both texts may hold any separator, and half a surrogate pair has no UTF-8 form.
  const pair = JSON.stringify([first, second]);
  return createHash('sha256').update(pair).digest('hex').slice(0, pairHashLength);
}

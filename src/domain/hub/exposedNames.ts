import { pairHash, pairHashLength } from './pairHash.ts';

/** What a name upstream stands for. */
export interface NamedPair {
  readonly server: string;
  /** The tool or prompt, as its server calls it. */
  readonly name: string;
}

// Models take names of 64 characters, and clients put a prefix of their own before each: VS Code one
// of up to 19 characters, cutting off what is too long then, names that differ at their ends or not.
const longestName = 45;
const separator = '__';
const longestHashed = longestName - separator.length - '_'.length - pairHashLength;
/** Of a server's name, that much is in every name of its tools. */
const leastOfServer = 10;

// Without a separator in it or half of one at its end, so that the first one in a name is ours.
const plainServer = /^(?!.*__)[\w-]*[A-Za-z0-9-]$/;
const plainName = /^[\w-]+$/;
const hashed = /_[0-9a-f]{8}$/;

/**
 * The name upstream of a tool or prompt: `server__name`, or a part of that and a hash where other
 * pairs could have the same, or where it is too long or has characters that not every client takes.
 * It depends on nothing but the pair, and is no tool of the hub itself: those have no `__`.
 */
export function exposedName(server: string, name: string): string {
  if (isPlain(server, name)) {
    return `${server}${separator}${name}`;
  }
  return `${shownPart(server, name)}_${pairHash(server, name)}`;
}

/** Whether this is the name upstream of that tool or prompt. */
export function isExposedAs(server: string, name: string, exposed: string): boolean {
  // Hashing takes longer than all else here, and is seldom needed to tell two names apart.
  const isLike = isPlain(server, name) || exposed.startsWith(shownPart(server, name));
  return isLike && exposedName(server, name) === exposed;
}

/** What a name without a hash stands for; `undefined`: it has one, or is of no server. */
export function plainPair(exposed: string): NamedPair | undefined {
  const end = exposed.indexOf(separator);
  const server = exposed.slice(0, Math.max(end, 0));
  const name = exposed.slice(end + separator.length);
  return end > 0 && isPlain(server, name) ? { server, name } : undefined;
}

/** Whether a name with a hash can be of a tool or prompt of that server. */
export function canBeOf(server: string, exposed: string): boolean {
  return hashed.test(exposed) && exposed.startsWith(fit(server).slice(0, leastOfServer));
}

function isPlain(server: string, name: string): boolean {
  const isShort = server.length + separator.length + name.length <= longestName;
  // What looks like a hash has one: so a server can't name a tool like that of another.
  const isTold = isShort && !hashed.test(`${separator}${name}`);
  return isTold && plainServer.test(server) && plainName.test(name);
}

/** As much as fits of the names of a pair whose name upstream has a hash. */
function shownPart(server: string, name: string): string {
  const ofServer = fit(server).slice(0, Math.max(leastOfServer, longestHashed - name.length));
  return `${ofServer}${separator}${fit(name).slice(0, longestHashed - ofServer.length)}`;
}

function fit(text: string): string {
  return text.slice(0, longestName).replace(/[^\w-]/g, '_');
}

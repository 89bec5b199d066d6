import { expandBraces, type Glob, readGlobs } from '../glob/glob.ts';
import { isJsonObject } from '../json.ts';
import {
  checkKnown,
  type Key,
  type Mistakes,
  readChoice,
  readKeys,
  readTexts,
  texts,
} from '../settings/mistakes.ts';
import { joinedName } from './argumentMeaning.ts';

/** The rules on arguments in the hub's configuration, for a server or one of its tools. */
export interface RuleSet {
  /** Whether arguments are checked; `undefined` when the configuration does not say. */
  readonly check: 'on' | 'off' | undefined;
  /** Names whose values are paths, besides the names that we know. */
  readonly checkNames: readonly string[];
  /** Names whose values are never paths. */
  readonly leaveNames: readonly string[];
  /**
   * Patterns that find more paths in texts, even in contents. A path is the first group of a match
   * or the whole match. If the patterns take too long for a call, the call is refused.
   */
  readonly pathPatterns: readonly RegExp[];
  /** Only this part of each root can be used; `undefined` when the whole root can. */
  readonly allow: Glob | undefined;
  /** This part of each root can't be used. */
  readonly deny: Glob | undefined;
}

export interface ServerRules extends RuleSet {
  readonly tools: ReadonlyMap<string, RuleSet>;
}

/** The rules for one call, prepared for checking. Names are in the form of `joinedName`. */
export interface Rules {
  readonly isOff: boolean;
  readonly checkNames: ReadonlySet<string>;
  readonly leaveNames: ReadonlySet<string>;
  readonly pathPatterns: readonly RegExp[];
  /** A path must match all of these globs. */
  readonly allow: readonly Glob[];
  /** A path must match none of these globs. */
  readonly deny: readonly Glob[];
}

/**
 * The rules for a tool: the tool's own rules and its server's. The tool's `check` replaces the
 * server's `check`. For a name that the tool lists, the tool decides. All other rules add up.
 */
export function rulesFor(server: ServerRules, tool: string): Rules {
  const own = server.tools.get(tool);
  const sets: readonly RuleSet[] = own ? [server, own] : [server];
  const ownCheck = own?.checkNames ?? [];
  const ownLeave = own?.leaveNames ?? [];
  return {
    isOff: (own?.check ?? server.check) === 'off',
    checkNames: names(server.checkNames, ownLeave, ownCheck),
    leaveNames: names(server.leaveNames, ownCheck, ownLeave),
    pathPatterns: sets.flatMap(set => set.pathPatterns.map(findingAll)),
    allow: sets.flatMap(({ allow }) => allow ?? []),
    deny: sets.flatMap(({ deny }) => deny ?? []),
  };
}

function names(
  ofServer: readonly string[],
  overruled: readonly string[],
  ofTool: readonly string[],
): ReadonlySet<string> {
  const found = new Set(ofServer.map(joinedName));
  for (const name of overruled) {
    found.delete(joinedName(name));
  }
  return new Set([...found, ...ofTool.map(joinedName)]);
}

function findingAll(pattern: RegExp): RegExp {
  const flags = pattern.flags.replace(/[gy]/g, '');
  return new RegExp(pattern.source, `${flags}g`);
}

const onOrOff = ['on', 'off'] as const;

/** The keys of the rules on the arguments of a server or a tool. */
export const ruleKeys: { readonly [K in keyof RuleSet]: Key<RuleSet[K], []> } = {
  check: {
    form: { enum: onOrOff },
    read: (value, mistakes) => readChoice(value, mistakes, onOrOff),
  },
  checkNames: { form: texts, read: readNames },
  leaveNames: { form: texts, read: readNames },
  pathPatterns: { form: texts, read: readPatterns },
  allow: { form: texts, read: readGlob },
  deny: { form: texts, read: readGlob },
};

const tools: Key<ServerRules['tools'], []> = {
  form: { type: 'object', additionalProperties: { type: 'object', properties: ruleKeys } },
  read: readTools,
};

/**
 * Returns the key `guard` of a server: the rules on its arguments and on its tools' arguments. If
 * the reader notes a mistake, use none of the rules, because the faulty rule may matter most.
 */
export function guardKey(): Key<ServerRules, []> {
  const properties = { ...ruleKeys, tools };
  return {
    form: { type: 'object', properties },
    read: (value = {}, mistakes) => {
      const rules = isJsonObject(value) ? value : {};
      if (rules !== value) {
        mistakes.addAt([], 'must be an object of rules, such as { "deny": ["**/.env"] }.');
      }
      checkKnown(rules, Object.keys(properties), mistakes);
      return readKeys(rules, properties, mistakes);
    },
  };
}

/**
 * The globs that begin with a slash in the rules of a server and its tools, each once. Such a glob
 * starts at the root, but `ruleWarnings` warns if its author seems to mean a path of the disk.
 */
export function globsFromRoot(rules: unknown): readonly string[] {
  const { tools } = Object(rules);
  const sets = [rules, ...(isJsonObject(tools) ? Object.values(tools) : [])].filter(isJsonObject);
  const globs = sets.flatMap(({ allow, deny }) => [allow, deny].filter(isList).flat());
  const texts = globs.filter(glob => typeof glob === 'string');
  return [...new Set(texts.filter(text => text.startsWith('/')))];
}

function readTools(value: unknown, mistakes: Mistakes): ReadonlyMap<string, RuleSet> {
  if (value !== undefined && !isJsonObject(value)) {
    mistakes.addAt([], 'must be an object with the rules of each tool.');
  }
  const tools = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(
    tools.flatMap(([name, rules]) => {
      const read = mistakes.within([name], () => readTool(rules, mistakes));
      return read ? [[name, read]] : [];
    }),
  );
}

function readTool(value: unknown, mistakes: Mistakes): RuleSet | undefined {
  if (!isJsonObject(value)) {
    mistakes.addAt([], 'must be an object of rules, such as { "deny": ["**/.env"] }.');
    return undefined;
  }
  checkKnown(value, Object.keys(ruleKeys), mistakes);
  return readKeys(value, ruleKeys, mistakes);
}

function readNames(value: unknown, mistakes: Mistakes): readonly string[] {
  const names = readList(value, mistakes) ?? [];
  for (const { place } of names.filter(({ text }) => text.trim() === '')) {
    mistakes.addAt(place, 'must be the name of an argument.');
  }
  return names.map(({ text }) => text);
}

function readPatterns(value: unknown, mistakes: Mistakes): readonly RegExp[] {
  return (readList(value, mistakes) ?? []).flatMap(({ place, text }) => {
    const isOfSize = text !== '' && text.length <= maxPattern;
    const pattern = isOfSize ? compiled(text) : undefined;
    if (!isOfSize) {
      mistakes.addAt(place, `must have 1 to ${maxPattern} characters.`);
    } else if (!pattern) {
      mistakes.addAt(place, 'must be a regular expression of JavaScript (with its flag "u").');
    }
    return pattern ?? [];
  });
}

function readGlob(value: unknown, mistakes: Mistakes): Glob | undefined {
  const texts = readList(value, mistakes);
  let isWrong = false;
  for (const { place, text } of texts ?? []) {
    const problem = globProblem(text);
    if (problem !== undefined) {
      mistakes.addAt(place, problem);
      isWrong = true;
    }
  }
  if (!texts || isWrong) {
    return undefined;
  }
  const read = readGlobs(
    texts.map(({ text }) => text),
    'entry-and-below',
  );
  if (!read.ok) {
    mistakes.addAt([], 'expands to too many globs. Write fewer.');
  }
  return read.ok ? read.glob : undefined;
}

function readList(value: unknown, mistakes: Mistakes) {
  return readTexts(value, mistakes) && isList(value)
    ? value.flatMap((text, index) => (typeof text === 'string' ? [{ place: [index], text }] : []))
    : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * The mistake in a glob that narrows the roots, as the end of a sentence; `undefined`: no mistake.
 *
 * A glob that can match nothing is a mistake, too: its author would believe a file protected.
 */
function globProblem(text: string): string | undefined {
  if (/\$\{/.test(text)) {
    return elsewhere;
  }
  if (!readGlobs([text], 'entry-and-below').ok) {
    return noGlob;
  }
  // `readGlobs` has limited the number of globs already.
  const globs = expandBraces(text, Number.POSITIVE_INFINITY) ?? [];
  if (globs.some(isFromElsewhere)) {
    return elsewhere;
  }
  if (/\\(?![[\]{}!,-])/.test(text)) {
    return parting;
  }
  return globs.some(hasNoName) ? nothing : undefined;
}

const noGlob =
  'must be a glob below the roots, such as "src/**" or "**/.env". It must not begin with "!" or contain "..", and its braces and brackets must be closed.';
const elsewhere =
  'must begin at the roots, as "src/**", "/.env" and "**/.env" do. Write no "~", drive, "file:" or variable.';
// A Windows path as a glob would only match names with a backslash. Windows has no such names.
const parting =
  'must have "/" between names. Write "\\" only before a bracket, a brace, "!", "," or "-".';
const nothing = 'would match nothing. Write one "/" between names, and no name "." or "..".';

function isFromElsewhere(glob: string): boolean {
  return /^(?:~(?:[\\/]|$)|[a-z]:[\\/]|file:)/i.test(glob);
}

function hasNoName(glob: string): boolean {
  const names = glob
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('/');
  return names.some(name => name === '' || name === '.' || name === '..');
}

const maxPattern = 500;

/**
 * A regular expression that finds paths in texts; `undefined` when it is invalid. The guard limits
 * the time that it may run.
 */
function compiled(text: string): RegExp | undefined {
  try {
    return new RegExp(text, 'u');
  } catch {
    return undefined; // The error only repeats the text.
  }
}

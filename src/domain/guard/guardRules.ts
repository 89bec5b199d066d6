import { expandBraces, type Glob, readGlobs } from '../glob/glob.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
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

/** The hub's configuration of how arguments are checked, for a server or for one of its tools. */
export interface RuleSet {
  /** `undefined`: nothing is said. */
  readonly guard: 'on' | 'off' | undefined;
  /** Names whose values are paths, besides those that always are. */
  readonly checkNames: readonly string[];
  /** Names whose values are no paths. */
  readonly leaveNames: readonly string[];
  /**
   * Patterns that find further paths in texts, contents included: the first group of a match, else
   * the whole of it. A call is refused whose texts they take too long on.
   */
  readonly pathPatterns: readonly RegExp[];
  /** The part of each root that may be used; `undefined`: all of it. */
  readonly allow: Glob | undefined;
  /** The part of each root that must not be used. */
  readonly deny: Glob | undefined;
}

export interface ServerRules extends RuleSet {
  readonly tools: ReadonlyMap<string, RuleSet>;
}

/** The rules that hold for one call, prepared for checking. Names are in the form of `joinedName`. */
export interface Rules {
  readonly isOff: boolean;
  readonly checkNames: ReadonlySet<string>;
  readonly leaveNames: ReadonlySet<string>;
  readonly pathPatterns: readonly RegExp[];
  /** Every one of them has to match. */
  readonly allow: readonly Glob[];
  /** None of them may match. */
  readonly deny: readonly Glob[];
}

/**
 * The rules for a tool: its own beside those of its server. `guard` of the tool replaces that
 * of the server, a name that the tool lists is treated as the tool says, everything else adds up.
 */
export function rulesFor(server: ServerRules, tool: string): Rules {
  const own = server.tools.get(tool);
  const sets: readonly RuleSet[] = own ? [server, own] : [server];
  const ownCheck = own?.checkNames ?? [];
  const ownLeave = own?.leaveNames ?? [];
  return {
    isOff: (own?.guard ?? server.guard) === 'off',
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

/** The keys that say how the arguments of a server, or of one of its tools, are checked. */
export const ruleKeys: { readonly [K in keyof RuleSet]: Key<RuleSet[K], []> } = {
  guard: {
    form: { enum: onOrOff },
    read: (value, mistakes) => readChoice(value, mistakes, onOrOff),
  },
  checkNames: { form: texts, read: readNames },
  leaveNames: { form: texts, read: readNames },
  pathPatterns: { form: texts, read: readPatterns },
  allow: { form: texts, read: readGlob },
  deny: { form: texts, read: readGlob },
};

/** The key that has such rules for single tools, by name. */
export const tools: Key<ServerRules['tools'], []> = {
  form: { type: 'object', additionalProperties: { type: 'object', properties: ruleKeys } },
  read: readTools,
};

/**
 * Reads the rules on the arguments of a server. To be used only without a mistake: a rule that was not
 * understood may be the one that matters.
 */
export function readServerRules(entry: JsonObject, mistakes: Mistakes): ServerRules {
  return readKeys(entry, { ...ruleKeys, tools }, mistakes);
}

/**
 * The globs in the rules of a server and of its tools that begin with a slash, each once. They are
 * meant from the root on; `ruleWarnings` warns where a whole path was written by mistake.
 */
export function globsFromRoot(entry: JsonObject): readonly string[] {
  const { tools } = entry;
  const sets = [entry, ...(isJsonObject(tools) ? Object.values(tools) : [])].filter(isJsonObject);
  const globs = sets.flatMap(({ allow, deny }) => [allow, deny].filter(isList).flat());
  const texts = globs.filter(glob => typeof glob === 'string');
  return [...new Set(texts.filter(text => text.startsWith('/')))];
}

function readTools(value: unknown, mistakes: Mistakes): ReadonlyMap<string, RuleSet> {
  if (value !== undefined && !isJsonObject(value)) {
    mistakes.addAt([], 'must be an object of rules by tool. It does not choose tools.');
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
    mistakes.addAt([], 'stands for too many globs. Write fewer.');
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
 * The mistake in a glob that narrows the roots, to be read after its place; `undefined`: none.
 *
 * One that could match nothing is a mistake, too: its author would take a file for safe that is not.
 */
function globProblem(text: string): string | undefined {
  if (/\$\{/.test(text)) {
    return elsewhere;
  }
  if (!readGlobs([text], 'entry-and-below').ok) {
    return noGlob;
  }
  // That they are not too many is known by now.
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
  'must be a glob below the roots, such as "src/**" or "**/.env": without "!" before it and "..", and with its braces and brackets closed.';
const elsewhere =
  'must begin at the roots, as "src/**", "/.env" and "**/.env" do: with no "~", drive, "file:" or variable.';
// The paths of Windows would match, if anything, a name with a backslash in it, which none has there.
const parting =
  'must have "/" between names. A "\\" is only for a bracket, a brace, "!", "," or "-" after it.';
const nothing = 'could match nothing: write one "/" between names, and no "." or ".." for one.';

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
 * A regular expression that finds paths in texts; `undefined`: it is none. How long it may take is
 * limited when it is tried.
 */
function compiled(text: string): RegExp | undefined {
  try {
    return new RegExp(text, 'u');
  } catch {
    return undefined; // The error repeats the text.
  }
}

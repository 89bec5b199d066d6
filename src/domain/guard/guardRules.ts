import type { Glob } from '../glob/glob.ts';
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
 * Without a tool, as for prompts and resources, the rules of the server hold alone.
 */
export function rulesFor(server: ServerRules, tool: string | undefined): Rules {
  const own = tool === undefined ? undefined : server.tools.get(tool);
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

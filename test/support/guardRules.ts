import { type RuleSet, type Rules, rulesFor } from '../../src/domain/guard/guardRules.ts';
import type { GuardDisk } from '../../src/hub/guard/pathJudge.ts';

/** The rules for a tool of a server of which the configuration says this, and of the tool that. */
export function guardRules(server: Partial<RuleSet> = {}, tool?: Partial<RuleSet>): Rules {
  const tools = new Map(tool ? [['tool', { ...silent, ...tool }]] : []);
  return rulesFor({ ...silent, ...server, tools }, 'tool');
}

const silent: RuleSet = {
  guard: undefined,
  checkNames: [],
  leaveNames: [],
  pathPatterns: [],
  allow: undefined,
  deny: undefined,
};

/** A disk of any system on which everything leads somewhere, and nothing is a link. */
export const lexicalDisk: Omit<GuardDisk, 'locate'> = {
  isThere: () => true,
  isFirstThere: () => true,
  canBeMade: () => true,
  kernelPath: () => undefined,
};

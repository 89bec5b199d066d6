import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { judgePaths, type PathsVerdict } from '../../src/domain/gate/pathsInRoots.ts';
import { type Glob, readGlobs } from '../../src/domain/glob/glob.ts';
import { type RuleSet, type Rules, rulesFor } from '../../src/domain/guard/guardRules.ts';
import type { GuardMachine, Judging } from '../../src/domain/guard/pathJudge.ts';
import { thisMachine } from '../../src/hub/guard/thisMachine.ts';
import { PinnedRoots } from '../../src/server/roots/rootFolders.ts';
import { thisPlatform } from './systems.ts';
import { linkTree, tempFolder, writeTree } from './temp.ts';

/** The rules for a tool, from these rules of the server and those of the tool. */
export function guardRules(server: Partial<RuleSet> = {}, tool?: Partial<RuleSet>): Rules {
  const tools = new Map(tool ? [['tool', { ...silent, ...tool }]] : []);
  return rulesFor({ ...silent, ...server, tools }, 'tool');
}

const silent: RuleSet = {
  check: undefined,
  checkNames: [],
  leaveNames: [],
  pathPatterns: [],
  allow: undefined,
  deny: undefined,
};

/** A glob as rules have it. */
export function globs(...texts: readonly string[]): Glob | undefined {
  const read = readGlobs(texts, 'entry-and-below');
  return read.ok ? read.glob : undefined;
}

/** A disk of any system on which everything leads somewhere, and nothing is a link. */
export const lexicalDisk: Omit<GuardMachine, 'locate'> = {
  isThere: () => true,
  isFirstThere: () => true,
  canBeMade: () => true,
  kernelPath: () => undefined,
  inTime: thisMachine.inTime,
};

/** A new folder with these files, and links where possible. Its `root` is the only root. */
export function guardedTree(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>>,
) {
  const top = tempFolder(t);
  const root = join(top, 'root');
  writeTree(top, files);
  linkTree(top, links);
  const { scope } = new PinnedRoots([{ uri: pathToFileURL(root).href }], thisPlatform).folders;
  const judging = { rules: guardRules(), scope, bases: [root], machine: thisMachine };
  const verdictOn = (args: unknown, other: Partial<Judging> = {}): PathsVerdict =>
    judgePaths({ file: 'hub.json', server: 'files', tool: 'read', args }, { ...judging, ...other });
  /** The refused arguments among these. */
  const refused = (some: readonly unknown[], rules: Partial<RuleSet> = {}) =>
    some.filter(args => verdictOn(args, { rules: guardRules(rules) }).kind !== 'allowed');
  return { top, root, scope, rules: { ...silent, tools: new Map() }, verdictOn, refused };
}

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RuleSet } from '../../src/domain/guard/guardRules.ts';
import { judge, type Verdict } from '../../src/hub/guard/judge.ts';
import type { Judging } from '../../src/hub/guard/pathJudge.ts';
import { PinnedRoots } from '../../src/server/roots/rootFolders.ts';
import { guardRules } from './guardRules.ts';
import { thisPlatform } from './systems.ts';
import { linkTree, tempFolder, writeTree } from './temp.ts';

/** A new folder with these files, and links to others of them where links can be made, in which `root` is the only root. */
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
  const judging = { rules: guardRules(), scope, bases: [root] };
  const verdictOn = (args: unknown, other: Partial<Judging> = {}): Verdict =>
    judge({ file: 'hub.json', server: 'files', tool: 'read', args }, { ...judging, ...other });
  /** Those of some arguments that are not let through. */
  const refused = (some: readonly unknown[], rules: Partial<RuleSet> = {}) =>
    some.filter(args => verdictOn(args, { rules: guardRules(rules) }).kind !== 'allowed');
  return { top, root, scope, verdictOn, refused };
}

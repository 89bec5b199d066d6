import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RuleSet } from '../../src/domain/guard/guardRules.ts';
import { judge } from '../../src/hub/guard/judge.ts';
import { prepareRootFolders } from '../../src/server/roots/rootFolders.ts';
import { guardRules } from './guardRules.ts';
import { thisPlatform } from './systems.ts';
import { tempFolder, writeTree } from './temp.ts';

/** Which of some arguments the guard refuses where `root/link` leads to `out/`, beside the only root. */
export function guardedTree(
  t: Pick<TestContext, 'after'>,
): (some: readonly unknown[], rules?: Partial<RuleSet>) => readonly unknown[] {
  const top = tempFolder(t);
  const root = join(top, 'root');
  mkdirSync(root);
  writeTree(top, { 'root/in.txt': 'text', 'root/.env': 'text', 'out/secret.txt': 'text' });
  symlinkSync(join(top, 'out'), join(root, 'link'), 'junction');
  const { scope } = prepareRootFolders([{ uri: pathToFileURL(root).href }], thisPlatform);
  return (some, rules) =>
    some.filter(args => {
      const call = { server: 'server', tool: 'tool', args };
      return judge(call, { rules: guardRules(rules), scope, bases: [root] }).kind !== 'allowed';
    });
}

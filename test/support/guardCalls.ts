import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type JudgedCall, judgeOn } from '../../src/hub/guard/judge.ts';
import { type GuardDisk, thisDisk } from '../../src/hub/guard/pathJudge.ts';
import { prepareRootFolders } from '../../src/server/roots/rootFolders.ts';
import { guardRules } from './guardRules.ts';
import { thisPlatform } from './systems.ts';
import { tempFolder, writeTree } from './temp.ts';

/** The calls in a list, in which `$ROOT` stands for the only root and `$OUT` for a folder beside it. */
export function callsIn(list: 'guardHarmless' | 'guardHostile'): readonly JudgedCall[] {
  const file = new URL(`../unit/fixtures/${list}.json`, import.meta.url);
  const groups: readonly Group[] = JSON.parse(readFileSync(file, 'utf8'));
  return groups.flatMap(({ server, tool, inputSchema, calls }) =>
    calls.map(args => ({ server, tool, args, schema: inputSchema })),
  );
}

interface Group {
  readonly server: string;
  readonly tool: string;
  readonly inputSchema?: object;
  readonly calls: readonly object[];
}

/** Judges such calls in a root with a link to that folder, as on Linux for a user who may write anywhere. */
export function judgeCalls(t: Pick<TestContext, 'after'>): (call: JudgedCall) => string {
  const top = tempFolder(t);
  const [root, out] = [join(top, 'root'), join(top, 'out')];
  mkdirSync(out);
  writeTree(root, { 'src/index.ts': '', 'README.md': '', 'package.json': '', 'docs/a.md': '' });
  writeTree(out, { key: '' });
  symlinkSync(out, join(root, 'link'), 'junction');
  const { scope } = prepareRootFolders([{ uri: pathToFileURL(root).href }], thisPlatform);
  const disk: GuardDisk = {
    ...thisDisk,
    isFirstThere: path => path.startsWith(top) || ofLinux.test(path),
    canBeMade: () => true,
  };
  const placed = (args: unknown) =>
    JSON.parse(JSON.stringify(args).replaceAll('$ROOT', root).replaceAll('$OUT', out));
  return call => {
    const placedCall = { ...call, args: placed(call.args) };
    return judgeOn({ rules: guardRules(), scope, bases: [root], disk }, placedCall).kind;
  };
}

const ofLinux =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var)(?:\/|$)/;

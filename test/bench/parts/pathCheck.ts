import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PathPlatform } from '../../../src/domain/paths/pathNames.ts';
import type { PathScope } from '../../../src/domain/paths/pathScope.ts';
import { judge, type Verdict } from '../../../src/hub/guard/judge.ts';
import { PinnedRoots } from '../../../src/server/roots/rootFolders.ts';
import { guardRules } from '../../support/guardRules.ts';
import type { Bench, Part } from '../bench.ts';
import { type Figure, percentile } from '../figures.ts';
import { playground } from '../hubSides.ts';
import type { Product } from '../product.ts';
import { race, type Side } from '../race.ts';
import { againstAll, type Row } from '../row.ts';
import { textOfSize } from '../trees.ts';

/** How quickly paths are checked, in this process: one against many roots, and those in arguments. */
export const pathCheckPart: Part = {
  name: 'check',
  comparesRevisions: true,
  async run(bench) {
    return [
      await checkRow(bench, 1),
      await checkRow(bench, 1000),
      ...(bench.before ? [] : guardRows(bench)),
    ];
  },
};

type Check = (path: string) => boolean;

/** How long a path takes to check, without a file call. */
async function checkRow({ ours, before, isQuick }: Bench, count: number) {
  const roots = Array.from({ length: count }, (_, at) => `/proj/area-${at % 10}/project-${at}`);
  const checks: readonly (Pick<Side, 'name' | 'role'> & { check: Check; times: number })[] = [
    { name: ours.name, check: await checkOf(ours, roots), times: 200_000 },
    before
      ? { name: before.name, role: 'before', check: await checkOf(before, roots), times: 200_000 }
      : {
          ...{ name: 'server-filesystem 2.0.1', role: 'theirs' },
          check: await referenceCheck(roots),
          times: count === 1 ? 50_000 : 1000,
        },
  ];
  const sides = checks.map(({ check, times, ...side }) => ({
    ...side,
    sample: async () => microseconds(check, roots, times),
  }));
  const raced = await race(sides, { warmUp: 2, rounds: isQuick ? 4 : 16, each: 1 });
  const [row] = againstAll(`check a path against ${count} roots`, raced);
  const figure = (side: string | undefined): Figure => {
    return { amount: raced.percentile(side ?? '', 50), unit: 'µs' };
  };
  const figures = { ...row!, ours: figure(ours.name), theirs: figure(row?.against) };
  return before
    ? figures
    : {
        ...figures,
        value: 1 / figures.ours.amount,
        unit: 'million/s' as const,
        ...(count === 1000 && { target: { atLeast: 2 } }),
      };
}

async function checkOf({ folder }: Product, roots: readonly string[]): Promise<Check> {
  const file = join(folder, 'src', 'domain', 'paths', 'pathScope.ts');
  const module = await import(pathToFileURL(file).href);
  const scope: PathScope = new module.PathScope(
    roots.map(root => ({ announced: root, real: root, foldsCase: false })),
    'linux',
  );
  return path => {
    const parsed = scope.parse(path);
    return parsed.ok && scope.find(parsed.path) !== undefined;
  };
}

/** What a check takes. Half of the paths lie inside, half do not. */
function microseconds(check: Check, roots: readonly string[], times: number): number {
  const paths = Array.from({ length: 512 }, (_, at) => {
    const root = roots[(at * 7) % roots.length] ?? '';
    return `${root}${at % 2 === 0 ? '' : '-other'}/src/views/serversTree-${at}.ts`;
  });
  let inside = 0;
  const start = performance.now();
  for (let done = 0; done < times; done++) {
    inside += check(paths[done % paths.length] ?? '') ? 1 : 0;
  }
  const taken = performance.now() - start;
  if (Math.abs(inside - times / 2) > paths.length) {
    throw new Error(`${inside} of ${times} paths were found inside: half of them are.`);
  }
  return (taken * 1000) / times;
}

async function referenceCheck(roots: readonly string[]): Promise<Check> {
  const manifest = createRequire(import.meta.url).resolve('server-filesystem-2/package.json');
  const file = join(dirname(manifest), 'dist', 'path-validation.js');
  const module = await import(pathToFileURL(file).href);
  return path => module.isPathWithinAllowedDirectories(path, roots);
}

/** How long the guard takes for arguments of 1 KB, in this process; it looks at the disk, too. */
function guardRows(bench: Bench): readonly Row[] {
  const { folders, path } = playground(bench);
  const uris = folders.map(folder => ({ uri: pathToFileURL(folder).href }));
  const { scope } = new PinnedRoots(uris, process.platform as PathPlatform).folders;
  const bases = folders.slice(0, 1);
  return kinds(path, folders[1] ?? '').map(({ what, args, verdict }) => {
    const rules = guardRules();
    const sample = () => {
      const started = performance.now();
      const { kind } = judge(
        { file: 'servers.json', server: 'server', tool: 'tool', args },
        { rules, scope, bases },
      );
      const time = performance.now() - started;
      if (kind !== verdict) {
        throw new Error(`The guard says ${kind} to ${what}.`);
      }
      return time * 1000;
    };
    const times = Array.from({ length: bench.isQuick ? 5_000 : 50_000 }, sample).slice(1000);
    const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
    return {
      what: `the guard (95th): ${JSON.stringify(args).length} bytes with ${what}`,
      ours: { amount: p50, unit: 'µs', note: p95.toFixed(1) },
      value: p50,
      unit: 'µs',
      target: { atMost: 50 },
    };
  });
}

interface Kind {
  readonly what: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly verdict: Verdict['kind'];
}

function kinds(path: string, other: string): readonly Kind[] {
  const edits = [{ oldText: textOfSize(350), newText: textOfSize(350) }];
  const prose = textOfSize(900).replaceAll('\n', ' ');
  const options = Object.fromEntries(
    Array.from({ length: 24 }, (_, at) => [`option${at}`, [`--level=${at}`, at, 'src/a.ts']]),
  );
  return [
    { what: 'a path and edits', args: { path, edits }, verdict: 'allowed' },
    { what: 'prose', args: { query: prose, limit: 10 }, verdict: 'allowed' },
    { what: 'many options', args: { path, options }, verdict: 'allowed' },
    { what: 'a path outside', args: { path: `${other}-2/a`, edits }, verdict: 'denied' },
  ];
}

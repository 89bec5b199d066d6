import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PathScope } from '../../../src/domain/paths/pathScope.ts';
import type { Part } from '../bench.ts';
import { median } from '../figures.ts';
import type { Row } from '../row.ts';

/** How many paths a second are checked, in this process and without a file call. */
export const pathCheckPart: Part = {
  name: 'check',
  async run({ isQuick }) {
    const rounds = isQuick ? 5 : 15;
    const rows: Row[] = [];
    for (const count of [1, 1000]) {
      rows.push(await measure(count, rounds));
    }
    return rows;
  },
};

type Check = (path: string) => boolean;

async function measure(count: number, rounds: number): Promise<Row> {
  const roots = Array.from({ length: count }, (_, at) => `/proj/area-${at % 10}/project-${at}`);
  const scope = new PathScope(
    roots.map(root => ({ announced: root, real: root, foldsCase: false })),
    'linux',
  );
  const ours: Check = path => {
    const parsed = scope.parse(path);
    return parsed.ok && scope.find(parsed.path) !== undefined;
  };
  const reference = await referenceCheck();
  const theirs: Check = path => reference(path, roots);
  const [mine, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    mine.push(rate(ours, roots, 200_000));
    others.push(rate(theirs, roots, count === 1 ? 50_000 : 1000));
  }
  const shown = (rates: readonly number[]) => `${(median(rates) / 1e6).toFixed(3)} million/s`;
  return {
    what: `check a path against ${count} roots`,
    against: 'server-filesystem 2.0.1',
    ours: shown(mine),
    theirs: shown(others),
    value: median(mine) / 1e6,
    unit: 'million/s',
    ...(count === 1000 && { target: { atLeast: 1.5 } }),
  };
}

/** Half of the paths lie inside, half do not. */
function rate(check: Check, roots: readonly string[], times: number): number {
  const paths = Array.from({ length: 512 }, (_, at) => {
    const root = roots[(at * 7) % roots.length] ?? '';
    return `${root}${at % 2 === 0 ? '' : '-other'}/src/views/serversTree-${at}.ts`;
  });
  let inside = 0;
  const start = performance.now();
  for (let done = 0; done < times; done++) {
    inside += check(paths[done % paths.length] ?? '') ? 1 : 0;
  }
  const seconds = (performance.now() - start) / 1000;
  if (Math.abs(inside - times / 2) > paths.length) {
    throw new Error(`${inside} of ${times} paths were found inside: half of them are.`);
  }
  return times / seconds;
}

async function referenceCheck(): Promise<(path: string, roots: readonly string[]) => boolean> {
  const manifest = createRequire(import.meta.url).resolve('server-filesystem-2/package.json');
  const module = await import(join(dirname(manifest), 'dist', 'path-validation.js'));
  return module.isPathWithinAllowedDirectories;
}

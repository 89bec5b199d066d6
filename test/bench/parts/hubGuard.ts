import { pathToFileURL } from 'node:url';
import type { PathPlatform } from '../../../src/domain/paths/pathNames.ts';
import { judge, type Verdict } from '../../../src/hub/guard/judge.ts';
import { prepareRootFolders } from '../../../src/server/roots/rootFolders.ts';
import { guardRules } from '../../support/guardRules.ts';
import type { Bench } from '../bench.ts';
import { percentile } from '../figures.ts';
import type { Playground } from '../hubSides.ts';
import type { Row } from '../row.ts';
import { textOfSize } from '../trees.ts';

/** How long the guard takes for arguments of 1 KB, in this process; it looks at the disk, too. */
export function guardRows({ isQuick }: Bench, { folders, path }: Playground): readonly Row[] {
  const uris = folders.map(folder => ({ uri: pathToFileURL(folder).href }));
  const { scope } = prepareRootFolders(uris, process.platform as PathPlatform);
  const bases = folders.slice(0, 1);
  return kinds(path, folders[1] ?? '').map(({ what, args, verdict }) => {
    const rules = guardRules();
    const sample = () => {
      const started = performance.now();
      const { kind } = judge({ server: 'server', tool: 'tool', args }, { rules, scope, bases });
      const time = performance.now() - started;
      if (kind !== verdict) {
        throw new Error(`The guard says ${kind} to ${what}.`);
      }
      return time * 1000;
    };
    const times = Array.from({ length: isQuick ? 5_000 : 50_000 }, sample).slice(1000);
    const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
    return {
      what: `the guard (95th): ${JSON.stringify(args).length} bytes with ${what}`,
      ours: `${p50.toFixed(1)} (${p95.toFixed(1)}) µs`,
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

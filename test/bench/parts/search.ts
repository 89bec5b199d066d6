import type { Bench, Part } from '../bench.ts';
import { bundledServers } from '../contenders.ts';
import { race } from '../race.ts';
import { againstAll, type Row, type Terms } from '../row.ts';
import { ripgrepSearch, searchCall, searchSide, searchWays } from '../searches.ts';
import { open } from '../session.ts';

/** How much longer than ripgrep itself a search may take, by how many files there are. */
const limits = {
  'with ripgrep': { 10000: 2, 100000: 1.1 },
  'without ripgrep': { 10000: 3, 100000: 2 },
} as const;

/** How long it takes to search the text of all files, against ripgrep itself. */
export const searchPart: Part = {
  name: 'search',
  comparesRevisions: true,
  async run(bench) {
    const rows: Row[] = [];
    for (const files of [10_000, 100_000] as const) {
      for (const { name, args } of searchWays) {
        const terms = {
          floor: { atMost: limits[name][files] },
        };
        const scene = { what: `search-text in ${files}, ${name}`, files, terms };
        rows.push(...(await rowsFor(bench, { ...scene, args: args(bench.ripgrep) })));
      }
    }
    return rows;
  },
};

interface Scene {
  readonly what: string;
  readonly files: number;
  readonly terms: Terms;
  /** Of the server. */
  readonly args: readonly string[];
}

async function rowsFor(bench: Bench, { what, files, terms, args }: Scene): Promise<readonly Row[]> {
  const tree = bench.tree(files);
  const sessions = await Promise.all(
    bundledServers(bench, args).map(each => open(bench.scratch, each, tree.folder)),
  );
  const sides = sessions.map(session => searchSide(session, tree, searchCall(tree)));
  const floor = bench.before ? [] : [ripgrepSearch(bench, tree)];
  const options = { warmUp: 2, rounds: bench.isQuick ? 3 : 11, each: 1 };
  const raced = await race([...sides, ...floor], options);
  await Promise.all(sessions.map(({ client }) => client.close()));
  return againstAll(what, raced, terms);
}

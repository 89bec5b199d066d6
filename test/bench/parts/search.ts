import type { Bench, Part } from '../bench.ts';
import { bundledServers } from '../contenders.ts';
import { race } from '../race.ts';
import { againstAll, type Row } from '../row.ts';
import { ripgrepSearch, searchCall, searchSide } from '../searches.ts';
import { open } from '../session.ts';

/** How much longer than ripgrep itself a search may take, by how many files there are. */
const limits = [
  { files: 10_000, atMost: 3 },
  { files: 100_000, atMost: 2.2 },
];

/** How long it takes to search the text of all files, against ripgrep itself. */
export const searchPart: Part = {
  name: 'search',
  comparesRevisions: true,
  async run(bench) {
    const rows: Row[] = [];
    for (const { files, atMost } of limits) {
      rows.push(...(await rowsFor(bench, files, atMost)));
    }
    return rows;
  },
};

async function rowsFor(bench: Bench, files: number, atMost: number): Promise<readonly Row[]> {
  const tree = bench.tree(files);
  const sessions = await Promise.all(
    bundledServers(bench).map(each => open(bench.scratch, each, tree.folder)),
  );
  const sides = sessions.map(session => searchSide(session, tree, searchCall(tree)));
  const floor = bench.before ? [] : [ripgrepSearch(bench, tree)];
  const options = { warmUp: 2, rounds: bench.isQuick ? 3 : 11, each: 1 };
  const raced = await race([...sides, ...floor], options);
  await Promise.all(sessions.map(({ client }) => client.close()));
  return againstAll(`search-text in ${files}`, raced, { floor: { atMost } });
}

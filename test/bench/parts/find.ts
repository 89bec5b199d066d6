import type { Bench, Part } from '../bench.ts';
import { bundledServers, theirs } from '../contenders.ts';
import { race } from '../race.ts';
import { againstAll, type Row, type Terms } from '../row.ts';
import { findCall, ripgrepFind, searchSide, theirFindCall } from '../searches.ts';
import { open } from '../session.ts';

const sizes: readonly (Terms & { readonly files: number })[] = [
  { files: 10_000 },
  { files: 100_000, floor: { atMost: 1.2 } },
];

/** How long it takes to find files by their names, against ripgrep and against the others. */
export const findPart: Part = {
  name: 'find',
  comparesRevisions: true,
  async run(bench) {
    const rows: Row[] = [];
    for (const { files, ...terms } of sizes) {
      rows.push(...(await rowsFor(bench, files, terms)));
    }
    return rows;
  },
};

async function rowsFor(bench: Bench, files: number, terms: Terms): Promise<readonly Row[]> {
  const tree = bench.tree(files);
  const what = `find-files among ${files}`;
  const ours = await Promise.all(
    bundledServers(bench).map(each => open(bench.scratch, each, tree.folder)),
  );
  const sides = ours.map(session => searchSide(session, tree, findCall(tree)));
  const floor = bench.before ? [] : [ripgrepFind(bench, tree)];
  const quick = { warmUp: 3, rounds: bench.isQuick ? 5 : 21, each: 1 };
  const rows = [...againstAll(what, await race([...sides, ...floor], quick), terms)];
  if (!bench.before) {
    const others = await Promise.all(theirs.map(each => open(bench.scratch, each, tree.folder)));
    const slow = others.map(session => searchSide(session, tree, theirFindCall(tree)));
    // They take so long that a few rounds say enough.
    const few = { warmUp: 0, rounds: files >= 100_000 ? 1 : 3, each: 1 };
    rows.push(...againstAll(what, await race([...sides, ...slow], few), terms));
    await Promise.all(others.map(({ client }) => client.close()));
  }
  await Promise.all(ours.map(({ client }) => client.close()));
  return rows;
}

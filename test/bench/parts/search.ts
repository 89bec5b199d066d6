import type { Bench, Part } from '../bench.ts';
import { ours } from '../contenders.ts';
import { race, type Side } from '../race.ts';
import { ripgrepSearch } from '../ripgrep.ts';
import type { Row, Target } from '../row.ts';
import { against, notThere } from '../rows.ts';
import { assertFound, searchCall } from '../searchCalls.ts';
import { open, type Session } from '../session.ts';
import type { Tree } from '../trees.ts';

/** With ripgrep's help and without it. */
export const ways = [
  { name: 'with ripgrep', atMost: 2, args: (ripgrep: string) => ['--ripgrep', ripgrep] },
  { name: 'without ripgrep', atMost: 3, args: () => ['--ripgrep', 'none'] },
] as const;

/** How long it takes to search the text of all files, against ripgrep itself. */
export const searchPart: Part = {
  name: 'search',
  async run(bench) {
    const rows: Row[] = [];
    for (const files of [10_000, 100_000]) {
      for (const { name, atMost, args } of ways) {
        const what = `search-text in ${files}, ${name}`;
        rows.push(
          await rowFor(bench, files, { what, target: { atMost }, args: args(bench.ripgrep) }),
        );
      }
    }
    return rows;
  },
};

interface Way {
  readonly what: string;
  readonly target: Target;
  readonly args: readonly string[];
}

async function rowFor(bench: Bench, files: number, { what, target, args }: Way): Promise<Row> {
  const tree = bench.tree(files);
  const session = await open(bench.scratch, ours(bench.server, args), tree.folder);
  if (!session.has('search-text')) {
    await session.client.close();
    return notThere(what, 'search-text', target);
  }
  const options = { warmUp: 2, rounds: bench.isQuick ? 3 : 11, each: 1 };
  const raced = await race([sideOf(session, tree), ripgrepSearch(bench, tree)], options);
  await session.client.close();
  return { ...against(what, raced, 'ripgrep'), target };
}

function sideOf({ call }: Session, tree: Tree): Side {
  return {
    name: 'ours',
    sample: async () => {
      const sent = performance.now();
      const answer = await call(searchCall(tree));
      assertFound(tree, answer);
      return answer.at - sent;
    },
  };
}

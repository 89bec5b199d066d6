import type { Bench, Part } from '../bench.ts';
import { ours, theirs } from '../contenders.ts';
import { type RaceOptions, race, type Side } from '../race.ts';
import type { Call } from '../rawClient.ts';
import { ripgrepFind } from '../ripgrep.ts';
import type { Row } from '../row.ts';
import { against, notThere } from '../rows.ts';
import { assertFound, findCall, theirFindCall } from '../searchCalls.ts';
import { open, type Session } from '../session.ts';
import type { Tree } from '../trees.ts';

const target = { atMost: 2 };

/** How long it takes to find files by their names, against ripgrep and against the others. */
export const findPart: Part = {
  name: 'find',
  async run(bench) {
    return [...(await rowsFor(bench, 10_000)), ...(await rowsFor(bench, 100_000))];
  },
};

async function rowsFor(bench: Bench, files: number): Promise<readonly Row[]> {
  const tree = bench.tree(files);
  const what = `find-files among ${files}`;
  const contenders = [ours(bench.server), ...theirs];
  const sessions = await Promise.all(
    contenders.map(each => open(bench.scratch, each, tree.folder)),
  );
  const [mine, ...others] = sessions;
  const rows: Row[] = [];
  if (mine?.has('find-files')) {
    const side = sideOf(mine, tree, findCall(tree));
    const quick = { warmUp: 3, rounds: bench.isQuick ? 5 : 21, each: 1 };
    const raced = await race([side, ripgrepFind(bench, tree)], quick);
    rows.push({ ...against(what, raced, 'ripgrep'), ...(files >= 100_000 && { target }) });
    rows.push(
      ...(await theirRows(what, [side, ...others.map(each => theirSide(each, tree))], files)),
    );
  } else {
    rows.push(notThere(what, 'find-files', target));
  }
  await Promise.all(sessions.map(({ client }) => client.close()));
  return rows;
}

/** They take so long that a few rounds say enough. */
async function theirRows(what: string, sides: readonly Side[], files: number) {
  const few: RaceOptions = { warmUp: 0, rounds: files >= 100_000 ? 1 : 3, each: 1 };
  const raced = await race(sides, few);
  return raced.sides.slice(1).map(side => against(what, raced, side));
}

function theirSide(session: Session, tree: Tree): Side {
  return sideOf(session, tree, theirFindCall(tree));
}

function sideOf({ contender, call }: Session, tree: Tree, what: Call): Side {
  return {
    name: contender.name,
    sample: async () => {
      const sent = performance.now();
      const answer = await call(what);
      assertFound(tree, answer);
      return answer.at - sent;
    },
  };
}

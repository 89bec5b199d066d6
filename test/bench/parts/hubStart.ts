import { rootOf } from '../../support/bundledServer.ts';
import { startHub } from '../../support/hub.ts';
import { openSdk2 } from '../../support/hubClients.ts';
import type { Bench } from '../bench.ts';
import { inMilliseconds } from '../figures.ts';
import { rawChild } from '../hubChildren.ts';
import { configOf, endsWithBench, notOfATest, type Playground } from '../hubSides.ts';
import { race } from '../race.ts';
import type { Row } from '../row.ts';

/** From the start of the process to what a client wants to know first. */
export async function hubStartRows(
  bench: Bench,
  { folders, path }: Playground,
): Promise<readonly Row[]> {
  const hub = () => {
    const config = configOf(rawChild);
    return startHub(notOfATest, { era: 'legacy', main: bench.server, config, roots: folders });
  };
  const plain = () =>
    openSdk2('legacy', {
      command: process.execPath,
      args: [bench.server],
      roots: () => folders.map(folder => rootOf(folder)),
    });
  const sides = [
    side(bench, 'hub: list-servers', hub, each => each.listServers()),
    side(bench, 'hub: first call', hub, each => each.call('child', rawChild.reads, { path })),
    side(bench, 'without it: get-roots', plain, each => each.call('get-roots')),
  ];
  const times = await race(sides, { warmUp: 2, rounds: bench.isQuick ? 6 : 24, each: 1 });
  const shown = (name: string) =>
    inMilliseconds(times.percentile(name, 50), times.percentile(name, 95));
  const [, , without = ''] = times.sides;
  return times.sides.slice(0, 2).map(name => ({
    what: `start to first answer (95th) of the ${name}`,
    against: without,
    ours: shown(name),
    theirs: shown(without),
    value: times.ratio(name, without),
    unit: '×',
  }));
}

function side<C extends { readonly pid: number; close(): Promise<void> }>(
  bench: Bench,
  name: string,
  open: () => Promise<C>,
  firstAnswer: (client: C) => Promise<unknown>,
) {
  return {
    name,
    sample: async () => {
      const started = performance.now();
      const client = await open();
      endsWithBench(bench, client.pid);
      await firstAnswer(client);
      const time = performance.now() - started;
      await client.close();
      return time;
    },
  };
}

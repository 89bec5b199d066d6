import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Part, textOfSize } from '../bench.ts';
import { behindSdk, type Contender, filesystem, sdkProxy } from '../contenders.ts';
import { openGatewayWindow } from '../gatewayWindow.ts';
import { callsAtOnce, inFlight, race } from '../race.ts';
import { againstAll } from '../row.ts';
import { manyTimed, open, timed } from '../session.ts';

/** The cost of a window between client and server: the connector and the gateway. */
export const gatewayPart: Part = {
  name: 'gateway',
  comparesRevisions: true,
  async run({ scratch, ours, before, isQuick }) {
    const folder = join(scratch.folder, 'gateway');
    const path = join(folder, 'small.ts');
    mkdirSync(folder);
    writeFileSync(path, textOfSize(1024));
    const server = filesystem();
    const launches = { [server.name]: server.launch };
    const windows = await Promise.all(
      (before ? [ours, before] : [ours]).map(product =>
        openGatewayWindow(scratch, product, { launches, folders: [folder] }),
      ),
    );
    const others: readonly Contender[] = [
      { ...server, name: 'direct', role: 'floor' },
      { ...server, name: sdkProxy, launch: behindSdk(server, folder) },
    ];
    const through = windows.map(window => window.through(server));
    const sides = before ? through : [...through, ...others];
    const sessions = await Promise.all(sides.map(side => open(scratch, side, folder)));
    const one = await race(
      timed(sessions, ({ read }) => read(path)),
      { warmUp: 24, rounds: isQuick ? 8 : 60, each: 50 },
    );
    const many = await race(
      manyTimed(sessions, ({ read }) => read(path)),
      { warmUp: 4, rounds: isQuick ? 4 : 40, each: 1 },
    );
    await Promise.all(sessions.map(({ client }) => client.close()));
    await Promise.all(windows.map(window => window.close()));
    return [
      ...againstAll('call through the gateway', one, { floor: 1.5, theirs: 1 }),
      // 85 % of the direct throughput are left.
      ...againstAll(`${callsAtOnce} calls, ${inFlight} at once, through it`, many, { floor: 1.18 }),
    ];
  },
};

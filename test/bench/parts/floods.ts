import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServerConnection } from '../../../src/mcp/connection.ts';
import type { Target } from '../../../src/mcp/openWire.ts';
import { ProcessOwner } from '../../../src/mcp/stdio/processOwner.ts';
import { startFlooder } from '../../support/flooder.ts';
import { programStart } from '../../support/recordingServer.ts';
import type { Bench, Part } from '../bench.ts';
import { inMilliseconds } from '../figures.ts';
import type { Row } from '../row.ts';

const server = fileURLToPath(new URL('../../support/faultyServer.ts', import.meta.url));
const floods = ['roots', 'notifications', 'progress', 'strays', 'rubbish'] as const;
const floodsOverHttp = [...floods, 'pings'] as const;
const target = { atMost: 50 };

/**
 * For how long the process that runs a server can do nothing else while that server floods it: in
 * time of the processor, because how often that is taken away is the machine's affair. A server that
 * does nothing wrong stands beside it.
 */
export const floodsPart: Part = {
  name: 'floods',
  async run(bench) {
    const well = await overStdio(bench, 'echo');
    const rows: Row[] = [];
    for (const flood of floods) {
      const value = await overStdio(bench, `flood-${flood}`);
      rows.push(rowOf(`longest turn during a flood of ${flood}`, value, well));
    }
    const wellOverHttp = await overHttp(bench, 'echo');
    for (const flood of floodsOverHttp) {
      const value = await overHttp(bench, `flood-${flood}`);
      rows.push(rowOf(`longest turn during a flood of ${flood}, HTTP`, value, wellOverHttp));
    }
    return rows;
  },
};

function rowOf(what: string, value: number, well: number): Row {
  const [ours, theirs] = [inMilliseconds(value), inMilliseconds(well)];
  return { what, against: 'no flood', ours, theirs, value, unit: 'ms', target };
}

function overStdio(bench: Bench, tool: string): Promise<number> {
  const record = join(bench.scratch.folder, `flood-of-${tool}`);
  mkdirSync(record, { recursive: true });
  return longestTurn(bench, programStart(record, server, JSON.stringify({ record })), tool);
}

async function overHttp(bench: Bench, tool: string): Promise<number> {
  const { url, end } = await startFlooder();
  const longest = await longestTurn(bench, { url, headers: {} }, tool);
  await end();
  return longest;
}

/** In milliseconds, while the server does what the tool makes it do. */
async function longestTurn({ isQuick }: Bench, start: Target, tool: string): Promise<number> {
  const owner = new ProcessOwner('editor', console);
  const connection = new ServerConnection({ clientInfo: { name: 'bench', version: '1' }, owner });
  await connection.start(start, [{ uri: 'file:///proj/web', name: 'web' }]);
  const stop = watchTurns();
  await connection.callTool({ name: tool, arguments: {} });
  await delay(isQuick ? 500 : 3000);
  const longest = stop();
  await connection.stop();
  owner.dispose();
  return longest;
}

/** Until the answer is called, which tells how long the longest turn of the event loop was. */
function watchTurns(): () => number {
  let longest = 0;
  let before = busyTime();
  const turn = () => {
    const now = busyTime();
    longest = Math.max(longest, now - before);
    before = now;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return () => {
    clearImmediate(next);
    return longest;
  };
}

function busyTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import type { Root } from '../../src/domain/roots.ts';
import type { ServerConnection } from '../../src/mcp/connection.ts';
import type { ServerProcess } from '../../src/mcp/stdio/serverProcess.ts';
import { defaultTimes } from '../../src/mcp/times.ts';
import { median, percentile } from './figures.ts';
import { loadClient } from './loadClient.ts';

/** What was measured of one way to answer, in microseconds a round trip. */
export interface Side {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
}

/** Both ways, and how many times slower ours is: the median over pairs of neighbouring rounds. */
export interface RoundTrips {
  readonly raw: Side;
  readonly ours: Side;
  readonly ratio: number;
}

type Ask = (count: number) => Promise<number[]>;

const pairs = 6;
const rounds = { warmUp: 12, counted: 20 };
const askedEachRound = 300;
const project = join(import.meta.dirname, '..', '..');

const roots: readonly Root[] = ['web', 'api', 'docs'].map(name => ({
  uri: `file:///proj/${name}`,
  name,
}));

/**
 * Measures how `roots/list` is answered against the least that two Node processes can do: an echo of
 * newline-JSON. Both answers come from this process to the same other one over the same pipes, in
 * turns: of two pairs of processes, one may sit on better processors for all its life.
 */
export async function measureRoundTrips(): Promise<RoundTrips> {
  const raw: number[] = [];
  const ours: number[] = [];
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const connection = await connect();
    const askers: Record<'raw' | 'ours', Ask> = {
      raw: rawAsk(childOf(connection)),
      ours: ourAsk(connection),
    };
    for (let round = 0; round < rounds.warmUp + rounds.counted; round++) {
      const times = await askBoth(askers, round);
      if (round >= rounds.warmUp) {
        raw.push(...times.raw);
        ours.push(...times.ours);
        ratios.push(median(times.ours) / median(times.raw));
      }
    }
    await connection.stop();
  }
  return {
    raw: side('raw newline-JSON echo', raw),
    ours: side('roots/list by ServerConnection', ours),
    ratio: median(ratios),
  };
}

/** Who goes first changes, so that neither has the better place. */
async function askBoth(askers: Record<'raw' | 'ours', Ask>, round: number) {
  if (round % 2 === 0) {
    const raw = await askers.raw(askedEachRound);
    return { raw, ours: await askers.ours(askedEachRound) };
  }
  const ours = await askers.ours(askedEachRound);
  return { raw: await askers.raw(askedEachRound), ours };
}

function side(name: string, times: readonly number[]): Side {
  return { name, p50: percentile(times, 50), p99: percentile(times, 99) };
}

function ourAsk(connection: ServerConnection): Ask {
  return async count => {
    const { content } = await connection.callTool({ name: 'measure', arguments: { count } });
    const [text] = content;
    return JSON.parse(text?.type === 'text' ? text.text : '[]');
  };
}

/** Takes the place of the connection at the pipes for as long as it is asked. */
function rawAsk({ stdin, stdout }: ChildProcessWithoutNullStreams): Ask {
  const send = (message: unknown) => stdin.write(`${JSON.stringify(message)}\n`);
  return count =>
    new Promise(resolve => {
      const connection = stdout.listeners('data');
      let rest = '';
      const answer = (line: string) => {
        const { id, method, result } = JSON.parse(line);
        if (method === 'roots/list') {
          send({ jsonrpc: '2.0', id, result: { roots } });
        } else {
          stdout.removeListener('data', echo);
          for (const listener of connection) {
            stdout.on('data', listener as () => void);
          }
          resolve(JSON.parse(result.content[0].text));
        }
      };
      const echo = (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(answer);
      };
      stdout.removeAllListeners('data');
      stdout.on('data', echo);
      const params = { name: 'measure', arguments: { count } };
      send({ jsonrpc: '2.0', id: 'raw', method: 'tools/call', params });
    });
}

async function connect(): Promise<ServerConnection> {
  const { ProcessOwner, ServerConnection, serverEnvironment } = await loadClient();
  const owner = new ProcessOwner('editor', console);
  // What is measured is the round trip, not the pace that a flooding server is held to.
  const times = { ...defaultTimes, answersPerSecond: 1_000_000 };
  const connection = new ServerConnection({
    clientInfo: { name: 'bench', version: '1' },
    owner,
    times,
  });
  const env = serverEnvironment(process.env, {}, process.platform);
  const args = [join(import.meta.dirname, 'asker.ts')];
  const start = { command: process.execPath, args, cwd: project, env };
  const state = await connection.start(start, roots);
  if (state.kind !== 'running') {
    throw new Error(`The asker does not run: ${JSON.stringify(state)}`);
  }
  return connection;
}

function childOf(connection: ServerConnection): ChildProcessWithoutNullStreams {
  const { session } = connection as unknown as { session: { wire: { process: ServerProcess } } };
  return session.wire.process.child;
}

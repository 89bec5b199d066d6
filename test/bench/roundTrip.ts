import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Root } from '../../src/domain/roots.ts';
import type * as client from '../../src/mcp/main.ts';
import { median, percentile } from './figures.ts';

/** What was measured on one side, in microseconds a round trip. */
export interface Side {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
}

/** Both sides, and how many times slower ours is: the median over pairs of neighbouring rounds. */
export interface RoundTrips {
  readonly raw: Side;
  readonly ours: Side;
  readonly ratio: number;
}

/** One process that answers `roots/list`, and one that asks: `ask` tells it how often. */
interface Pair {
  ask(count: number): Promise<number[]>;
  end(): Promise<void>;
}

const rounds = { warmUp: 20, counted: 60 };
const askedEachRound = 300;
const project = join(import.meta.dirname, '..', '..');
const asker = join(import.meta.dirname, 'asker.ts');

const roots: readonly Root[] = ['web', 'api', 'docs'].map(name => ({
  uri: `file:///work/${name}`,
  name,
}));

/**
 * Measures a server's `roots/list` against the least that two Node processes can do: a newline-JSON
 * echo. Both askers are the same program, both answers come from this process, in turns.
 */
export async function measureRoundTrips(): Promise<RoundTrips> {
  const raw = rawPair();
  const ours = await ourPair();
  const times: { raw: number[]; ours: number[]; ratios: number[] } = {
    raw: [],
    ours: [],
    ratios: [],
  };
  for (let round = 0; round < rounds.warmUp + rounds.counted; round++) {
    // Who goes first changes, so that neither side has the better place.
    const isRawFirst = round % 2 === 0;
    const first = await (isRawFirst ? raw : ours).ask(askedEachRound);
    const second = await (isRawFirst ? ours : raw).ask(askedEachRound);
    const [ofRaw, ofOurs] = isRawFirst ? [first, second] : [second, first];
    if (round >= rounds.warmUp) {
      times.raw.push(...ofRaw);
      times.ours.push(...ofOurs);
      times.ratios.push(median(ofOurs) / median(ofRaw));
    }
  }
  await Promise.all([raw.end(), ours.end()]);
  return {
    raw: side('raw newline-JSON echo', times.raw),
    ours: side('roots/list by ServerConnection', times.ours),
    ratio: median(times.ratios),
  };
}

function side(name: string, times: readonly number[]): Side {
  return { name, p50: percentile(times, 50), p99: percentile(times, 99) };
}

function rawPair(): Pair {
  const child = spawn(process.execPath, [asker], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>(resolve => {
    child.once('exit', () => resolve());
  });
  let finish: (times: number[]) => void = () => {};
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: child.stdout }).on('line', line => {
    const { id, method, result } = JSON.parse(line);
    if (method === 'roots/list') {
      send({ jsonrpc: '2.0', id, result: { roots } });
    } else {
      finish(JSON.parse(result.content[0].text));
    }
  });
  return {
    ask: count =>
      new Promise(resolve => {
        finish = resolve;
        send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { arguments: { count } } });
      }),
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

async function ourPair(): Promise<Pair> {
  const { ServerConnection, serverEnvironment } = await loadClient();
  const connection = new ServerConnection({ name: 'bench', version: '1' });
  const env = serverEnvironment(process.env, {}, process.platform);
  const start = { command: process.execPath, args: [asker], cwd: project, env };
  const state = await connection.start(start, roots);
  if (state.kind !== 'running') {
    throw new Error(`The asker does not run: ${JSON.stringify(state)}`);
  }
  return {
    async ask(count) {
      const { content } = await connection.callTool({ name: 'measure', arguments: { count } });
      const [text] = content;
      return JSON.parse(text?.type === 'text' ? text.text : '[]');
    },
    end: () => connection.stop(),
  };
}

/** The client as it is shipped, where it is built. */
async function loadClient(): Promise<typeof client> {
  const built = join(project, 'dist', 'client.js');
  return existsSync(built)
    ? createRequire(import.meta.url)(built)
    : import('../../src/mcp/main.ts');
}

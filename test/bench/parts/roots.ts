import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import type { Root } from '../../../src/domain/roots.ts';
import type { ServerConnection } from '../../../src/mcp/connection.ts';
import type { ServerProcess } from '../../../src/mcp/stdio/serverProcess.ts';
import { defaultTimes } from '../../../src/mcp/times.ts';
import type { Part } from '../bench.ts';
import { median } from '../figures.ts';
import { clientOf, type Product } from '../product.ts';
import { race, type Side } from '../race.ts';
import { againstAll } from '../row.ts';

const askedAtOnce = 300;

/**
 * How `roots/list` is answered by the client that the extension ships, against the least that two Node
 * processes can do: an echo of newline-JSON. Both answers come from this process to the same other one
 * over the same pipes, in turns: of two pairs of processes, one may sit on better processors for all its
 * life.
 */
export const rootsPart: Part = {
  name: 'roots',
  comparesRevisions: true,
  async run({ ours, before, isQuick }) {
    const connection = await connect(ours);
    const earlier = before && (await connect(before));
    const side = (ask: Ask) => ({ sample: async () => median(await ask(askedAtOnce)) });
    const others: Side[] = earlier
      ? [{ name: before.name, role: 'before', ...side(ourAsk(earlier)) }]
      : [{ name: 'raw newline-JSON echo', role: 'floor', ...side(rawAsk(childOf(connection))) }];
    const sides = [{ name: ours.name, ...side(ourAsk(connection)) }, ...others];
    const times = await race(sides, { warmUp: 12, rounds: isQuick ? 40 : 120, each: 1 });
    await Promise.all([connection.stop(), earlier?.stop()]);
    return againstAll('answer roots/list', times, { floor: { atMost: 1.2 } });
  },
};

/** Answers with how many milliseconds each of so many round trips took. */
type Ask = (count: number) => Promise<number[]>;

const roots: readonly Root[] = ['web', 'api', 'docs'].map(name => ({
  uri: `file:///proj/${name}`,
  name,
}));

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

async function connect(product: Product): Promise<ServerConnection> {
  const { ProcessOwner, ServerConnection, serverEnvironment } = clientOf(product);
  const owner = new ProcessOwner('editor', console);
  // What is measured is the round trip, not the pace that a flooding server is held to.
  const times = { ...defaultTimes, answersPerSecond: 1_000_000 };
  const connection = new ServerConnection({
    clientInfo: { name: 'bench', version: '1' },
    owner,
    times,
  });
  const env = serverEnvironment(process.env, {}, process.platform);
  const args = [join(import.meta.dirname, '..', 'asker.ts')];
  const start = { command: process.execPath, args, cwd: import.meta.dirname, env };
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

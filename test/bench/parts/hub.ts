import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootOf, type ToolResult } from '../../support/bundledServer.ts';
import { startHub } from '../../support/hub.ts';
import { openSdk2 } from '../../support/hubClients.ts';
import { isAlive } from '../../support/processes.ts';
import type { Era } from '../../support/wire.ts';
import { type Bench, type Part, textOfSize } from '../bench.ts';
import { behindSdk, filesystem, sdkProxy } from '../contenders.ts';
import { built, type Product } from '../product.ts';
import { callsAtOnce, inFlight, race, type Side, timeOf, timeOfMany } from '../race.ts';
import type { Launch } from '../rawClient.ts';
import { againstAll, type Row, type Targets } from '../row.ts';

/** The cost of the hub between a client of the SDK and server-filesystem. */
export const hubPart: Part = {
  name: 'hub',
  comparesRevisions: true,
  async run(bench) {
    const folder = join(bench.scratch.folder, 'hub');
    const path = join(folder, 'small.ts');
    mkdirSync(folder);
    writeFileSync(path, text);
    return [
      ...(await rowsOf(bench, path, 'legacy', { theirs: 1 })),
      // The server knows the older revisions alone, and is called in those without the hub.
      ...(await rowsOf(bench, path, 'modern', { floor: 2.6 })),
    ];
  },
};

const text = textOfSize(1024);
/** Two thirds of the direct throughput are left. */
const atOnce: Targets = { floor: 1.5 };

async function rowsOf(
  bench: Bench,
  path: string,
  era: Era,
  targets: Targets,
): Promise<readonly Row[]> {
  const { ours, before, isQuick } = bench;
  const { launch } = filesystem();
  const proxied = behindSdk(filesystem(), join(path, '..'));
  const reads = await Promise.all([
    throughHub(bench, ours, era, path),
    ...(before
      ? [throughHub(bench, before, era, path)]
      : [
          called(bench, 'direct', 'floor', launch, path),
          ...(era === 'legacy' ? [called(bench, sdkProxy, 'theirs', proxied, path)] : []),
        ]),
  ]);
  const sides = (time: (read: () => Promise<void>) => Promise<number>) =>
    reads.map(({ read, ...side }) => ({ ...side, sample: () => time(read) }));
  // The hub is more code than a server, which takes longer until all of it is compiled.
  const options = { warmUp: 24, rounds: isQuick ? 8 : 40, each: 50 };
  const one = await race(sides(timeOf), options);
  const many = await race(sides(timeOfMany), { warmUp: 2, rounds: isQuick ? 4 : 16, each: 1 });
  await Promise.all(reads.map(({ close }) => close()));
  return [
    ...againstAll(`call-tool, ${era} client`, one, targets),
    ...againstAll(`${callsAtOnce} call-tools, ${inFlight} at once, ${era} client`, many, atOnce),
  ];
}

interface Reading extends Pick<Side, 'name' | 'role'> {
  /** @throws when it gets another text than the file's. */
  readonly read: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function throughHub(
  bench: Bench,
  product: Product,
  era: Era,
  path: string,
): Promise<Reading> {
  // The caller ends it.
  const hub = await startHub(
    { after: () => {} },
    {
      era,
      main: built(product, 'server.js'),
      config: { mcpServers: { files: { ...filesystem().launch, protocol: 'legacy' } } },
      roots: [join(path, '..')],
    },
  );
  const read = () => hub.call('files', 'read_text_file', { path });
  const side = product === bench.ours ? {} : { role: 'before' as const };
  return ready(bench, { name: product.name, ...side }, hub, read);
}

async function called(
  bench: Bench,
  name: string,
  role: 'floor' | 'theirs',
  { command, args }: Launch,
  path: string,
): Promise<Reading> {
  const roots = () => [rootOf(join(path, '..'))];
  const client = await openSdk2('legacy', { command, args, roots });
  return ready(bench, { name, role }, client, () => client.call('read_text_file', { path }));
}

/** Waits for the first text: the server answers before it knows the roots. */
async function ready(
  { scratch }: Bench,
  side: Pick<Side, 'name' | 'role'>,
  client: { readonly pid: number; close(): Promise<void> },
  call: () => Promise<ToolResult>,
): Promise<Reading> {
  scratch.atExit(() => {
    if (isAlive(client.pid)) {
      process.kill(client.pid, 'SIGKILL');
    }
  });
  const read = async () => {
    const { isError, content } = await call();
    if (isError || content[0]?.text !== text) {
      throw new Error(`${side.name} reads another text: ${JSON.stringify(content).slice(0, 500)}`);
    }
  };
  let tries = 0;
  while ((await call()).isError && tries < 1000) {
    tries += 1;
  }
  await read();
  return { ...side, read, close: () => client.close() };
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootOf, type ToolResult } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { openSdk2 } from '../support/hubClients.ts';
import { packaged } from '../support/hubServers.ts';
import { isAlive } from '../support/processes.ts';
import type { Era } from '../support/wire.ts';
import type { Bench } from './bench.ts';
import { raw } from './contenders.ts';
import { built, type Product } from './product.ts';
import type { Role } from './race.ts';
import type { Launch } from './rawClient.ts';
import { textOfSize } from './trees.ts';

/** The folders that all clients serve as their roots, and the file that all of them read. */
export interface Playground {
  readonly folders: readonly string[];
  readonly path: string;
}

/** A client of the SDK that is connected to a child, directly or through the hub. */
export interface HubSide {
  readonly name: string;
  readonly role?: Role;
  /** @throws when it gets another text than that of the file. */
  readonly read: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface HubSideOptions {
  readonly name: string;
  readonly product: Product;
  /** The era of the client. */
  readonly era: Era;
  /** Calls the tool of its own that the hub makes of it, instead of `call-tool`. */
  readonly isExposed?: boolean;
  /** Further arguments of the hub. */
  readonly args?: readonly string[];
}

/** For what of the tests ends with a test: here, the one who starts it ends it. */
export const notOfATest = { after: () => {} };

const text = textOfSize(1024);

/** Ten roots with a small file in one of them. */
export function playground({ scratch }: Bench): Playground {
  const folder = join(scratch.folder, 'hub');
  const folders = Array.from({ length: 10 }, (_, at) => join(folder, `area-${at % 3}`, `p-${at}`));
  for (const each of folders) {
    mkdirSync(join(each, 'src'), { recursive: true });
  }
  const path = join(folders[5] ?? folder, 'src', 'small.ts');
  writeFileSync(path, text);
  return { folders, path };
}

/** The child alone. */
export async function direct(bench: Bench, child: HubChild, { folders, path }: Playground) {
  const roots = () => folders.map(folder => rootOf(folder));
  const client = await openSdk2('legacy', { ...child.launch, roots });
  const read = () => client.call(child.reads, { path });
  return ready(bench, { name: 'direct', role: 'floor', client, read });
}

/** The child behind the hub. */
export async function throughHub(
  bench: Bench,
  child: HubChild,
  { folders, path }: Playground,
  { name, product, era, isExposed = false, args = [] }: HubSideOptions,
): Promise<HubSide> {
  const hub = await startHub(notOfATest, {
    era,
    main: built(product, 'server.js'),
    config: configOf(child),
    roots: folders,
    args: [...args, ...(isExposed ? ['--expose', 'tools'] : [])],
  });
  const read = isExposed
    ? () => hub.callOwn(`child__${child.reads}`, { path })
    : () => hub.call('child', child.reads, { path });
  const role = product === bench.ours ? {} : { role: 'before' as const };
  return ready(bench, { name, ...role, client: hub, read });
}

/** A configuration with this child alone, as `child`. */
export function configOf({ launch }: HubChild): object {
  return { mcpServers: { child: { ...launch, protocol: 'legacy' } } };
}

/** Kills the process with the bench, if it is left then. */
export function endsWithBench({ scratch }: Bench, pid: number): void {
  scratch.atExit(() => {
    if (isAlive(pid)) {
      process.kill(pid, 'SIGKILL');
    }
  });
}

interface Connected extends Pick<HubSide, 'name' | 'role'> {
  readonly client: { readonly pid: number; close(): Promise<void> };
  readonly read: () => Promise<ToolResult>;
}

/** Waits for the first text: some children answer before they know the roots. */
async function ready(bench: Bench, { client, read, ...side }: Connected): Promise<HubSide> {
  endsWithBench(bench, client.pid);
  const connected: HubSide = {
    ...side,
    read: async () => {
      const { isError, content } = await read();
      if (isError || content[0]?.text !== text) {
        throw new Error(
          `${side.name} reads another text: ${JSON.stringify(content).slice(0, 500)}`,
        );
      }
    },
    close: () => client.close(),
  };
  let tries = 0;
  while ((await read()).isError && tries < 1000) {
    tries += 1;
  }
  await connected.read();
  return connected;
}

/** A server that is called directly and through the hub, to read a small file. */
export interface HubChild {
  readonly name: string;
  readonly launch: Launch;
  /** The tool that reads a file. */
  readonly reads: string;
}

/** The quickest there is. */
export const rawChild: HubChild = {
  name: 'raw child',
  launch: raw.launch,
  reads: 'read',
};

export const filesystemChild: HubChild = {
  name: 'server-filesystem',
  launch: {
    command: process.execPath,
    args: [packaged('@modelcontextprotocol/server-filesystem')],
  },
  reads: 'read_text_file',
};

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Bench } from './bench.ts';
import { built, type Product } from './product.ts';
import type { Role } from './race.ts';
import type { Call, Launch } from './rawClient.ts';

/** A server, and how it is asked for what all of them can do. */
export interface Contender {
  readonly name: string;
  /** Left out: it is ours. */
  readonly role?: Role;
  readonly launch: Launch;
  readonly read: (path: string) => Call;
  readonly list: (path: string) => Call;
}

/** Our bundled server and its competitors. */
export function contenders({ ours, before }: Bench): readonly Contender[] {
  const other = before ? { ...bundledServer(before), role: 'before' as const } : filesystem();
  return [bundledServer(ours), other];
}

function bundledServer(product: Product): Contender {
  return {
    name: product.name,
    launch: { command: process.execPath, args: [built(product, 'server.js')] },
    read: path => ({ name: 'read-file', arguments: { path } }),
    list: path => ({ name: 'list-directory', arguments: { path } }),
  };
}

/** The reference server. */
export function filesystem(): Contender {
  const manifest = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-filesystem/package.json',
  );
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return {
    name: `server-filesystem ${version}`,
    role: 'theirs',
    launch: { command: process.execPath, args: [join(dirname(manifest), 'dist', 'index.js')] },
    read: path => ({ name: 'read_text_file', arguments: { path } }),
    list: path => ({ name: 'list_directory', arguments: { path } }),
  };
}

/** The name of a side behind the proxy. */
export const sdkProxy = "20 lines of the SDK's";

/** Starts a server with that folder behind the proxy `sdkProxy.ts`. */
export function behindSdk({ launch: { command, args } }: Contender, folder: string): Launch {
  const proxy = join(import.meta.dirname, 'sdkProxy.ts');
  return { command: process.execPath, args: [proxy, command, ...args, folder] };
}

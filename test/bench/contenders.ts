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
  readonly write: (path: string, content: string) => Call;
}

/** Our bundled server, and whom it is compared with. */
export function contenders(bench: Bench): readonly Contender[] {
  return bench.before ? bundledServers(bench) : [...bundledServers(bench), ...theirs, raw];
}

/** Our bundled server, and that of the revision that it is compared with, if any. */
export function bundledServers({ ours, before }: Bench): readonly Contender[] {
  const mine = bundledServer(ours);
  return before ? [mine, { ...bundledServer(before), role: 'before' }] : [mine];
}

export function bundledServer(product: Product, args: readonly string[] = []): Contender {
  return {
    name: product.name,
    launch: { command: process.execPath, args: [built(product, 'server.js'), ...args] },
    read: path => ({ name: 'read-file', arguments: { path } }),
    list: path => ({ name: 'list-directory', arguments: { path } }),
    write: (path, content) => ({
      name: 'write-file',
      arguments: { path, content, createDirectories: false },
    }),
  };
}

/** The reference server, in both of its lines. */
export const theirs: readonly Contender[] = [
  referenceServer('@modelcontextprotocol/server-filesystem'),
  referenceServer('server-filesystem-2'),
];

/** The least that is possible between two Node processes. */
export const raw: Contender = {
  name: 'raw child',
  role: 'floor',
  launch: { command: process.execPath, args: [join(import.meta.dirname, 'rawChild.cjs')] },
  read: path => ({ name: 'read', arguments: { path } }),
  list: path => ({ name: 'list', arguments: { path } }),
  write: path => ({ name: 'write', arguments: { path } }),
};

function referenceServer(installedAs: string): Contender {
  const manifest = createRequire(import.meta.url).resolve(`${installedAs}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return {
    name: `server-filesystem ${version}`,
    role: 'theirs',
    launch: { command: process.execPath, args: [join(dirname(manifest), 'dist', 'index.js')] },
    read: path => ({ name: 'read_text_file', arguments: { path } }),
    list: path => ({ name: 'list_directory', arguments: { path } }),
    write: (path, content) => ({ name: 'write_file', arguments: { path, content } }),
  };
}

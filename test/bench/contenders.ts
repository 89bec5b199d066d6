import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Call, Launch } from './rawClient.ts';

/** A server, and how it is asked for what all of them can do. */
export interface Contender {
  readonly name: string;
  readonly launch: Launch;
  readonly read: (path: string) => Call;
  readonly list: (path: string) => Call;
  readonly write: (path: string, content: string) => Call;
}

/** The bundled server, with which the others are compared. */
export function ours(server: string, args: readonly string[] = []): Contender {
  return {
    name: 'ours',
    launch: { command: process.execPath, args: [server, ...args] },
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
    launch: { command: process.execPath, args: [join(dirname(manifest), 'dist', 'index.js')] },
    read: path => ({ name: 'read_text_file', arguments: { path } }),
    list: path => ({ name: 'list_directory', arguments: { path } }),
    write: (path, content) => ({ name: 'write_file', arguments: { path, content } }),
  };
}

import { lstatSync, readdirSync, type Stats } from 'node:fs';
import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { inFolderInside, type OpenedFolder } from '../openInside.ts';
import { answer, pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const entry = z.object({
  name: z.string(),
  type: z.enum(['file', 'directory', 'link', 'other']),
  size: z.int().optional().describe('In bytes; files only.'),
  modified: z.string().optional(),
});

type Entry = z.infer<typeof entry>;

const config = {
  title: 'List Directory',
  description:
    'List one folder in the shared folders, sorted by name, with types, sizes and dates. ' +
    'Links are not followed. Long folders come in pages.',
  inputSchema: z.object({
    path: z.string().default('.').describe(pathHint),
    offset: z.int().min(0).default(0).describe('How many entries to pass over.'),
    limit: z.int().min(1).max(2000).default(1000),
  }),
  outputSchema: z.object({
    path: z.string(),
    entries: z.array(entry),
    total: z.int().describe('How many entries the folder has.'),
    nextOffset: z.int().optional().describe('The offset to go on with; absent at the end.'),
  }),
  annotations: readOnly,
};

/** `list-directory`: one level of a folder in a root. */
export function registerListDirectory(tools: ToolSet): void {
  tools.addForPaths('list-directory', config, ({ path, offset, limit }, { scope }) => {
    const listed = inFolderInside(scope, path, folder => list(folder, offset, limit));
    return listed.ok ? answer(listed.value, textFor(listed.value)) : refused(listed.message);
  });
}

interface Listing extends Record<string, unknown> {
  readonly path: string;
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly nextOffset?: number;
}

function list({ path, at }: OpenedFolder, offset: number, limit: number): Listing {
  const names = readdirSync(at('.')).sort();
  const end = offset + limit;
  return {
    path,
    entries: names.slice(offset, end).map(name => describe(name, at(name))),
    total: names.length,
    ...(end < names.length && { nextOffset: end }),
  };
}

function describe(name: string, path: string): Entry {
  try {
    const stats = lstatSync(path);
    const modified = stats.mtime.toISOString();
    return { name, type: typeOf(stats), ...(stats.isFile() && { size: stats.size }), modified };
  } catch {
    // Deleted meanwhile, not allowed to be looked at, or a name that is no text.
    return { name, type: 'other' };
  }
}

function typeOf(stats: Stats): Entry['type'] {
  if (stats.isSymbolicLink()) {
    return 'link';
  }
  if (stats.isDirectory()) {
    return 'directory';
  }
  return stats.isFile() ? 'file' : 'other';
}

function textFor({ path, entries, total, nextOffset }: Listing): string {
  const lines = entries.map(({ name, type, size }) => {
    const detail = size === undefined ? type : `${size} bytes`;
    return `${printable(name)}${type === 'directory' ? '/' : ''} (${detail})`;
  });
  const more = nextOffset === undefined ? [] : [`Go on with offset ${nextOffset}.`];
  return [`${printable(path)}: ${total} entries`, ...lines, ...more].join('\n');
}

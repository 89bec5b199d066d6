import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { readGlobs } from '../../domain/glob/glob.ts';
import { entryTypes, noNames } from '../listing/entries.ts';
import {
  detailedEntries,
  type ListedEntry,
  listFolder,
  textOfEntries,
} from '../listing/folderListing.ts';
import { listTree, type TreeRequest } from '../listing/listTree.ts';
import { inFolderInside, type OpenedFolder } from '../paths/openInside.ts';
import { unusable } from '../paths/refusal.ts';
import type { RunningCall } from '../runningCall.ts';
import { answer, pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const inputSchema = z.strictObject({
  path: z.string().default('.').describe(pathHint),
  depth: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .describe('How many levels to list: 1 for the folder itself, more for a tree.'),
  details: z.boolean().default(false).describe('Whether to list sizes and dates. This is slower.'),
  exclude: z
    .array(z.string())
    .max(100)
    .default([])
    .describe('Globs of entries to leave out, such as "node_modules" or "*.log".'),
  offset: z.int().min(0).default(0).describe('How many entries to skip.'),
  limit: z.int().min(1).max(2000).default(1000),
});

const entry = z.object({
  name: z.string(),
  type: z.enum(entryTypes),
  size: z.int().optional().describe('Size in bytes. Only files have a size.'),
  modified: z.string().optional(),
  isUnread: z.literal(true).optional().describe('This folder of the tree could not be read.'),
});

const names = z.array(z.string()).optional();

const outputSchema = z.object({
  path: z.string(),
  entries: z
    .array(entry)
    .optional()
    .describe('All entries, if "details" is set. Otherwise, the lists below have the names.'),
  directories: names.describe(
    'In a tree, each name is a path from the listed folder, with slashes.',
  ),
  files: names,
  links: names.describe('Links. They are not followed.'),
  others: names.describe('Pipes, sockets and devices.'),
  unreachable: names.describe('Names that are not UTF-8. No path can name these entries.'),
  unread: names.describe('Folders of a tree that could not be read.'),
  total: z.int().optional().describe('How many entries the folder has. Absent for a tree.'),
  nextOffset: z.int().optional().describe('The offset of the next page. Absent on the last page.'),
});

const config = {
  title: 'List Directory',
  description:
    'List a folder in the shared folders, or a tree if "depth" is set. The list has names and ' +
    'types. With "details", it also has sizes and dates. Links are not followed. Long lists come in pages.',
  inputSchema,
  outputSchema,
  annotations: readOnly,
};

/** `list-directory`: a folder in a root, one level or a tree. */
export function registerListDirectory(tools: ToolSet): void {
  tools.addForPaths('list-directory', config, ({ exclude, ...args }, call) => {
    const read = readGlobs(exclude, 'entry');
    const glob = read.ok && exclude.length > 0 ? read.glob : undefined;
    return read.ok ? run({ ...args, exclude: glob }, call) : refused(read.reason);
  });
}

type ListRequest = TreeRequest & { readonly path: string };

function run(request: ListRequest, call: RunningCall): CallToolResult | Promise<CallToolResult> {
  if (request.depth > 1) {
    return tree(request, call);
  }
  const listed = inFolderInside(call.scope, request.path, folder => list(folder, request));
  return listed.ok ? listed.value : refused(listed.message);
}

function list(folder: OpenedFolder, request: ListRequest): CallToolResult {
  const { entries: found, ...head } = listFolder(folder, request);
  const entries = request.details ? detailedEntries(folder, found) : found;
  const shown = request.details ? { entries } : namesByKind(entries);
  return answer({ ...head, ...shown }, textOfEntries(entries, head));
}

async function tree(request: ListRequest, call: RunningCall): Promise<CallToolResult> {
  const found = inFolderInside(call.scope, request.path, ({ path }) => path);
  if (!found.ok) {
    return refused(found.message);
  }
  const listing = await listTree(found.value, request, call);
  if (!listing) {
    return refused(unusable(request.path, changing).message);
  }
  const { entries, ...head } = listing;
  const unread = entries.filter(({ isUnread }) => isUnread).map(({ name }) => name);
  const shown = request.details
    ? { entries }
    : { ...namesByKind(entries), ...(unread.length > 0 && { unread }) };
  return answer({ ...head, ...shown }, textOfEntries(entries, head));
}

function namesByKind(entries: readonly ListedEntry[]) {
  const names = noNames();
  for (const { name, type } of entries) {
    names[type].push(name);
  }
  const { directory, file, link, other, unreachable } = names;
  return {
    directories: directory,
    files: file,
    ...(link.length > 0 && { links: link }),
    ...(other.length > 0 && { others: other }),
    ...(unreachable.length > 0 && { unreachable }),
  };
}

const changing = 'The system does not let this server list the folder, or the folder is changing.';

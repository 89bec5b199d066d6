import { closeSync } from 'node:fs';
import { basename } from 'node:path';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { fileUri } from '../../domain/paths/fileUri.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { printable } from '../../domain/printable.ts';
import { openFileInside } from '../paths/openInside.ts';
import { type Outcome, unusable } from '../paths/refusal.ts';
import { isText, mediaTypeOf } from '../reading/mediaType.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { readInto } from '../search/folderTree.ts';
import { pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

/**
 * The largest file that is given whole, in bytes: 5 MB in base64, which is the most that common
 * models take for one image, and stays below `longestMessage`.
 */
export const mostWholeBytes = 3.75 * 1024 * 1024;

const config = {
  title: 'Read Media',
  description:
    'Read an image, a sound or another binary file in the shared folders. What it is, is told ' +
    `by its first bytes. At most ${mostWholeBytes} bytes; for text there is read-file.`,
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
  }),
  outputSchema: z.object({
    path: z.string(),
    size: z.int().describe('In bytes.'),
    mimeType: z.string(),
  }),
  annotations: readOnly,
};

/** `read-media`: a binary file in a root, as content of its kind. */
export function registerReadMedia(tools: ToolSet): void {
  tools.addForPaths('read-media', config, ({ path }, { scope }) => {
    const read = wholeFileInside(scope, path);
    return read.ok ? describe(path, read.value, scope.platform) : refused(read.message);
  });
}

/** All that a file holds. */
interface WholeFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Reads a regular file in a root, if it is not larger than what is given whole. Synchronous, so
 * that of many calls no more than one holds a file in memory before it is answered.
 */
function wholeFileInside(scope: PathScope<RootFolder>, input: string): Outcome<WholeFile> {
  const opened = openFileInside(scope, input);
  if (!opened.ok) {
    return opened;
  }
  const { fd, path, stats } = opened.value;
  try {
    // The size is a hint: a file may grow, and special ones claim to be empty.
    const room = Math.min(Math.max(stats.size, 64 * 1024), mostWholeBytes) + 1;
    const bytes = Buffer.allocUnsafe(room);
    const length = readInto(fd, bytes);
    if (length <= mostWholeBytes) {
      return { ok: true, value: { path, bytes: bytes.subarray(0, length) } };
    }
    const size = `It has ${stats.size} bytes, and ${mostWholeBytes} is the most that is read whole.`;
    return unusable(input, `${size} Of text, read-file reads parts.`);
  } finally {
    closeSync(fd);
  }
}

function describe(
  input: string,
  { path, bytes }: WholeFile,
  platform: PathPlatform,
): CallToolResult {
  const mimeType = mediaTypeOf(basename(path), bytes);
  if (isText(bytes) && mimeType !== 'application/pdf') {
    const reason = bytes.length === 0 ? 'It is empty.' : 'It is text: use read-file.';
    return refused(unusable(input, reason).message);
  }
  const size = bytes.length;
  const note = `${printable(path)}: ${mimeType}, ${size} bytes`;
  const media = contentOf(bytes, mimeType, fileUri(path, platform));
  return {
    content: [media, { type: 'text', text: note }],
    structuredContent: { path, size, mimeType },
  };
}

function contentOf(bytes: Buffer, mimeType: string, uri: string): ContentBlock {
  const data = bytes.toString('base64');
  switch (mimeType.split('/')[0]) {
    case 'image':
      return { type: 'image', data, mimeType };
    case 'audio':
      return { type: 'audio', data, mimeType };
    default:
      return { type: 'resource', resource: { uri, mimeType, blob: data } };
  }
}

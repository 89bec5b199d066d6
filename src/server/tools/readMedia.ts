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
 * The largest file that is returned whole, in bytes. In base64, the file has 5 MB. Common models take
 * no larger image, and `longestMessage` is larger.
 */
const mostWholeBytes = 3.75 * 1024 * 1024;

const config = {
  title: 'Read Media',
  description:
    'Read an image, a sound or another binary file in the shared folders. The first bytes decide the ' +
    `media type. The file may have at most ${mostWholeBytes} bytes. For text, use read-file.`,
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
  }),
  outputSchema: z.object({
    path: z.string(),
    size: z.int().describe('Size in bytes.'),
    mimeType: z.string(),
  }),
  annotations: readOnly,
};

/** `read-media`: a binary file in a root, as an image, a sound or a resource. */
export function registerReadMedia(tools: ToolSet): void {
  tools.addForPaths('read-media', config, ({ path }, { scope }) => {
    const read = wholeFileInside(scope, path);
    return read.ok ? describe(path, read.value, scope.platform) : refused(read.message);
  });
}

/** The whole content of a file. */
interface WholeFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Reads a regular file in a root, up to the largest size that is returned whole. Synchronous, so that
 * only one call at a time has a file in memory before its answer.
 */
function wholeFileInside(scope: PathScope<RootFolder>, input: string): Outcome<WholeFile> {
  const opened = openFileInside(scope, input);
  if (!opened.ok) {
    return opened;
  }
  const { fd, path, stats } = opened.value;
  try {
    // The size is only a hint: a file may grow, and special files claim to be empty.
    const room = Math.min(Math.max(stats.size, 64 * 1024), mostWholeBytes) + 1;
    const bytes = Buffer.allocUnsafe(room);
    const length = readInto(fd, bytes);
    if (length <= mostWholeBytes) {
      return { ok: true, value: { path, bytes: bytes.subarray(0, length) } };
    }
    return unusable(
      input,
      `The file has ${stats.size} bytes. The limit for reading a whole file is ${mostWholeBytes} bytes. ` +
        'To read a text file in parts, use read-file.',
    );
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
    return refused(unusable(input, bytes.length === 0 ? empty : textInstead).message);
  }
  const size = bytes.length;
  const note = `${printable(path)}: ${mimeType}, ${size} bytes`;
  const media = contentOf(bytes, mimeType, fileUri(path, platform));
  return {
    content: [media, { type: 'text', text: note }],
    structuredContent: { path, size, mimeType },
  };
}

const empty = 'The file is empty.';
const textInstead = 'The file is text: use read-file.';

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

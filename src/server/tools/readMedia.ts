import { basename } from 'node:path';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { fileUri } from '../../domain/paths/fileUri.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { printable } from '../../domain/printable.ts';
import { unusable } from '../paths/refusal.ts';
import { isText, mediaTypeOf } from '../reading/mediaType.ts';
import { mostWholeBytes, type WholeFile, wholeFileInside } from '../reading/wholeFile.ts';
import { pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

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

import { closeSync } from 'node:fs';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type OpenedFile, openFileInside } from '../paths/openInside.ts';
import { notText, unusable } from '../paths/refusal.ts';
import { type LineRange, maxTextBytes, readLines, type TextPart } from '../reading/readLines.ts';
import type { RunningCall } from '../runningCall.ts';
import { answer, pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const line = z.int().min(1);

const inputSchema = z.strictObject({
  path: z.string().describe(pathHint),
  head: line.optional().describe('Read only this many lines from the start.'),
  tail: line.optional().describe('Read only this many lines from the end.'),
  startLine: line.optional().describe('Read from this line on. The first line is 1.'),
  endLine: line.optional().describe('Read up to this line, and include it.'),
});

const outputSchema = z.object({
  path: z.string(),
  text: z.string(),
  size: z.int().describe('The size of the whole file in bytes.'),
  firstLine: z.int().optional(),
  lastLine: z.int().optional(),
  nextLine: z.int().optional().describe('The startLine of the next part. Absent at the end.'),
  isCut: z.boolean().describe('Whether the size limit cut the requested text.'),
});

const most = `${maxTextBytes / 1024 ** 2} MB`;

const config = {
  title: 'Read File',
  description:
    'Read a UTF-8 text file in the shared folders: whole, its first or last lines, or a range ' +
    `of lines. An answer has at most ${most}, and says how to read on.`,
  inputSchema,
  outputSchema,
  annotations: readOnly,
};

/** `read-file`: text from a regular file in a root. */
export function registerReadFile(tools: ToolSet): void {
  tools.addForPaths('read-file', config, (args, call) => {
    const range = rangeOf(args);
    if (range === undefined) {
      return refused('Use head, or tail, or lines from startLine to an equal or larger endLine.');
    }
    const opened = openFileInside(call.scope, args.path);
    return opened.ok
      ? read({ ...opened.value, input: args.path }, range, call)
      : refused(opened.message);
  });
}

function rangeOf({ head, tail, startLine, endLine }: z.infer<typeof inputSchema>) {
  const hasRange = startLine !== undefined || endLine !== undefined;
  const from = startLine ?? 1;
  const to = endLine ?? Number.MAX_SAFE_INTEGER;
  const used = [head !== undefined, tail !== undefined, hasRange].filter(Boolean).length;
  if (used > 1 || to < from) {
    return undefined;
  }
  return tail !== undefined ? { last: tail } : { from, to: head ?? to };
}

async function read(
  { fd, path, stats: { size }, input }: OpenedFile & { readonly input: string },
  range: LineRange,
  call: RunningCall,
): Promise<CallToolResult> {
  try {
    const part = await readLines({ fd, size }, range, call);
    if (!part) {
      return refused(unusable(input, notText).message);
    }
    return answer({ path, size, ...part }, part.text, noteOn(part, size, range));
  } finally {
    closeSync(fd);
  }
}

/** A note for a reader who gets only the text of the answer. Empty: the text is complete. */
function noteOn(part: TextPart, size: number, range: LineRange): string {
  if (part.text === '') {
    return size === 0 ? '(The file is empty.)' : '(The file has no such line.)';
  }
  if ('last' in range) {
    return part.isCut ? `(Only the last ${most}: ask for fewer lines, or for a range.)` : '';
  }
  if (part.nextLine === undefined) {
    return '';
  }
  const shown = `Lines ${part.firstLine} to ${part.lastLine} of a file of ${size} bytes.`;
  const isInLine = part.isCut && !part.text.endsWith('\n');
  const lost = isInLine ? restOfLine : '';
  return `(${shown}${lost} Continue with startLine ${part.nextLine}.)`;
}

const restOfLine =
  ' The rest of this line is left out. Only if this is the last line of the file, the next startLine continues it.';

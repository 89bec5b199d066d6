import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { isoTime } from '../listing/entries.ts';
import { infoInside, type PathInfo } from '../paths/infoInside.ts';
import { isText, mediaTypeOf } from '../reading/mediaType.ts';
import { answer, answerTo, pathHint, readOnly } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const types = ['file', 'directory', 'pipe', 'socket', 'device'] as const;

const outputSchema = z.object({
  path: z.string().describe('The real path, with all links followed.'),
  root: z.string().describe('The URI of the root that contains the path.'),
  type: z.enum(types),
  size: z.int().optional().describe('Size in bytes. Only files have a size.'),
  mimeType: z.string().optional().describe('Judged by the first bytes. Absent if unreadable.'),
  created: z.string().optional().describe('Absent if the file system does not record this time.'),
  modified: z.string().optional(),
  accessed: z.string().optional(),
  mode: z.string().optional().describe('Permissions as an octal number. Absent on Windows.'),
  permissions: z.string().optional().describe('Permissions in letters, such as "rw-r--r--".'),
});

type Info = z.infer<typeof outputSchema>;

const config = {
  title: 'File Info',
  description:
    'Describe a file, a folder or a special file in the shared folders. The answer has the type, size, ' +
    'media type, dates, permissions and real path.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
  }),
  outputSchema,
  annotations: readOnly,
};

/** `file-info`: the facts about one file or folder in a root. */
export function registerFileInfo(tools: ToolSet): void {
  tools.addForPaths('file-info', config, ({ path }, { scope }) =>
    answerTo(infoInside(scope, path), found => {
      const info = describe(found, scope.platform !== 'win32');
      return answer(info, textFor(info));
    }),
  );
}

function describe({ path, root, stats, head }: PathInfo, hasMode: boolean): Info {
  const { size, birthtime, mtime, atime, mode } = stats;
  // Some file systems do not record when a file was created, and report the year 1970.
  const created = birthtime.getTime() > 0 ? isoTime(birthtime) : undefined;
  return {
    path,
    root: root.uri,
    type: typeOf(stats),
    ...(stats.isFile() && { size }),
    ...(head && { mimeType: mimeTypeOf(path, head, size) }),
    created,
    modified: isoTime(mtime),
    accessed: isoTime(atime),
    ...(hasMode && { mode: octal(mode), permissions: letters(mode) }),
  };
}

function typeOf(stats: Stats): Info['type'] {
  if (stats.isFile() || stats.isDirectory()) {
    return stats.isFile() ? 'file' : 'directory';
  }
  if (stats.isFIFO() || stats.isSocket()) {
    return stats.isFIFO() ? 'pipe' : 'socket';
  }
  return 'device';
}

function mimeTypeOf(path: string, head: Buffer, size: number): string {
  // The end of the head may cut a character of up to four bytes.
  const cuts = head.length < size ? [0, 1, 2, 3] : [];
  const text = cuts.map(cut => head.subarray(0, head.length - cut)).find(isText);
  return mediaTypeOf(basename(path), text ?? head);
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

function letters(mode: number): string {
  return [...'rwxrwxrwx'].map((letter, at) => (mode & (0o400 >> at) ? letter : '-')).join('');
}

function textFor({ path, root, type, mode, permissions, ...info }: Info): string {
  const kind = [type, info.mimeType, info.size !== undefined && `${info.size} bytes`];
  const lines = [
    `${path}: ${kind.filter(Boolean).join(', ')}`,
    info.created && `Created ${info.created}`,
    info.modified && `Modified ${info.modified}`,
    info.accessed && `Accessed ${info.accessed}`,
    mode && `Permissions ${permissions} (${mode})`,
    `In the root ${root}`,
  ];
  return lines.flatMap(line => (line ? [printable(line)] : [])).join('\n');
}

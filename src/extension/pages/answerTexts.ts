import { jsonIn } from '../../base/jsonIn.ts';
import type { CallToolResult, ReadResourceResult } from '../../mcp/link/connection.ts';

/** The contents of a file, and its name. */
export interface AnswerFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Content = ReadResourceResult['contents'][number];

/**
 * The text of a tool's answer, and the file ending by which the editor chooses the text's language.
 * If a part has no text, or every text is JSON, returns the answer as JSON.
 */
export function toolText({ content, structuredContent }: CallToolResult) {
  const texts = content.flatMap(block => {
    const held = block.type === 'resource' ? block.resource : block;
    return 'text' in held ? [held.text] : [];
  });
  const isText =
    texts.length > 0 &&
    texts.length === content.length &&
    !texts.every(text => typeof jsonIn(text) === 'object');
  return isText
    ? { extension: 'txt', text: texts.join('\n') }
    : { extension: 'json', text: JSON.stringify(structuredContent ?? content, undefined, 2) };
}

/** The file name for a resource: the end of its URI, with an ending. */
export function fileNameOf(content: Content): string {
  const last = lastSegment(content.uri) || 'resource';
  return /\.[\w-]+$/.test(last) ? last : `${last}.${extensionOf(content)}`;
}

/** One part of a tool's answer, as a file; `undefined` when a file can't hold that part. */
export function contentFile(content: CallToolResult['content'][number]): AnswerFile | undefined {
  switch (content.type) {
    case 'text':
      return { name: 'answer.txt', bytes: Buffer.from(content.text) };
    case 'image':
    case 'audio': {
      const { type, mimeType, data } = content;
      const name = `${type}.${extensionOf({ uri: '', mimeType })}`;
      return { name, bytes: Buffer.from(data, 'base64') };
    }
    case 'resource': {
      const { resource } = content;
      const bytes =
        'text' in resource ? Buffer.from(resource.text) : Buffer.from(resource.blob, 'base64');
      return { name: fileNameOf(resource), bytes };
    }
    default:
      return undefined;
  }
}

/** The ending in a resource's name, or the ending that editors know for its type. */
function extensionOf({ uri, mimeType = '' }: Pick<Content, 'uri' | 'mimeType'>): string {
  const [, ofName] = /\.([\w-]+)$/.exec(lastSegment(uri)) ?? [];
  const [, ofType] = /^[^/]+\/(?:[^;]*\+)?([\w-]+)/.exec(mimeType) ?? [];
  const known: Readonly<Record<string, string>> = {
    markdown: 'md',
    javascript: 'js',
    typescript: 'ts',
    plain: 'txt',
    'octet-stream': 'bin',
  };
  return ofName ?? (ofType === undefined ? 'txt' : (known[ofType] ?? ofType));
}

function lastSegment(uri: string): string {
  const segment =
    uri
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '';
  try {
    return decodeURIComponent(segment).replace(/[\\/:*?"<>|]/g, '_');
  } catch {
    return segment; // The URI has another encoding than UTF-8, which is valid.
  }
}

import type { CallToolResult, GetPromptResult, ReadResourceResult } from '../../mcp/connection.ts';

/** A text for a document. */
export interface AnswerText {
  /** The file extension, by which the editor knows the language of the text. */
  readonly extension: string;
  readonly text: string;
}

/** The contents of a file, and a name for it. */
export interface AnswerFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Content = ReadResourceResult['contents'][number];

/** Prefers a text that a person can read to the same as data; without one, it is the JSON. */
export function toolText({ content, structuredContent }: CallToolResult): AnswerText {
  const texts = content.flatMap(block => (block.type === 'text' ? [block.text] : []));
  const isText = texts.length > 0 && texts.length === content.length && !texts.every(isJson);
  return isText
    ? { extension: 'txt', text: texts.join('\n') }
    : { extension: 'json', text: json(structuredContent ?? content) };
}

/** The text of a resource as it is; `undefined` when it is no text. */
export function resourceText(content: Content): AnswerText | undefined {
  return 'text' in content ? { extension: extensionOf(content), text: content.text } : undefined;
}

/** The name of a resource as a file: the end of its URI, with an extension. */
export function fileNameOf(content: Content): string {
  const last = lastSegment(content.uri) || 'resource';
  return /\.[\w-]+$/.test(last) ? last : `${last}.${extensionOf(content)}`;
}

/** One content of what a tool answered, as a file; `undefined`: it has nothing that a file could hold. */
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

/** The messages of a prompt one after the other, each below who says it. */
export function promptText({ description, messages }: GetPromptResult): AnswerText {
  const parts = messages.map(({ role, content }) => {
    const text = content.type === 'text' ? content.text : `\`\`\`json\n${json(content)}\n\`\`\``;
    return `## ${role}\n\n${text}\n`;
  });
  return {
    extension: 'md',
    text: [...(description ? [`${description}\n`] : []), ...parts].join('\n'),
  };
}

/** The extension in its name, or one for its type, as far as editors know one. */
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
    return segment; // It is encoded in another way, which is no error.
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false; // Then it is text, which is no error.
  }
}

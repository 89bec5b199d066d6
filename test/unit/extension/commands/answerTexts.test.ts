import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fileNameOf,
  promptText,
  resourceText,
  toolText,
} from '../../../../src/extension/commands/answerTexts.ts';

test('a tool’s answer is its text, or data where that is no text for a person', () => {
  const text = (text: string) => ({ type: 'text', text }) as const;
  assert.deepEqual(
    [
      toolText({ content: [text('a'), text('b')] }),
      toolText({ content: [text('{"a":1}')], structuredContent: { a: 1 } }),
      toolText({ content: [] }),
    ],
    [
      { extension: 'txt', text: 'a\nb' },
      { extension: 'json', text: '{\n  "a": 1\n}' },
      { extension: 'json', text: '[]' },
    ],
  );
});

test('a resource is a file by the end of its URI, or by its type', () => {
  const files: readonly [string, string | undefined, string][] = [
    ['file:///a/note.md', undefined, 'note.md'],
    ['demo://note', 'text/markdown; charset=utf-8', 'note.md'],
    ['demo://a/b%2Fc?x=1', 'application/ld+json', 'b_c.json'],
    ['demo://a/%', 'image/png', '%.png'],
    ['demo://a/', 'application/octet-stream', 'resource.bin'],
    ['demo://a/b', undefined, 'b.txt'],
  ];
  assert.deepEqual(
    files.map(([uri, mimeType]) => fileNameOf({ uri, blob: '', ...(mimeType && { mimeType }) })),
    files.map(([, , name]) => name),
  );
  assert.deepEqual(resourceText({ uri: 'a://b.ts', text: 'x' }), { extension: 'ts', text: 'x' });
  assert.equal(resourceText({ uri: 'a://b.ts', blob: 'eA==' }), undefined);
});

test('a prompt’s messages stand below who says them', () => {
  const content = { type: 'text', text: 'Hi' } as const;
  const image = { type: 'image', data: 'eA==', mimeType: 'image/png' } as const;
  const { extension, text } = promptText({
    description: 'Greets',
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: image },
    ],
  });
  assert.equal(extension, 'md');
  assert.match(text, /^Greets\n\n## user\n\nHi\n\n## assistant\n\n```json\n[^`]+\n```\n$/);
});

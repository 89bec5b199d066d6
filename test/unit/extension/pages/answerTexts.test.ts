import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf, toolText } from '../../../../src/extension/pages/answerTexts.ts';

test('a tool’s answer is its text, or data when the text is not for people', () => {
  const text = (text: string) => ({ type: 'text', text }) as const;
  assert.deepEqual(
    [
      toolText({ content: [text('a'), text('b')] }),
      toolText({ content: [text('{"a":1}')], structuredContent: { a: 1 } }),
      toolText({ content: [] }),
      toolText({ content: [{ type: 'resource', resource: { uri: 'x:///a', text: '# A' } }] }),
    ],
    [
      { extension: 'txt', text: 'a\nb' },
      { extension: 'json', text: '{\n  "a": 1\n}' },
      { extension: 'json', text: '[]' },
      { extension: 'txt', text: '# A' },
    ],
  );
});

test('a resource gets the extension of its URI or of its type', () => {
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
});

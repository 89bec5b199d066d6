import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMarkdown, markdownSentence } from '../../src/domain/markdown.ts';
import { inEnglish, sentence } from '../../src/domain/sentence.ts';

test('text is written so that Markdown shows it as it is', () => {
  assert.deepEqual(
    [
      inMarkdown('read_file of my-server 2025-11-25'),
      inMarkdown('[click](command:x) <img src=x>'),
      inMarkdown('**bold** _it_ `code` ![x](y) \\ # &amp;'),
      inMarkdown('1. one'),
      inMarkdown('- one'),
      inMarkdown('    code'),
    ],
    [
      'read_file of my-server 2025-11-25',
      '\\[click\\]\\(command\\:x\\) \\<img src\\=x\\>',
      '\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\!\\[x\\]\\(y\\) \\\\ \\# \\&amp\\;',
      '1\\. one',
      '\\- one',
      'code',
    ],
  );
});

test('only what was put into a sentence is written so', () => {
  const written = sentence('{0} says "so": {1}.', '*', 'a_b');
  assert.equal(inEnglish(markdownSentence(written)), '\\* says "so": a_b.');
});

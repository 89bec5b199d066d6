import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeMarkdown } from '../../../src/domain/markdown.ts';

test('a text with several marks of Markdown looks like it', () => {
  for (const text of [
    '# Title\n\n- one\n- two\n',
    '\n## Title\n\n**Note**: read this.\n',
    'Some **bold** words:\n\n1. one\n\n```\ncode\n```\n',
    'See [this](https://example.com).\n\n| a | b |\n| - | - |\n|---|---|\n\n* one\n',
  ]) {
    assert.ok(looksLikeMarkdown(text), text);
  }
});

test('programs, configurations, listings and plain words do not', () => {
  for (const text of [
    '',
    'done',
    '# comment\nname = value\n',
    '#!/bin/sh\n# comment\necho **\n',
    'def f(a, **kwargs):\n    # - one\n    return a\n',
    '- api\n- web\n',
    'total 5\n-rw-r--r-- 1 root root 12 a.ts\n',
    '{"a": [1, 2], "b": "[x](y)"}',
    'api: /home/ada/api\nweb: /home/ada/web',
  ]) {
    assert.ok(!looksLikeMarkdown(text), text);
  }
});

test('a long text of one mark does not, and is looked at once', { timeout: 60_000 }, () => {
  for (const part of ['[', '[a', '[a](http:', '**a', '- ', '|', '-', ':', '#', '`', ' ', '\n']) {
    assert.ok(!looksLikeMarkdown(part.repeat(5_000_000 / part.length)), part);
  }
});

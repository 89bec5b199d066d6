import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'jsonc-parser';
import { clientSnippet } from '../../src/domain/hub/clientSnippets.ts';
import { snippetDocument } from '../../src/domain/hub/snippetDocument.ts';

const start = {
  launcher: '/proj/mcp-roots.cjs',
  config: '/proj/servers.json',
  roots: [],
  platform: 'linux',
} as const;
const advice = ['Some words that are more than a line has room for. '.repeat(4).trim(), 'Others.'];

test('what a client is given can be read with its advice, and still be used as it is', () => {
  const snippet = clientSnippet('other', start);
  const { language, content } = snippetDocument('other', snippet, advice);
  equal(language, 'jsonc');
  deepEqual(parse(content), JSON.parse(snippet));
  const comments = content.split('\n').filter(line => line.startsWith('// '));
  ok(comments.length > 3 && comments.every(({ length }) => length <= 80), content);
  equal(comments.map(line => line.slice(3)).join(' '), advice.join(' '));
});

test('a command line stays one below its comments', () => {
  const snippet = clientSnippet('claude-code', start);
  const { language, content } = snippetDocument('claude-code', snippet, ['Run\nit.']);
  deepEqual([language, content], ['shellscript', `# Run\\u000ait.\n\n${snippet}\n`]);
});

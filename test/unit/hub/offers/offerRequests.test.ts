import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredResult } from '../../../../src/hub/offers/offerRequests.ts';

test('the contents of a read have the URIs that clients know, and nothing else is touched', () => {
  const result = {
    contents: [
      { uri: 'file:///proj/a', text: 'file:///proj/a', mimeType: 'text/plain', _meta: {} },
      { uri: 'file:///proj/a/b', blob: '' },
      { uri: 7 },
      null,
      'file:///proj/a',
    ],
    ttlMs: 1,
    _meta: { uri: 'file:///proj/a' },
  };
  assert.deepEqual(offeredResult('files', result), {
    ...result,
    contents: [
      { ...(result.contents[0] as object), uri: 'files+file:///proj/a' },
      { uri: 'files+file:///proj/a/b', blob: '' },
      { uri: 7 },
      null,
      'file:///proj/a',
    ],
  });
  assert.deepEqual(offeredResult('files', { contents: 'none' }), { contents: 'none' });
});

test('the resources that a result links to or holds have the URIs that clients know', () => {
  const link = { type: 'resource_link', uri: 'file:///proj/a', name: 'A' };
  const held = { type: 'resource', resource: { uri: 'memo://a', text: 'memo://a' }, _meta: {} };
  const others = [{ type: 'text', text: 'x', uri: 'memo://a' }, { type: 'resource' }, null, 'a'];
  const known = [
    { ...link, uri: 'files+file:///proj/a' },
    { ...held, resource: { uri: 'files+memo://a', text: 'memo://a' } },
    { type: 'text', text: 'x', uri: 'memo://a' },
    { type: 'resource' },
    null,
    'a',
  ];
  const structuredContent = { uri: 'file:///proj/a' };
  assert.deepEqual(
    offeredResult('files', { content: [link, held, ...others], structuredContent }),
    { content: known, structuredContent },
  );
  assert.deepEqual(
    offeredResult('files', {
      description: 'd',
      messages: [{ role: 'user', content: link }, { role: 'user', content: [held] }, 'none'],
    }),
    {
      description: 'd',
      messages: [
        { role: 'user', content: known[0] },
        { role: 'user', content: [known[1]] },
        'none',
      ],
    },
  );
  assert.deepEqual(offeredResult('files', { content: 'none' }), { content: 'none' });
});

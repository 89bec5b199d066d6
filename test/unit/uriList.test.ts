import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readUriList } from '../../src/domain/paths/uriList.ts';

it('a list of URIs has one a line, whatever ends the lines, and comments are none', () => {
  const text = '# dragged\r\nfile:///proj/api\r\n\r\nfile:///proj/a%20b\nfile:///proj/web#top';
  assert.deepEqual(readUriList(text), [
    'file:///proj/api',
    'file:///proj/a%20b',
    'file:///proj/web#top',
  ]);
  assert.deepEqual(readUriList(''), []);
});

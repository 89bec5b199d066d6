import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRoot } from '../../../../src/hub/upstreams/upstreamLife.ts';

test('a root without a name is told of under that of its folder', () => {
  const folder = (path: string, name?: string) => {
    const found = { announced: path, real: path, foldsCase: false, device: 1n, inode: 1n };
    return { uri: `file://${path}`, ...found, ...(name !== undefined && { name }) };
  };
  assert.deepEqual([folder('/proj/web'), folder('/proj/api', 'API')].map(startRoot), [
    { uri: 'file:///proj/web', name: 'web', path: '/proj/web' },
    { uri: 'file:///proj/api', name: 'API', path: '/proj/api' },
  ]);
});

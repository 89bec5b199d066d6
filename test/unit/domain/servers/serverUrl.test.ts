import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOnThisMachine } from '../../../../src/domain/servers/serverUrl.ts';

test('only a loopback address and the name for it stay on this machine', () => {
  const urls = [
    ...['http://localhost:3000/mcp', 'http://127.0.0.1/mcp', 'https://127.8.9.10:8443/'],
    ...['http://[::1]:3000/mcp', 'http://LOCALHOST/mcp', 'http://0x7f.1/mcp'],
    ...['http://localhost.example.com/mcp', 'http://127.0.0.1.example.com/mcp'],
    ...['http://127.0.0.1@example.com/mcp', 'http://example.com/localhost', 'https://10.0.0.1/mcp'],
    ...['http://${env:HOST}/mcp', 'localhost', ''],
  ];
  assert.deepEqual(urls.filter(isOnThisMachine), urls.slice(0, 6));
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { withoutServer } from '../../../../src/mcp/link/relayRules.ts';

test('removes the name of the server from the name of its client', () => {
  const names = {
    'qwen-cli-mcp-client-files': 'qwen-cli-mcp-client',
    'mcp-client-files': 'mcp-client',
    'mcp-client-my-files': 'mcp-client-my-files',
    // The name of a program that has nothing to do with the server.
    'all-files': 'all-files',
    files: 'files',
  };
  const seen = Object.keys(names).map(name => [
    name,
    withoutServer({ name, version: '1' }, 'files').name,
  ]);
  deepEqual(Object.fromEntries(seen), names);
});

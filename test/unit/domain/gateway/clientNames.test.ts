import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNames } from '../../../../src/domain/gateway/clientNames.ts';

function namesOf(...labels: readonly string[]): readonly string[] {
  return clientNames(labels.map(label => ({ definition: { label } }))).map(({ name }) => name);
}

test('takes what of a label every client can have in the name of a tool', () => {
  assert.deepEqual(namesOf('files', 'My Größe!', 'git_2', '__x__', '日本', 'MCP Roots Server'), [
    'files',
    'my-gro-e',
    'git_2',
    'x',
    'server',
    'mcp-roots',
  ]);
});

test('leaves room for what VS Code puts around it', () => {
  for (const name of namesOf('a server with a very long name', 'twelve-chars-and')) {
    assert.match(`mcp_${name}_`, /^[a-z0-9_-]{6,18}$/);
  }
});

test('tells servers apart whose labels come down to the same', () => {
  const names = namesOf('Long Server Name A', 'Long Server Name B', 'long-server-n');
  assert.equal(new Set(names).size, 3);
  assert.deepEqual(names, ['long-server', 'long-server-2', 'long-server-n']);
});

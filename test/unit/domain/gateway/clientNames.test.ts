import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNames } from '../../../../src/domain/gateway/clientNames.ts';

function namesOf(...labels: readonly string[]): readonly string[] {
  return clientNames(labels.map(label => ({ definition: { label } }))).map(({ name }) => name);
}

test('keeps a label that every client allows in the name of a tool', () => {
  const labels = ['files', 'git_2', 'long-server-n', 'x'];
  assert.deepEqual(namesOf(...labels), labels);
});

test('gives any other label its allowed characters and a hash', () => {
  const words = {
    'My Größe!': 'my-gro',
    GitHub: 'github',
    __x__: 'x',
    日本: 'server',
    'MCP Roots Server': 'roots',
    // It looks like a name with a hash.
    my_server: 'my',
    'a server with a very long name': 'a-with',
    'microsoft/browser-mcp': 'browse',
    'io.github.acme/browser-mcp@1.0.2': 'browse',
    'com.acme/mcp-server': 'com-ac',
    'awslabs.documentation-mcp-server': 'awslab',
    'mcp.example.com': 'exampl',
    'GPT-4.1': 'gpt-4',
  };
  for (const [label, word] of Object.entries(words)) {
    const [name = ''] = namesOf(label);
    assert.match(name, new RegExp(`^${word}_[a-z0-9]{6}$`));
    assert.ok(`mcp_${name}_`.length <= 18, name);
  }
});

test('gives a label the same name beside any other labels, so that entries stay correct', () => {
  const labels = [
    ...['io.github.a/docs', 'io.github.b/docs', 'Docs', 'docs', 'docs mcp', 'DOCS'],
    ...['GitHub Server Prod', 'GitHub Server 11278'],
  ];
  const names = namesOf(...labels);
  assert.equal(new Set(names).size, labels.length);
  for (const [at, label] of labels.entries()) {
    assert.deepEqual(namesOf(label), [names[at]]);
  }
});

test('gives no name to servers that would share a name', () => {
  assert.deepEqual(namesOf('files', 'git', 'files'), ['git']);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';

import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterReal } from '../../src/base/clock.ts';
import { KnownSecrets } from '../../src/mcp/knownSecrets.ts';
import { openWire } from '../../src/mcp/openWire.ts';
import { Relay } from '../../src/mcp/relay.ts';
import { defaultTimes } from '../../src/mcp/times.ts';
import { atEnd } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { testOwner } from '../support/testOwner.ts';

const modules = join(import.meta.dirname, '../../node_modules');

test('a client works with server-filesystem as if it had started it', async t => {
  const root = tempFolder(t);
  writeTree(root, { 'a.txt': 'a' });
  const { client } = await relayed(
    t,
    '.bin/mcp-server-filesystem',
    [],
    [{ uri: `file://${root}`, name: 'root' }],
  );
  assert.equal(client.getServerVersion()?.name, 'files');
  const { content } = await client.callTool({
    name: 'read_text_file',
    arguments: { path: join(root, 'a.txt') },
  });
  assert.deepEqual(content, [{ type: 'text', text: 'a' }]);
});

async function relayed(
  t: TestContext,
  program: string,
  args: readonly string[],
  roots: readonly { readonly uri: string; readonly name: string }[],
) {
  const target = {
    command: process.execPath,
    args: [join(modules, program), ...args],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
  };
  const wire = openWire(target, testOwner(t), new KnownSecrets([]), defaultTimes);
  await wire.start();
  atEnd(t, () => wire.close());
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async message => {
      relay.takeFromClient(message as never, Buffer.from(JSON.stringify(message)));
    },
  };
  const relay = new Relay(wire, roots, {
    label: 'files',
    write: line => transport.onmessage?.(JSON.parse(line.toString())),
    lookAgain: () => undefined,
    admit: async () => undefined,
    after: afterReal,
  });
  atEnd(t, () => relay.dispose());
  const client = new Client({ name: 'c', version: '1' }, { capabilities: {} });
  await client.connect(transport);
  return { client, relay };
}

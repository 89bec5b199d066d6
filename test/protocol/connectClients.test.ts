import { deepEqual, equal } from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { StdioClientTransport as StdioOfSdk2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { serverMain } from '../support/bundledServer.ts';
import {
  connectorStart,
  type FakeHome,
  fakeHome,
  openGateway,
  type Reception,
  serving,
} from '../support/fakeGateway.ts';
import { atEnd } from '../support/processes.ts';
import { openClientOfSdk1, openClientOfSdk2 } from '../support/sdkClients.ts';
import { writeTree } from '../support/temp.ts';

const everything = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** The clients of both SDKs, in each revision family that they speak. */
const clients = {
  'SDK 1': (home: FakeHome) =>
    openClientOfSdk1(new StdioOfSdk1(connectorStart(home)), options(home)),
  'SDK 2, legacy': (home: FakeHome) =>
    openClientOfSdk2('legacy', new StdioOfSdk2(connectorStart(home)), options(home)),
  'SDK 2, modern': (home: FakeHome) =>
    openClientOfSdk2('modern', new StdioOfSdk2(connectorStart(home)), options(home)),
};

function options({ workspace }: FakeHome) {
  return { roots: () => [{ uri: `file://${workspace}` }] };
}

async function connected(t: TestContext, name: keyof typeof clients, reception: Reception) {
  const home = fakeHome(t);
  writeTree(home.workspace, { 'a.txt': 'a' });
  const gateway = await openGateway(t, home, reception);
  const client = await clients[name](home);
  atEnd(t, () => client.close());
  return { home, gateway, client };
}

describe('through a connector', () => {
  for (const name of Object.keys(clients) as (keyof typeof clients)[]) {
    test(`a client of ${name} works with the bundled server`, async t => {
      const { home, client, gateway } = await connected(t, name, serving(t, [serverMain]));
      equal((await client.listTools()).length, 8);
      const read = await client.call('read-file', { path: join(home.workspace, 'a.txt') });
      deepEqual(read.content, [{ type: 'text', text: 'a' }]);
      const [{ hello } = { hello: {} }] = gateway.sessions;
      deepEqual(hello, {
        mcpRoots: 'hello',
        nonce: 'nonce of w',
        server: 'files',
        cwd: realpathSync(home.workspace),
      });
    });
  }

  test('a client of SDK 1 gets of server-everything what it gets directly', async t => {
    const { home, client } = await connected(t, 'SDK 1', serving(t, [everything]));
    const direct = await openClientOfSdk1(
      new StdioOfSdk1({ command: process.execPath, args: [everything], stderr: 'ignore' }),
      options(home),
    );
    atEnd(t, () => direct.close());
    for (const one of [client, direct]) {
      await one.listTools();
    }
    deepEqual(client.client.getServerCapabilities(), direct.client.getServerCapabilities());
    deepEqual(await client.listTools(), await direct.listTools());
    for (const [tool, args] of [
      ['echo', { message: 'ü' }],
      ['get-tiny-image', {}],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-structured-content', { location: 'Chicago' }],
      ['none', {}],
    ] as const) {
      deepEqual(await client.call(tool, args), await direct.call(tool, args), tool);
    }
    deepEqual(await client.client.listPrompts(), await direct.client.listPrompts());
    deepEqual(await client.client.listResources(), await direct.client.listResources());
  });

  test('progress comes, and a call can be called off', async t => {
    const { client } = await connected(t, 'SDK 1', serving(t, [everything]));
    const steps: number[] = [];
    const long = (duration: number, signal?: AbortSignal) =>
      client.client.callTool(
        { name: 'trigger-long-running-operation', arguments: { duration, steps: 2 } },
        undefined,
        { onprogress: ({ progress }) => steps.push(progress), ...(signal && { signal }) },
      );
    await long(0.4);
    // The last step comes with the result, and SDK 1 drops what it reads together with that.
    deepEqual(steps.slice(0, 1), [1]);
    const end = new AbortController();
    const call = long(60, end.signal).catch(error => error);
    end.abort(new Error('enough'));
    equal(((await call) as Error).message.includes('enough'), true);
  });

  test('a result of 5 MB comes whole', async t => {
    const text = 'x'.repeat(5_000_000);
    const { client } = await connected(t, 'SDK 1', ({ say, listen }) => {
      say({ mcpRoots: 'welcome' });
      listen(line => {
        const { id, method, params } = JSON.parse(line);
        const { protocolVersion } = params ?? {};
        const serverInfo = { name: 'files', version: '1' };
        const result =
          method === 'initialize'
            ? { protocolVersion, capabilities: { tools: {} }, serverInfo }
            : { content: [{ type: 'text', text }] };
        if (id !== undefined) {
          say({ jsonrpc: '2.0', id, result });
        }
      });
    });
    deepEqual((await client.call('big')).content, [{ type: 'text', text }]);
  });
});

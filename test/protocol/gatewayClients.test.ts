import { deepEqual, equal, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { StdioClientTransport as StdioOfSdk2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { serverMain } from '../support/bundledServer.ts';
import { isSoak } from '../support/effort.ts';
import { connectorStart, type FakeHome, fakeHome } from '../support/fakeGateway.ts';
import { openGatewayServers, StandInServer } from '../support/gatewayServers.ts';
import { plainTool } from '../support/hubServers.ts';
import { atEnd, until } from '../support/processes.ts';
import { oddServer, programStart } from '../support/recordingServer.ts';
import { openClientOfSdk1, openClientOfSdk2 } from '../support/sdkClients.ts';
import { onlyOn } from '../support/systems.ts';
import { writeTree } from '../support/temp.ts';

/** The clients of both SDKs, in each revision family that they speak. */
const clients = {
  'SDK 1': (home: FakeHome) => openClientOfSdk1(new StdioOfSdk1(connectorStart(home)), roots(home)),
  'SDK 2, legacy': (home: FakeHome) =>
    openClientOfSdk2('legacy', new StdioOfSdk2(connectorStart(home)), roots(home)),
  'SDK 2, modern': (home: FakeHome) =>
    openClientOfSdk2('modern', new StdioOfSdk2(connectorStart(home)), roots(home)),
};

function roots({ workspace }: FakeHome) {
  return { roots: () => [{ uri: pathToFileURL(workspace).href }] };
}

async function connected(t: TestContext, name: keyof typeof clients) {
  const home = fakeHome(t);
  writeTree(home.workspace, { 'a.txt': 'a' });
  const server = new StandInServer('files', programStart(home.workspace, serverMain));
  const gateway = await openGatewayServers(t, home, server.now({ [home.workspace]: 'allowed' }));
  await gateway.allow('test', server);
  const client = await clients[name](home);
  atEnd(t, () => client.close());
  return { home, client, gateway, server };
}

describe('through the gateway', () => {
  const names = Object.keys(clients) as (keyof typeof clients)[];
  for (const name of isSoak ? names : (['SDK 1', 'SDK 2, modern'] as const)) {
    test(`a client of ${name} reads allowed files through the bundled server`, async t => {
      const { home, client, gateway, server } = await connected(t, name);
      equal((await client.listTools()).length, 8);
      const read = () => client.call('read-file', { path: join(home.workspace, 'a.txt') });
      deepEqual((await read()).content, [{ type: 'text', text: 'a' }]);
      // In the modern era, SDK 2 first asks for the revision through a connector that it then ends.
      equal(gateway.accepted, name === 'SDK 2, modern' ? 2 : 1);
      // A session stays in the list until its process has ended.
      await until('one session is left', () => gateway.sessionsOf(server).length === 1);
      deepEqual(
        gateway.sessionsOf(server).map(one => [one.client.name, one.state]),
        [['test', 'running']],
      );
      deepEqual(gateway.sessionsOf(server)[0]?.lastExposure?.roots, server.access.roots);
    });
  }

  test('the server records what a client misses in the sandbox', {
    skip: onlyOn('posix', 'there is no sandbox on Windows'),
  }, async t => {
    const home = fakeHome(t);
    const facts = { tool: '', cwd: '/', alsoSees: [], hasNetwork: true, roots: [] };
    const { start } = oddServer(t, { tools: [plainTool('fail')] });
    const server = new StandInServer('files', { ...start, sandbox: facts });
    const gateway = await openGatewayServers(t, home, server.now({ [home.workspace]: 'allowed' }));
    await gateway.allow('test', server);
    const client = await clients['SDK 1'](home);
    atEnd(t, () => client.close());
    equal(server.record?.missed.lack, undefined);
    const message = "ENOENT: no such file or directory, open '/etc/chromium.d/*'";
    await rejects(client.call('fail', { code: -32603, message }), /ENOENT/);
    equal(server.record?.missed.lack, 'browser');
  });
});

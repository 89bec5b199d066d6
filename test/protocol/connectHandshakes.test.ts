import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serverMain } from '../support/bundledServer.ts';
import { handshakes, probe } from '../support/clientHandshakes.ts';
import { fakeHome, openGateway, RawConnector, serving } from '../support/fakeGateway.ts';

const tools = { tools: [{ name: 't', inputSchema: { type: 'object' } }] };
function said(revision: string) {
  const serverInfo = { name: 'files', title: 'files', version: '1' };
  return { protocolVersion: revision, capabilities: { tools: { listChanged: true } }, serverInfo };
}

for (const [client, { probes, revision, capabilities, name }] of Object.entries(handshakes)) {
  const clientInfo = { name, version: '1' };
  const initialize = {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo },
  };

  describe(`the handshake of ${client}`, () => {
    test('is answered by the server when the window is there', async t => {
      const home = fakeHome(t);
      await openGateway(t, home, serving(t, [serverMain]));
      const connector = new RawConnector(t, home, '--workspace', home.workspace);
      if (probes) {
        connector.send(probe(name));
        equal((await connector.next())['id'], 'p');
      }
      connector.send(initialize);
      const { result } = await connector.next();
      equal((result as { protocolVersion: string }).protocolVersion, revision);
    });

    test('is answered from what is known when no window is there', async t => {
      const home = fakeHome(t);
      // Another client has asked for another revision.
      const newest = said('2025-11-25');
      home.writeSnapshot({
        legacy: { initialize: { '2025-11-25': newest }, lists: { 'tools/list': tools } },
      });
      const connector = new RawConnector(t, home);
      if (probes) {
        connector.send(probe(name));
        deepEqual(await connector.next(), {
          jsonrpc: '2.0',
          id: 'p',
          error: { code: -32601, message: 'Method not found' },
        });
      }
      connector.send(initialize);
      deepEqual(await connector.next(), { jsonrpc: '2.0', id: 0, result: said(revision) });
      connector.send({ method: 'notifications/initialized' });
      if ('roots' in capabilities) {
        const { id, method } = await connector.next();
        equal(method, 'roots/list');
        connector.send({ id, result: { roots: [{ uri: `file://${home.workspace}` }] } });
      }
      connector.send({ id: 1, method: 'tools/list' }, { id: 2, method: 'ping' });
      deepEqual(
        new Set([await connector.next(), await connector.next()]),
        new Set([
          { jsonrpc: '2.0', id: 1, result: tools },
          { jsonrpc: '2.0', id: 2, result: {} },
        ]),
      );
    });
  });
}

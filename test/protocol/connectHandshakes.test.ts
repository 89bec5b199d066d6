import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { serverMain } from '../support/bundledServer.ts';
import { handshakes, probesOf } from '../support/clientHandshakes.ts';
import { fakeHome, openGateway, RawConnector, serving } from '../support/fakeGateway.ts';

const tools = { tools: [{ name: 't', inputSchema: { type: 'object' } }] };
function said(revision: string) {
  const serverInfo = { name: 'files', title: 'files', version: '1' };
  return { protocolVersion: revision, capabilities: { tools: { listChanged: true } }, serverInfo };
}

for (const [client, handshake] of Object.entries(handshakes)) {
  const { revision, capabilities, clientInfo, roots, asks } = handshake;
  const probes = probesOf(handshake);
  const initialize = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo },
  };

  describe(`the handshake of ${client}`, () => {
    test('is answered by the server when the window is there', async t => {
      const home = fakeHome(t);
      await openGateway(t, home, serving(t, [serverMain]));
      const connector = new RawConnector(t, home, '--workspace', home.workspace);
      for (const probe of probes) {
        connector.send(probe);
        equal((await connector.next())['id'], probe.id);
      }
      connector.send(initialize);
      const { result } = await connector.next();
      equal((result as { protocolVersion: string }).protocolVersion, revision);
    });

    test('is answered from what is known when no window is there', async t => {
      const home = fakeHome(t);
      home.writeSnapshot({
        answers: { [`initialize ${revision}`]: said(revision), 'tools/list legacy': tools },
      });
      const connector = new RawConnector(t, home);
      for (const probe of probes) {
        connector.send(probe);
        deepEqual(await connector.next(), {
          jsonrpc: '2.0',
          id: probe.id,
          error: { code: -32601, message: 'Method not found' },
        });
      }
      connector.send(initialize);
      deepEqual(await connector.next(), { jsonrpc: '2.0', id: 1, result: said(revision) });
      connector.send({ method: 'notifications/initialized' });
      if ('roots' in capabilities) {
        const { id, method } = await connector.next();
        equal(method, 'roots/list');
        connector.send({ id, result: { roots: roots(pathToFileURL(home.workspace).href) } });
      }
      for (const request of asks) {
        connector.send({ id: 2, ...request });
        const { result, error } = await connector.next();
        const known = { 'tools/list': tools, ping: {} };
        deepEqual(result, known[request.method as keyof typeof known]);
        match((error as Error | undefined)?.message ?? '', result ? /^$/ : /^No editor window/);
      }
    });
  });
}

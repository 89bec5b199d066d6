import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serverMain } from '../support/bundledServer.ts';
import { fakeHome, openGateway, RawConnector, serving } from '../support/fakeGateway.ts';

const tools = { tools: [{ name: 't', inputSchema: { type: 'object' } }] };
const elicitation = { form: {}, url: {} };

/** What the clients open with, as it was recorded of them. */
const handshakes = {
  'Claude Code 2.1.328': {
    probes: true,
    revision: '2025-11-25',
    capabilities: { roots: { listChanged: true }, elicitation },
    name: 'claude-code',
  },
  'Codex 0.169.0': {
    probes: false,
    revision: '2025-06-18',
    capabilities: { elicitation },
    name: 'codex-mcp-client',
  },
  'Copilot CLI 1.0.102': {
    probes: true,
    revision: '2025-11-25',
    capabilities: { sampling: {}, elicitation },
    name: 'github-copilot-developer',
  },
  'Gemini CLI 0.61.0': {
    probes: false,
    revision: '2025-06-18',
    capabilities: { roots: { listChanged: true } },
    name: 'gemini-cli-mcp-client',
  },
};

function said(revision: string) {
  const serverInfo = { name: 'files', title: 'files', version: '1' };
  return { protocolVersion: revision, capabilities: { tools: { listChanged: true } }, serverInfo };
}

function probe(name: string) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { id: 'p', method: 'server/discover', params: { _meta } };
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

import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isSoak } from '../support/effort.ts';
import type { FakeHome } from '../support/fakeGateway.ts';
import { ConnectedClient, gatewayScene } from '../support/gatewayServers.ts';
import { patience } from '../support/patience.ts';
import { modernServer, oddServer } from '../support/recordingServer.ts';

/** How a client opens. */
interface ClientHandshake {
  /** The id of its first request, which tries the later revisions; left out: it does not try. */
  readonly probeId?: string | number;
  readonly revision: string;
  readonly capabilities: object;
  readonly clientInfo: object;
  /** The roots that it answers with, declared or not, when it works in a folder of that URI. */
  readonly roots: (uri: string) => readonly object[];
  /** With what it asks for the tools. */
  readonly listParams?: object;
}

const elicitation = { form: {}, url: {} };
const roots = { listChanged: true };
const listParams = { _meta: { progressToken: 0 } };

/** The first messages of the clients, as recorded. */
const handshakes: Readonly<Record<string, ClientHandshake>> = {
  'Claude Code 2.1.330': {
    probeId: 'server-discover-probe-1',
    revision: '2025-11-25',
    capabilities: { roots, elicitation },
    clientInfo: {
      name: 'claude-code',
      title: 'Claude Code',
      version: '2.1.330',
      description: "Anthropic's agentic coding tool",
      websiteUrl: 'https://claude.com/claude-code',
    },
    roots: uri => [{ uri }],
  },
  'the listing of Codex 0.169.0': {
    revision: '2025-06-18',
    capabilities: { elicitation },
    clientInfo: { name: 'codex-mcp-client', title: 'Codex', version: '0.169.0' },
    roots: () => [],
    listParams,
  },
  'Copilot CLI 1.0.102': {
    probeId: 0,
    revision: '2025-11-25',
    capabilities: { sampling: {}, elicitation },
    clientInfo: { name: 'copilot-cli', version: '1.0.102' },
    roots: () => [],
    listParams,
  },
  'Gemini CLI 0.61.0': {
    revision: '2025-06-18',
    capabilities: { roots },
    clientInfo: { name: 'gemini-cli-mcp-client', version: '0.61.0' },
    roots: uri => [{ uri, name: 'p' }],
    listParams: {},
  },
};

const tools = ['a', 'b', 'c', 'd', 'e'].map(name => ({ name, inputSchema: { type: 'object' } }));

/** One server asks in the usual way, and one lists tools before their first use. */
const some = ['Claude Code 2.1.330', 'the listing of Codex 0.169.0'];

/** A client with the roots of its folder, if it has roots at all. */
function client(t: TestContext, home: FakeHome, like: Partial<ClientHandshake>) {
  const { clientInfo, capabilities = {}, roots = uri => [{ uri }] } = like;
  const one = new ConnectedClient(t, home, 'raw');
  one.clientInfo = clientInfo ?? one.clientInfo;
  one.capabilities = capabilities;
  one.answers = { 'roots/list': { roots: roots(pathToFileURL(home.workspace).href) } };
  return one;
}

/** The client's view of the server in the handshake and in all pages of the list of tools. */
async function seenBy(one: ConnectedClient, handshake: ClientHandshake) {
  for (const probe of probesOf(handshake)) {
    one.send(probe);
    const { error } = await one.response(probe.id);
    equal(error?.code, -32601);
  }
  const { result } = await one.initialize(handshake.revision);
  const { listParams } = handshake;
  const listed: object[] = [];
  let cursor: string | undefined;
  do {
    const page = (await one.ask('tools/list', { ...listParams, ...(cursor && { cursor }) })).result;
    listed.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return { result, listed };
}

describe('through the gateway', { concurrency: 3 }, () => {
  for (const [cli, handshake] of Object.entries(handshakes)) {
    if (!isSoak && !some.includes(cli)) {
      continue;
    }
    test(`the handshake of ${cli} is answered, and again when the window is away`, async t => {
      const all = await gatewayScene(t, oddServer(t, { tools, pageSize: 2, title: 'Odd' }));
      const { home, gateway } = all;
      const there = await seenBy(client(t, home, handshake), handshake);
      const { serverInfo } = there.result;
      deepEqual([serverInfo.name, serverInfo.title], ['files', 'files']);
      deepEqual(there.listed, tools);
      // The listing of one is started elsewhere, where no window is.
      const elsewhere = { ...home, workspace: home.home };
      deepEqual(await seenBy(client(t, elsewhere, handshake), handshake), there);
      await gateway.end();
      const start = performance.now();
      deepEqual(await seenBy(client(t, home, handshake), handshake), there);
      const time = Math.round(performance.now() - start);
      t.diagnostic(`answered ${time} ms after the start`);
      ok(time < patience / 10);
    });
  }

  test('a client of the later revisions is answered when the window is away, too', async t => {
    const { home, gateway } = await gatewayScene(t, modernServer(t));
    const seen = async () => {
      const one = client(t, home, {});
      one.era = 'modern';
      const discovered = await one.ask('server/discover');
      one.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
      await one.next(({ method = '' }) => method.endsWith('acknowledged'));
      return [discovered, await one.ask('tools/list')];
    };
    const there = await seen();
    const [{ result }] = there as [{ result: Readonly<Record<string, object>> }];
    deepEqual(result['supportedVersions'], ['2026-07-28']);
    await gateway.end();
    deepEqual(await seen(), there);
  });
});

/** The client's request that tries the later revisions; none: it does not try. */
function probesOf({ probeId, clientInfo, capabilities }: ClientHandshake) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return probeId === undefined
    ? []
    : [{ id: probeId, method: 'server/discover', params: { _meta } }];
}

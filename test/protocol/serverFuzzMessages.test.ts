import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Progress } from '../../src/domain/progress.ts';
import type { ServerConnection, ToolCall } from '../../src/mcp/link/connection.ts';
import type { ClientRelay } from '../../src/mcp/link/relayedRequests.ts';
import type { Target } from '../../src/mcp/process/openWire.ts';
import { anyLines, mostSmallId } from '../support/anyServerMessages.ts';
import { effort } from '../support/effort.ts';
import { filledIn, placeholders } from '../support/filledIn.ts';
import { event, type Interfere, rawHttpServer, sendDiscovered } from '../support/rawHttpServer.ts';
import { recordingConnection, root } from '../support/recordingConnection.ts';
import { answeringServer } from '../support/recordingServer.ts';

const eras = ['legacy', 'modern'] as const;
type Era = (typeof eras)[number];

/** Answers slowly, and gets the reason of a cancel, like the SDK. */
const relay: ClientRelay = {
  capabilities: { elicitation: { form: {} }, sampling: {} },
  async answer(_request, signal) {
    let why = '';
    signal.addEventListener('abort', () => {
      why = String(signal.reason);
    });
    await nextTurn();
    return { action: 'decline', why };
  },
};

/** A running connection to a server that sends given lines before it answers. */
async function running(t: TestContext, era: Era, target: Target): Promise<ServerConnection> {
  const { connection } = recordingConnection(t, {}, relay);
  const state = await connection.start(target, [root('web')]);
  assert.equal(state.kind === 'running' && state.era, era);
  return connection;
}

/** Generated messages may contain no valid progress. */
const progress = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: placeholders.token, progress: 1 },
});

async function assertBearsAnything(connection: ServerConnection, numRuns: number): Promise<void> {
  const told: number[] = [];
  const onProgress = ({ progress }: Progress) => told.push(progress);
  const said = (lines: readonly string[]) => ({ name: 'say', arguments: { lines } });
  // Past the SDK, and by it.
  const ways: readonly ((call: ToolCall) => Promise<unknown>)[] = [
    call => connection.forward({ method: 'tools/call', params: { ...call }, onProgress }),
    call => connection.callTool(call),
  ];
  // Past the small ids among the lines, which may come late and would answer a call that has one.
  for (let id = 0; id <= mostSmallId; id++) {
    await connection.callTool(said([]));
  }
  await fc.assert(
    fc.asyncProperty(anyLines, fc.constantFrom(...ways), async (lines, way) => {
      // The lines may decide how this call ends, but it ends.
      await way(said(lines)).catch(() => {});
      const { content } = await connection.callTool(said([]));
      assert.deepEqual(content, []);
    }),
    { numRuns, examples: [[[progress], ways[0]!]] },
  );
  assert.equal(connection.state.kind, 'running');
  assert.ok(told.length > 0);
  assert.deepEqual(
    told.filter(progress => !Number.isFinite(progress)),
    [],
  );
}

for (const era of eras) {
  test(`a call is answered as before after any message of a server (${era})`, async t => {
    const connection = await running(t, era, answeringServer(t, era).start);
    await assertBearsAnything(connection, 20 * effort);
  });

  test(`a call is answered after any message of a server over HTTP (${era})`, async t => {
    const { url } = await rawHttpServer(t, saying(era));
    await assertBearsAnything(await running(t, era, { url, headers: {} }), 10 * effort);
  });
}

/** Says everything in the stream of the answer. */
function saying(era: Era): Interfere {
  return ({ message }, response) => {
    const { id, method, params } = message ?? {};
    if (method === 'server/discover' && era === 'modern') {
      return sendDiscovered(response, id);
    }
    if (method !== 'tools/call') {
      return false;
    }
    const { arguments: said, _meta } = params as Call;
    const lines = said.lines.map(line => event(filledIn(line, id, _meta?.progressToken)));
    const result = { ...(era === 'modern' && { resultType: 'complete' }), content: [] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${lines.join('')}${event({ jsonrpc: '2.0', id, result })}`);
    return true;
  };
}

interface Call {
  readonly arguments: { readonly lines: readonly string[] };
  readonly _meta?: { readonly progressToken?: unknown };
}

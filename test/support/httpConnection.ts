import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { patience } from './patience.ts';
import { until } from './processes.ts';
import { type Interfere, rawHttpServer } from './rawHttpServer.ts';
import { recordingConnection, root } from './recordingConnection.ts';

/**
 * A running connection to a server of revision 2025-11-25, which listens on its stream and may see `web`.
 *
 * @param longestEnd how long the server may take to answer to the end of its session.
 */
export async function runningOverHttp(
  t: TestContext,
  interfere?: Interfere,
  longestEnd = patience,
) {
  const server = await rawHttpServer(t, interfere);
  const recording = recordingConnection(t, { stop: { end: longestEnd, terminate: 500 } });
  const target = { url: server.url, headers: { 'x-key': 'k3y-value' }, secrets: ['k3y-value'] };
  const state = await recording.connection.start(target, [root('web')]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  await until('the stream is open', () => server.streams.size === 1);
  return { ...recording, server, target };
}

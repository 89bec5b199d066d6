import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Root } from '../../src/domain/roots.ts';
import { patience } from './patience.ts';
import { until } from './processes.ts';
import { type Interfere, type RawHttpServer, rawHttpServer } from './rawHttpServer.ts';
import { type RecordingConnection, recordingConnection } from './recordingConnection.ts';

/** A connection that runs, the server it runs to, and what it was started with. */
export interface HttpConnection extends RecordingConnection {
  readonly server: RawHttpServer;
  readonly target: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly secrets: readonly string[];
  };
}

/**
 * A running connection to a server of revision 2025-11-25, which listens on its stream.
 *
 * @param longestEnd how long the server may take to answer to the end of its session.
 */
export async function runningOverHttp(
  t: TestContext,
  roots: readonly Root[] | undefined,
  interfere?: Interfere,
  longestEnd = patience,
): Promise<HttpConnection> {
  const server = await rawHttpServer(t, interfere);
  const recording = recordingConnection(t, { stop: { end: longestEnd, terminate: 500 } });
  const target = { url: server.url, headers: { 'x-key': 'k3y-value' }, secrets: ['k3y-value'] };
  const state = await recording.connection.start(target, roots);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  await until('the stream is open', () => server.streams.size === 1);
  return { ...recording, server, target };
}

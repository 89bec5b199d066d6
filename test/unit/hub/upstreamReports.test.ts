import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamReports } from '../../../src/hub/upstreamReports.ts';
import type { Upstream } from '../../../src/hub/upstreams/upstream.ts';

test('writes to stderr why a server failed, also when a call started it', () => {
  const said: string[] = [];
  const logger = { trace() {}, debug() {}, info() {}, error() {}, warn: said.push.bind(said) };
  const upstream = { id: '1', server: { autoStart: false } } as Upstream;
  const reason = 'The installation ended with exit code 1';
  new UpstreamReports(undefined, logger).takeEvent(
    { server: 'a', child: '1', state: 'failed', reason } as never,
    upstream,
  );
  assert.deepEqual(said, [`Server "a": ${reason}.`]);
});

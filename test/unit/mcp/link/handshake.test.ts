import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client, JSONRPCRequest } from '@modelcontextprotocol/client';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Failure } from '../../../../src/domain/servers/serverFailure.ts';
import { Handshake } from '../../../../src/mcp/link/handshake.ts';
import type { Traffic, Wire } from '../../../../src/mcp/process/wire.ts';

const ended = { kind: 'silent', seconds: 1 } as const;
const jsonrpc = '2.0';

/** The era to try after the probe timed out and the server answered this. */
function eraAfter(answered: string) {
  const didPass = new Emitter<Traffic>();
  const wire = { kind: 'process', onDidPass: didPass.event } as unknown as Wire;
  const handshake = new Handshake(wire, 'auto', { probe: 1, handshake: 1 });
  const requests = ['server/discover', 'initialize'].map(
    (method, id): JSONRPCRequest => ({ jsonrpc, id, method, params: {} }),
  );
  for (const message of requests) {
    didPass.fire({ kind: 'message', direction: 'to-server', message });
  }
  for (const request of requests.filter(({ method }) => method === answered)) {
    const message = { jsonrpc, id: request.id, result: {} } as const;
    didPass.fire({ kind: 'message', direction: 'from-server', message, request });
  }
  return handshake.eraToTry(ended);
}

test('takes a server for modern when it answers the probe late', () => {
  assert.equal(eraAfter('server/discover'), 'modern');
  assert.equal(eraAfter('initialize'), undefined);
});

test('stops the clock while the user is asked', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const didAsk = new Emitter<boolean>();
  const didPass = new Emitter<Traffic>();
  const wire = { kind: 'http', onDidPass: didPass.event, onDidAskPerson: didAsk.event };
  const handshake = new Handshake(wire as unknown as Wire, 'auto', { probe: 1, handshake: 100 });
  const client = { connect: () => new Promise(() => {}) } as unknown as Client;
  let failure: Failure | undefined;
  void handshake.run(client).then(one => {
    failure = one;
  });
  const after = async (milliseconds: number, ...asking: boolean[]) => {
    t.mock.timers.tick(milliseconds);
    await new Promise(setImmediate);
    asking.forEach(one => void didAsk.fire(one));
    return failure?.kind;
  };
  assert.equal(await after(60, true, true), undefined);
  assert.equal(await after(1000, false, false), undefined);
  assert.equal(await after(99), undefined);
  assert.equal(await after(1), 'silent');
});

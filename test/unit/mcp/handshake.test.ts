import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client, JSONRPCMessage } from '@modelcontextprotocol/client';
import { Emitter } from '../../../src/base/emitter.ts';
import type { Failure } from '../../../src/domain/servers/serverFailure.ts';
import type { Direction } from '../../../src/domain/traceLine.ts';
import { Handshake } from '../../../src/mcp/handshake.ts';
import type { Traffic, Wire } from '../../../src/mcp/wire.ts';

const ended = { kind: 'silent', seconds: 1 } as const;
const jsonrpc = '2.0';

/** The era to try after a handshake in which the probe was given up, and this passed besides. */
function eraAfter(...passed: [Direction, JSONRPCMessage][]) {
  const didPass = new Emitter<Traffic>();
  const wire = { kind: 'process', onDidPass: didPass.event } as unknown as Wire;
  const handshake = new Handshake(wire, 'auto', { probe: 1, handshake: 1 });
  const pass = (direction: Direction, message: JSONRPCMessage) =>
    didPass.fire({ kind: 'message', direction, message });
  pass('to-server', { jsonrpc, id: 0, method: 'server/discover', params: {} });
  pass('to-server', { jsonrpc, id: 1, method: 'initialize', params: {} });
  for (const [direction, message] of passed) {
    pass(direction, message);
  }
  return handshake.eraToTry(ended);
}

test('a server that answers the probe after it was given up is modern', () => {
  assert.equal(eraAfter(['from-server', { jsonrpc, id: 0, result: {} }]), 'modern');
  assert.equal(eraAfter(['from-server', { jsonrpc, id: 1, result: {} }]), undefined);
});

test("our answer to the server's own request of that id is no late answer to the probe", () => {
  const asked = { jsonrpc, id: 0, method: 'roots/list' } as const;
  const told = { jsonrpc, id: 0, result: { roots: [] } } as const;
  assert.equal(eraAfter(['from-server', asked], ['to-server', told]), undefined);
});

test('the time in which a person is asked does not count', async t => {
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

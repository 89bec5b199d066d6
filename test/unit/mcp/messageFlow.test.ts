import assert, { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { MessageFlow, OpenRequests } from '../../../src/mcp/messageFlow.ts';
import type { Traffic, Wire } from '../../../src/mcp/wire.ts';

const notice = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });

type Taker = 'takeRequest' | 'takeMessage' | 'onmessage';

for (const taker of ['takeRequest', 'takeMessage', 'onmessage'] satisfies Taker[]) {
  test(`a message at which ${taker} stumbles counts as none, and the next one is taken`, () => {
    const taken: JSONRPCMessage[] = [];
    const wire: Pick<Wire, Taker> = {
      onmessage: message => taken.push(message),
      [taker]: (message: JSONRPCMessage) => {
        if (message === odd) {
          throw new TypeError('Cannot convert object to primitive value');
        }
        return taken.push(message) > 0;
      },
    };
    const odd = taker === 'takeRequest' ? request(1) : notice('odd');
    const flow = new MessageFlow(wire, () => {});
    const passed: Traffic[] = [];
    flow.onDidPass(traffic => passed.push(traffic));
    flow.receive(odd, Buffer.alloc(30));
    flow.receive(notice('next'));
    deepEqual(taken, [notice('next')]);
    deepEqual(passed, [
      { kind: 'message', direction: 'from-server', message: odd },
      { kind: 'rubbish', length: 30 },
      { kind: 'message', direction: 'from-server', message: notice('next') },
    ]);
  });
}

const request = (id: RequestId) => ({ jsonrpc: '2.0', id, method: 'ping' }) as const;
const response = (id: RequestId) => ({ jsonrpc: '2.0', id, result: {} }) as const;

test('the first response to a request is awaited, and a second one is stray', () => {
  const requests = new OpenRequests();
  requests.note(request(1));
  assert.equal(requests.isStray(response(1)), false);
  assert.equal(requests.isStray(response(1)), true);
});

test('a number that comes back as text is the same id, and an empty text is not the number 0', () => {
  const requests = new OpenRequests();
  requests.note(request(0));
  assert.equal(requests.isStray(response('')), true);
  assert.equal(requests.isStray(response('0')), false);
});

test('a response to nothing that was ever asked, or to nothing at all, is stray', () => {
  const requests = new OpenRequests();
  requests.note({ jsonrpc: '2.0', method: 'notifications/initialized' });
  requests.note(response(7));
  assert.equal(requests.isStray(response(7)), true);
  const error = { code: -32700, message: 'Parse error' };
  assert.equal(requests.isStray({ jsonrpc: '2.0', error }), true);
});

test('requests and notifications of the other side are never stray', () => {
  const requests = new OpenRequests();
  assert.equal(requests.isStray(request(1)), false);
  assert.equal(requests.isStray({ jsonrpc: '2.0', method: 'notifications/message' }), false);
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { MessageFlow } from '../../src/mcp/messageFlow.ts';
import type { Traffic, Wire } from '../../src/mcp/wire.ts';

const notice = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });
const request: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };

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
    const odd = taker === 'takeRequest' ? request : notice('odd');
    const flow = new MessageFlow(wire, () => {});
    const passed: Traffic[] = [];
    flow.onDidPass(traffic => passed.push(traffic));
    flow.receive(odd, 30);
    flow.receive(notice('next'));
    deepEqual(taken, [notice('next')]);
    deepEqual(passed, [
      { kind: 'message', direction: 'from-server', message: odd },
      { kind: 'rubbish', length: 30 },
      { kind: 'message', direction: 'from-server', message: notice('next') },
    ]);
  });
}

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONRPCErrorResponse, JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { MessageFlow } from '../../../../src/mcp/process/messageFlow.ts';
import type { Traffic, Wire } from '../../../../src/mcp/process/wire.ts';
import { said } from '../../../support/texts.ts';

const notice = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });
const request = (id: RequestId) => ({ jsonrpc: '2.0', id, method: 'ping' }) as const;
const response = (id: RequestId) => ({ jsonrpc: '2.0', id, result: {} }) as const;

for (const taker of ['take', 'onmessage'] as const) {
  test(`takes the next message after ${taker} threw an error`, () => {
    const taken: JSONRPCMessage[] = [];
    const odd = notice('odd');
    const wire: Pick<Wire, 'take' | 'onmessage'> = {
      [taker]: (message: JSONRPCMessage) => {
        if (message === odd) {
          throw new TypeError('odd');
        }
        return taken.push(message) > 0;
      },
    };
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

/** The delivered and the stray messages among the received, after these were sent. */
function sorted(sent: readonly JSONRPCMessage[], received: readonly JSONRPCMessage[]) {
  const delivered: JSONRPCMessage[] = [];
  const strays: JSONRPCMessage[] = [];
  const wire = { onmessage: (message: JSONRPCMessage) => void delivered.push(message) };
  const flow = new MessageFlow(wire, () => {});
  flow.onDidPass(passed => passed.kind === 'stray' && strays.push(passed.message));
  sent.forEach(message => void flow.send(message));
  received.forEach(message => void flow.receive(message));
  return { delivered, strays };
}

test('takes the first response to a request, and any other as stray', () => {
  const error = { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } } as const;
  const strays = [response(1), response(7), error];
  const sent = [request(1), notice('notifications/initialized'), response(7)];
  deepEqual(sorted(sent, [response(1), ...strays]), { delivered: [response(1)], strays });
});

test('passes an id on as it was sent, even if it returns as text', () => {
  deepEqual(sorted([request(0)], [response(''), response('0')]), {
    delivered: [response(0)],
    strays: [response('')],
  });
  const lines: (Buffer | undefined)[] = [];
  const take: Wire['take'] = (_message, _reply, line) => lines.push(line) > 0;
  const flow = new MessageFlow({ take }, () => {});
  const line = Buffer.from('{}');
  flow.send(request(0));
  flow.receive(response('0'), line);
  flow.send(request(0));
  flow.receive(response(0), line);
  deepEqual(lines, [undefined, line]);
});

test('takes a response to a cancelled request as stray', () => {
  const cancelled = { ...notice('notifications/cancelled'), params: { requestId: 1 } };
  const late = [response(1)];
  deepEqual(sorted([request(1), cancelled], late), { delivered: [], strays: late });
});

test('never takes requests and notifications of the other side as stray', () => {
  const delivered = [request(1), notice('notifications/progress')];
  deepEqual(sorted([], delivered), { delivered, strays: [] });
});

test('cancels every open request except a handshake', () => {
  const flow = new MessageFlow({}, () => {});
  flow.send({ ...request(0), method: 'server/discover' });
  flow.send({ ...request(1), method: 'initialize' });
  [2, 3, 4].forEach(id => void flow.send(request(id)));
  flow.receive(response(3));
  flow.send({ ...notice('notifications/cancelled'), params: { requestId: 4 } });
  deepEqual(flow.cancellable, [2]);
});

test('names the member that the answer to a handshake lacks', () => {
  const initialize = { ...request(1), method: 'initialize' };
  const whole = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'a' } };
  const told = (result: object) => {
    const answer = { ...response(1), result } as JSONRPCMessage;
    const [delivered] = sorted([initialize], [answer]).delivered;
    const { error } = Object(delivered);
    return delivered === answer ? 'as it came' : error ? said(error.message) : delivered;
  };
  const lacking = (name: string) => `messageFlow.MessageFlow(${name})`;
  deepEqual(told({ ...whole, instructions: null, capabilities: { prompts: null } }), {
    ...response(1),
    result: whole,
  });
  deepEqual(
    [whole, {}, { ...whole, capabilities: null }, { ...whole, serverInfo: 'a' }].map(told),
    ['as it came', lacking('protocolVersion'), lacking('capabilities'), lacking('serverInfo')],
  );
});

test('fails a request when its answer cannot be read', () => {
  const delivered: JSONRPCErrorResponse[] = [];
  const onmessage = (message: object) => void delivered.push(message as JSONRPCErrorResponse);
  const flow = new MessageFlow({ onmessage }, () => {});
  flow.send(request(1));
  flow.send(request(2));
  const unread = (text: string) => {
    const bytes = Buffer.from(text);
    const { length } = bytes;
    flow.receiveUnread({ defect: 'malformed', bytes: { length, head: bytes, tail: bytes } });
  };
  unread('{"jsonrpc":"2.0","id":3,"result":{}}');
  unread('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  unread('{"jsonrpc":"2.0","id":1,"result":{"a":…');
  unread('{"id":1,"result":"done in 3 ms"}');
  unread('print: {"jsonrpc":"2.0","id":1,"result":{}}');
  unread('{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}');
  unread('{"jsonrpc":"2.0","error":{"code":1,"message":"no"},"id":2}');
  deepEqual(
    delivered.map(({ id, error }) => [id, error.code, said(error.message)]),
    [1, 2].map(id => [id, -32603, 'unreadMessage.unreadSentence.malformed()']),
  );
});

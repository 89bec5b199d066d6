import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { MessageFlow } from '../../../src/mcp/messageFlow.ts';
import type { Traffic, Wire } from '../../../src/mcp/wire.ts';

const notice = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });
const request = (id: RequestId) => ({ jsonrpc: '2.0', id, method: 'ping' }) as const;
const response = (id: RequestId) => ({ jsonrpc: '2.0', id, result: {} }) as const;

for (const taker of ['take', 'onmessage'] as const) {
  test(`a message at which ${taker} stumbles counts as none, and the next one is taken`, () => {
    const taken: JSONRPCMessage[] = [];
    const odd = notice('odd');
    const wire: Pick<Wire, 'take' | 'onmessage'> = {
      [taker]: (message: JSONRPCMessage) => {
        if (message === odd) {
          throw new TypeError('Cannot convert object to primitive value');
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

/** Which of these are delivered, and which are reported as stray, where that was sent before. */
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

test('the first response to a request is awaited, and a second one is stray', () => {
  const both = [response(1), response(1)];
  deepEqual(sorted([request(1)], both), { delivered: [response(1)], strays: [response(1)] });
});

test('a number that comes back as text is handed on as it was sent, and an empty text is not 0', () => {
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

test('each response goes to the request of its own id, where a number and its text are open', () => {
  const delivered = [response('1'), response(1)];
  deepEqual(sorted([request(1), request('1')], delivered), { delivered, strays: [] });
});

test('the late response to a cancelled request is stray', () => {
  const cancelled = { ...notice('notifications/cancelled'), params: { requestId: 1 } };
  const late = [response(1)];
  deepEqual(sorted([request(1), cancelled], late), { delivered: [], strays: late });
});

test('a response to nothing that was ever asked, or to nothing at all, is stray', () => {
  const sent = [notice('notifications/initialized'), response(7)];
  const error = { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } } as const;
  const strays = [response(7), error];
  deepEqual(sorted(sent, strays), { delivered: [], strays });
});

test('requests and notifications of the other side are never stray', () => {
  const delivered = [request(1), notice('notifications/progress')];
  deepEqual(sorted([], delivered), { delivered, strays: [] });
});

test('what has no response can be cancelled, but for a handshake', () => {
  const flow = new MessageFlow({}, () => {});
  flow.send({ ...request(0), method: 'server/discover' });
  flow.send({ ...request(1), method: 'initialize' });
  [2, 3, 4].forEach(id => void flow.send(request(id)));
  flow.receive(response(3));
  flow.send({ ...notice('notifications/cancelled'), params: { requestId: 4 } });
  deepEqual(flow.cancellable, [2]);
});

test('an answer to a handshake that lacks a part is an error that names it', () => {
  const initialize = { ...request(1), method: 'initialize' };
  const whole = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'a' } };
  const told = (result: object) => {
    const answer = { ...response(1), result } as JSONRPCMessage;
    const [delivered] = sorted([initialize], [answer]).delivered;
    return delivered === answer ? 'as it came' : (Object(delivered)['error']?.message ?? delivered);
  };
  const lacking = (name: string) =>
    `The answer to "initialize" has no "${name}", so the handshake failed.`;
  deepEqual(
    [whole, {}, { ...whole, capabilities: null }, { ...whole, serverInfo: 'a' }].map(told),
    ['as it came', lacking('protocolVersion'), lacking('capabilities'), lacking('serverInfo')],
  );
});

test('an answer without its mark is an error of its request, which says so', () => {
  const delivered: unknown[] = [];
  const flow = new MessageFlow({ onmessage: message => void delivered.push(message) }, () => {});
  flow.send(request(1));
  flow.send(request(2));
  const unread = (text: string) => {
    const bytes = Buffer.from(text);
    const { length } = bytes;
    flow.receiveUnread({ defect: 'malformed', bytes: { length, head: bytes, tail: bytes } });
  };
  unread('{"id":3,"result":{}}');
  unread('{"id":1,"method":"ping"}');
  unread('{"id":1,"result":"done in 3 ms"}');
  unread('print: {"id":1,"result":{}}');
  unread('{"id":1,"result":{"a":[1]}}');
  unread('{"jsonrpc":"1.0","error":{"code":1,"message":"no"},"id":2}');
  const message = 'The answer lacks "jsonrpc": "2.0", which each message has, and was dropped.';
  deepEqual(
    delivered,
    [1, 2].map(id => ({ jsonrpc: '2.0', id, error: { code: -32603, message } })),
  );
});

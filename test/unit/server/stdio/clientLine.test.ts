import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { LineReader } from '../../../../src/base/lineReader.ts';
import { mendedMessage } from '../../../../src/domain/plainMessage.ts';
import { type ClientLine, clientLine, longLine } from '../../../../src/server/stdio/clientLine.ts';
import { effort } from '../../../support/effort.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** `[code, id]` of a refusal, or `unanswered` for a silent one. */
function refusal(line: ClientLine | undefined): unknown {
  assert.ok(line && 'refused' in line, JSON.stringify(line));
  const { code, id, isResponse, message } = line.refused;
  assert.match(message, /^[A-Z].*\. [A-Z].*\.$|^[A-Z].*: .*\.$/, message);
  return isResponse ? 'unanswered' : [code, id];
}

const refused = (text: string | Buffer) => refusal(clientLine(Buffer.from(text as string)));

test('takes a message with the additions of editors and shells', () => {
  for (const text of ['%', '%\r', ' %\t', '\ufeff%']) {
    const line = text.replace('%', JSON.stringify(ping));
    assert.deepEqual(clientLine(Buffer.from(line)), { message: ping });
  }
});

test('ignores a blank line', () => {
  for (const text of ['', ' ', '\r', '\ufeff', '\t \r']) {
    assert.equal(clientLine(Buffer.from(text)), undefined, JSON.stringify(text));
  }
});

test('reports invalid JSON or UTF-8 without an id', () => {
  const inText = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', 'latin1');
  const surrogate = Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]);
  const texts = ['hello', '{"jsonrpc":"2.0"', '{} {}', "{'a':1}", 'NaN', '\0', inText, surrogate];
  assert.deepEqual(
    texts.map(refused),
    texts.map(() => [-32700, null]),
  );
});

test('reports JSON that is not a message under the id of its request', () => {
  const id = 7;
  const cases: readonly (readonly [unknown, unknown])[] = [
    [1, [-32600, null]],
    ['text', [-32600, null]],
    [null, [-32600, null]],
    [{}, [-32600, null]],
    [[ping], [-32600, null]],
    [[], [-32600, null]],
    [{ ...ping, jsonrpc: '1.0' }, [-32600, 1]],
    [{ id, method: 'ping' }, [-32600, 7]],
    [{ jsonrpc: '2.0', id }, [-32600, 7]],
    [{ jsonrpc: '2.0', id, method: 5 }, [-32600, 7]],
    [{ jsonrpc: '2.0', id: 'a', method: 'ping', params: [1] }, [-32600, 'a']],
    [{ jsonrpc: '2.0', id: 'a', method: 'ping', result: {} }, [-32600, 'a']],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, [-32600, null]],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, [-32600, null]],
    [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, [-32600, 1.5]],
    [{ jsonrpc: '2.0', id: null, error: { code: 1, message: 'no' } }, 'unanswered'],
    [{ jsonrpc: '2.0', id, result: 5 }, 'unanswered'],
    [{ jsonrpc: '2.0', id, result: {}, error: {} }, 'unanswered'],
  ];
  assert.deepEqual(
    cases.map(([value]) => refused(JSON.stringify(value))),
    cases.map(([, expected]) => expected),
  );
});

test('refuses a message too deeply nested for the stack', () => {
  const nested = (levels: number) =>
    `{"jsonrpc":"2.0","id":3,"method":"x","params":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  assert.deepEqual(refused(nested(500_000)), [-32600, 3]);
  assert.deepEqual(refused(nested(1000)), [-32600, 3]);
  assert.deepEqual(refused('['.repeat(500_000)), [-32700, null]);
  assert.ok('message' in clientLine(Buffer.from(nested(900)))!);
});

test('treats names of the prototype like others', () => {
  const text =
    '{"jsonrpc":"2.0","id":"__proto__","method":"constructor","params":{"a":{"__proto__":{"a":1}}}}';
  const line = clientLine(Buffer.from(text));
  assert.ok(line && 'message' in line);
  assert.equal(JSON.stringify(line.message), text);
  assert.equal(({} as { a?: number }).a, undefined);
});

test('accepts exactly the values that the SDK accepts after mending', () => {
  const id = fc.oneof(fc.integer(), fc.string(), fc.double(), fc.constant(null));
  const meta = fc.oneof(fc.object(), fc.record({ progressToken: fc.anything() }), fc.string());
  const params = fc.oneof(fc.object(), fc.record({ _meta: meta }), fc.string(), fc.constant([]));
  const error = fc.record(
    { code: fc.oneof(fc.integer(), fc.double()), message: fc.string(), data: fc.anything() },
    { requiredKeys: [] },
  );
  const jsonrpc = fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, fc.constant('1.0'));
  const members = { jsonrpc, id, method: fc.string(), params, result: params, error, x: id };
  const messages = fc.record(members, { requiredKeys: ['jsonrpc'] });
  fc.assert(
    fc.property(messages, message => {
      const text = JSON.stringify(message);
      const line = clientLine(Buffer.from(text));
      assert.equal(line !== undefined && 'message' in line, isMessageToSdk(message), text);
    }),
    { numRuns: 200 * effort },
  );
});

function isMessageToSdk(value: unknown): boolean {
  try {
    parseJSONRPCMessage(mendedMessage(value));
    return true;
  } catch {
    return false;
  }
}

/** The answer to a line as if it were too long. */
function refusedAsLong(text: string): unknown {
  let told: unknown;
  const reader = new LineReader(
    10,
    () => assert.fail(text),
    line => {
      told = refusal(longLine(line));
    },
  );
  reader.push(Buffer.from(`${text}\n`));
  return told;
}

test('answers a too long request under its id, before or after other members', () => {
  const long = JSON.stringify({ text: 'x'.repeat(2000), id: 1, list: [{ id: 2 }] });
  const texts = [
    `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":${long}}`,
    `{"method":"tools/call","params":${long},"jsonrpc":"2.0","id":9}`,
    ` { "id" : 9 , "jsonrpc" : "2.0" , "method" : "tools/call" , "params" : ${long} } `,
    `{"jsonrpc":"2.0","method":"tools/call","params":${long},"id":9}\r`,
  ];
  assert.deepEqual(
    texts.map(refusedAsLong),
    texts.map(() => [-32600, 9]),
  );
  const quoted = JSON.stringify('a "quoted\\" id, with: {all} ☂');
  const text = `{"jsonrpc":"2.0","id":${quoted},"method":"x","params":${long}}`;
  assert.deepEqual(refusedAsLong(text), [-32600, JSON.parse(quoted)]);
});

test('does not use an id that may not belong to a request', () => {
  const x = 'x'.repeat(2000);
  const lookalike = ',\\"id\\":5,\\"method\\":\\"m\\"}';
  const cases: readonly (readonly [string, unknown])[] = [
    [`{"jsonrpc":"2.0","id":9,"result":{"text":"${x}"}}`, 'unanswered'],
    [`{"result":{"text":"${x}"},"jsonrpc":"2.0","id":9}`, 'unanswered'],
    [`{"error":{"message":"${x}"},"jsonrpc":"2.0","id":9}`, 'unanswered'],
    [`{"method":"m","params":{"text":"${x}","id":9}}`, [-32600, null]],
    [`{"method":"m","params":{"text":"${x}${lookalike}"}}`, [-32600, null]],
    [`{"method":"m","params":{"text":"${lookalike}${x}"}}`, [-32600, null]],
    [`{"text":"${x}","id":9}`, [-32600, null]],
    [`{"jsonrpc":"2.0","id":9,"method":"m","params":{"text":"${x}"`, [-32600, null]],
    [`[{"text":"${x}","method":"m","id":9}]`, [-32600, null]],
    [x, [-32600, null]],
  ];
  assert.deepEqual(
    cases.map(([text]) => refusedAsLong(text)),
    cases.map(([, expected]) => expected),
  );
});

test('finds the own id of a too long request, or none', () => {
  const params = fc.record({ pad: fc.constant('x'.repeat(600)), more: fc.jsonValue() });
  const id = fc.oneof(fc.integer(), fc.string());
  const members = { jsonrpc: fc.constant('2.0'), id, method: fc.string(), params };
  const request = fc.record(members).chain(whole => {
    const names = fc.shuffledSubarray(Object.keys(whole), { minLength: 4 });
    return names.map(order => Object.fromEntries(order.map(name => [name, whole[name as 'id']])));
  });
  fc.assert(
    fc.property(request, value => {
      const [, id] = refusedAsLong(JSON.stringify(value)) as [number, unknown];
      assert.ok(id === null || id === value['id'], `${id}`);
    }),
    { numRuns: 100 * effort },
  );
});

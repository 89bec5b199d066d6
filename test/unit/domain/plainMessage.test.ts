import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isJSONRPCResultResponse } from '@modelcontextprotocol/server';
import { isPlainResult, mendedMessage } from '../../../src/domain/plainMessage.ts';

// Each of these for a member, and none of them.
const choices: Readonly<Record<string, readonly unknown[]>> = {
  jsonrpc: ['2.0', '1.0', 2],
  id: [1, 0, -1, 'a', '', 1.5, 2 ** 53, null, {}],
  method: ['ping'],
  result: [{}, { content: [] }, null, [], 'a', { _meta: {} }, { _meta: null }, { _meta: 1 }],
  other: [1],
};

test('accepts a plain result as the schemas of the SDK do', () => {
  let all: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(choices)) {
    all = all.flatMap(one => [one, ...values.map(value => ({ ...one, [name]: value }))]);
  }
  const plain = all.filter(isPlainResult);
  deepEqual(plain, plain.filter(isJSONRPCResultResponse));
  // Ids by results.
  equal(plain.length, 5 * 2);
  equal([undefined, null, 1, 'a', [], [{}]].some(isPlainResult), false);
});

const marked = { jsonrpc: '2.0' };
const id = 1;
const error = { code: -32603, message: 'no' };
const unmeant = [
  [],
  { id, method: 'GET' },
  { id, result: {}, level: 'info' },
  { ...marked, id, result: {}, error },
  { ...marked, id, method: 'ping', result: {} },
  { ...marked, error },
];
/** The sent and the intended message, both with a mark and an id. */
const ofResponses: readonly (readonly [object, object])[] = [
  [{ method: null, params: null, result: { _meta: null }, error: null }, { result: {} }],
  [{ result: null }, { result: {} }],
  [{ result: [], took: 5 }, { result: {} }],
  [{ result: null, error: 'no' }, { error }],
  [{ error: { message: 'no', code: 'E', data: null } }, { error: { ...error, data: null } }],
  [{ method: 'ping', params: null, error: null }, { method: 'ping' }],
  [
    { method: 'ping', params: { _meta: { progressToken: null, a: 1 } } },
    { method: 'ping', params: { _meta: { a: 1 } } },
  ],
];
const marking = (one: object) => ({ ...marked, id, ...one });
const notice = { ...marked, method: 'notifications/initialized' };
const mends: readonly (readonly [unknown, unknown])[] = [
  ...ofResponses.map(([sent, meant]) => [marking(sent), marking(meant)] as const),
  [
    { id, result: { a: 1 } },
    { ...marked, id, result: { a: 1 } },
  ],
  [
    { ...notice, id: null, params: [] },
    { ...notice, params: {} },
  ],
  ...unmeant.map(one => [one, one] as const),
];

test('mends only values with a single meaning', () => {
  deepEqual(
    mends.map(([sent]) => mendedMessage(sent)),
    mends.map(([, meant]) => meant),
  );
});

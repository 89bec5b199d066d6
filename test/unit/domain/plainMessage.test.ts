import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isJSONRPCRequest, isJSONRPCResultResponse } from '@modelcontextprotocol/server';
import { isPlainRequest, isPlainResult } from '../../../src/domain/plainMessage.ts';

const related = 'io.modelcontextprotocol/related-task';

// Each of these for a member, and none of them.
const choices: Readonly<Record<string, readonly unknown[]>> = {
  jsonrpc: ['2.0', '1.0', 2],
  id: [1, 0, -1, 'a', '', 1.5, 2 ** 53, null, {}],
  method: ['tools/call', '', 1, null],
  params: [
    {},
    { name: 'a' },
    null,
    [],
    'a',
    { _meta: {} },
    { _meta: null },
    { _meta: [] },
    { _meta: 'a' },
    { _meta: { progressToken: 1, other: {} } },
    { _meta: { progressToken: 'a' } },
    { _meta: { progressToken: 1.5 } },
    { _meta: { progressToken: null } },
    { _meta: { [related]: { taskId: 'a' } } },
    { _meta: { [related]: 1 } },
  ],
  result: [{}, { content: [] }, null, [], 'a', { _meta: {} }, { _meta: null }, { _meta: 1 }],
  other: [1],
};

function messages(): readonly Record<string, unknown>[] {
  let all: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(choices)) {
    all = all.flatMap(one => [one, ...values.map(value => ({ ...one, [name]: value }))]);
  }
  return all;
}

test('what is plain is so for the schemas, too', () => {
  let [requests, results] = [0, 0];
  for (const message of messages()) {
    if (isPlainRequest(message)) {
      equal(isJSONRPCRequest(message), true, JSON.stringify(message));
      requests += 1;
    }
    if (isPlainResult(message)) {
      equal(isJSONRPCResultResponse(message), true, JSON.stringify(message));
      results += 1;
    }
  }
  // Ids by methods by params, and ids by results.
  equal(requests, 5 * 2 * 6);
  equal(results, 5 * 2);
});

test('what is no object is not plain', () => {
  for (const value of [undefined, null, 1, 'a', [], [{}]]) {
    equal(isPlainRequest(value) || isPlainResult(value), false);
  }
});

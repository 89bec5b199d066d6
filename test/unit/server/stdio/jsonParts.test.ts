import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { jsonParts } from '../../../../src/server/stdio/jsonParts.ts';

const long = 'one "line"\n\ud800 ☂'.repeat(10_000);

const answer = (structuredContent: unknown) =>
  ({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: long }], structuredContent },
  }) as JSONRPCMessage;

test('the parts are the JSON of the message', () => {
  const messages = [
    answer({ text: 'short' }),
    answer({ text: long }),
    answer({ [long]: 'a name', text: long, others: [long, `${long}.`, { text: long }] }),
    answer({ text: 5 }),
    answer(undefined),
    { jsonrpc: '2.0', method: 'notifications/initialized' } as const,
  ];
  assert.deepEqual(
    messages.map(message => jsonParts(message).join('')),
    messages.map(message => JSON.stringify(message)),
  );
});

test('a long text that is in an answer twice is escaped once, and never copied', () => {
  const parts = jsonParts(answer({ path: '/proj/a', text: long }));
  assert.deepEqual(
    parts.filter(({ length }) => length > 1000),
    [JSON.stringify(long), JSON.stringify(long)],
  );
});

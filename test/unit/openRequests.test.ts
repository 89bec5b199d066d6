import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestId } from '@modelcontextprotocol/client';
import { OpenRequests } from '../../src/mcp/openRequests.ts';

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

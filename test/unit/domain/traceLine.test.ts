import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceLine } from '../../../src/domain/traceLine.ts';

const secret = 'hunter2';

/** The message as it is read back from its line. */
function traced(message: unknown): unknown {
  return JSON.parse(traceLine('to-server', message).slice('→ '.length));
}

test('begins the line with an arrow for the direction', () => {
  assert.equal(traceLine('to-server', { id: 1 }), '→ {"id":1}');
  assert.equal(traceLine('from-server', { id: 1 }), '← {"id":1}');
});

test('shows methods, ids, codes, versions and roots', () => {
  const roots = [{ uri: 'file:///proj/api', name: 'api of mine' }];
  const messages = [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    { id: 0, result: { ttlMs: 100, resultType: 'input_required' } },
    { jsonrpc: '2.0', id: 's-1', method: 'roots/list' },
    { jsonrpc: '2.0', id: 's-1', result: { roots } },
    { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    { method: 'notifications/cancelled', params: { requestId: 's-1' } },
    { method: 'tools/call', params: { inputResponses: { roots: { roots } } } },
    { jsonrpc: '2.0', id: 4, error: { code: -32601 } },
    { id: null, params: { progress: 1.5, total: 2 }, result: { isError: false } },
  ];
  assert.deepEqual(messages.map(traced), messages);
});

test('shows texts of tools, files and people only as sizes', () => {
  const result = {
    content: [{ type: 'text', text: secret }],
    contents: [{ uri: 'file:///proj/a.txt', blob: 'aGVsbG8=' }],
    structuredContent: { path: '/proj/a.txt', lines: [secret, secret], count: 2 },
    capabilities: { experimental: { [secret]: secret } },
    isError: true,
    nextCursor: secret,
    own: secret,
  };
  assert.deepEqual(traced({ id: 2, result }), {
    id: 2,
    result: {
      content: '‹1 members›',
      contents: '‹1 members›',
      structuredContent: '‹3 members›',
      capabilities: '‹1 members›',
      isError: true,
      nextCursor: '‹7 characters›',
      '‹3 characters›': '‹7 characters›',
    },
  });
  const message = 'No such file: hunter2';
  assert.deepEqual(traced({ error: { code: -32000, message, data: 1234 } }), {
    error: { code: -32000, message: '‹21 characters›', data: '‹number›' },
  });
});

test('shows values of calls, answers and variables under no name', () => {
  const names = [
    ...['path', 'content', 'contents', 'edits', 'text', 'lines', 'patch', 'overwrite', 'query'],
    ...['command', 'cmd', 'sql', 'html', 'json', 'yaml', 'markdown', 'message', 'input', 'output'],
    ...['env', 'value', 'values', 'secret', 'token', 'id', 'type', 'method', 'name', 'result'],
    ...['params', 'roots', 'uri', 'code', 'role', 'action', 'level', 'jsonrpc', 'constructor'],
  ];
  const values = [secret, [secret], [[secret]], { [secret]: secret }, { id: secret }, 7654];
  for (const name of names) {
    for (const value of values) {
      const carried = { [name]: value };
      for (const carrier of [
        { method: 'tools/call', params: { name: 'write', arguments: carried } },
        { method: 'prompts/get', params: { arguments: carried } },
        { id: 1, result: { action: 'accept', content: carried } },
        { id: 1, result: { structuredContent: carried } },
        { id: 1, result: { inputResponses: { [secret]: carried } } },
        { method: 'notifications/message', params: { level: 'info', data: carried } },
        { method: 'x/y', params: { env: carried, [secret]: value } },
        { id: 1, result: { capabilities: { experimental: carried } } },
      ]) {
        assert.doesNotMatch(traceLine('from-server', carrier), /hunter2|7654/);
      }
    }
  }
});

test('shows only a valid name where the protocol has one', () => {
  for (const text of ['line one\nline two', 'a b', 'x'.repeat(65), '', '{"a":1}']) {
    const hidden = `‹${text.length} characters›`;
    const params = { level: text, action: [text] };
    const shown = { level: hidden, action: '‹1 members›' };
    const all = { id: hidden, method: hidden, params: shown };
    assert.deepEqual(traced({ id: text, method: text, params }), all);
  }
  const uri = `file:///${'x'.repeat(200)}`;
  const roots = [{ uri, name: { [secret]: secret } }, secret];
  assert.deepEqual(traced({ result: { roots } }), {
    result: { roots: [{ uri: `${uri.slice(0, 200)}…`, name: '‹1 members›' }, '‹7 characters›'] },
  });
});

test('cuts an endlessly nested message, and keeps the log whole', () => {
  for (const key of ['params', 'roots', 'a']) {
    const nested = JSON.parse(`{"${key}":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    assert.match(traceLine('from-server', nested), /^← \{"[^"]+":\[{0,7}"‹1 members›"\]{0,7}\}$/);
  }
});

test('writes no line break and no character that reverses text into a line', () => {
  const message = { 'a\u202e': '\n', id: '\u202e', result: { roots: [{ name: '\u202e\n' }] } };
  const line = traceLine('from-server', message);
  assert.doesNotMatch(line, /[\u202e\n]/);
  assert.match(line, /"name":"\\u202e\\n"/);
});

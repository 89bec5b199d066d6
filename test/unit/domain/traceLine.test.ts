import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceLine } from '../../../src/domain/traceLine.ts';

const secret = 'hunter2';
const contents = 'line one of the file';

/** The message as it is read back from its line. */
function traced(message: unknown): unknown {
  return JSON.parse(traceLine('to-server', message).slice('→ '.length));
}

test('the line begins with an arrow for the direction', () => {
  assert.equal(traceLine('to-server', { id: 1 }), '→ {"id":1}');
  assert.equal(traceLine('from-server', { id: 1 }), '← {"id":1}');
});

test('the conversation about roots is traced whole', () => {
  const roots = [{ uri: 'file:///proj/api', name: 'api' }];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };
  const clientInfo = { name: 'mcp-roots', version: '0.1.0' };
  const capabilities = { roots: { listChanged: true } };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const messages = [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { jsonrpc: '2.0', id: 's-1', method: 'roots/list' },
    { jsonrpc: '2.0', id: 's-1', result: { roots } },
    { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    {
      method: 'tools/call',
      params: { name: 'where', _meta: meta, inputResponses: { roots: { roots } } },
    },
    { jsonrpc: '2.0', id: 4, error: { code: -32601, message: 'Method not found' } },
  ];
  assert.deepEqual(messages.map(traced), messages);
});

test('descriptions are no scripts, and what a tool says of places is no content', () => {
  const result = {
    tools: [{ name: 'where', description: 'Says where it may work.' }],
    structuredContent: { roots: [{ uri: 'file:///proj/api' }], filePaths: ['/proj/api'] },
  };
  assert.deepEqual(traced(result), result);
});

test('the contents of files are left out, what kind they are and where they are from is not', () => {
  const result = {
    id: 2,
    result: {
      content: [
        { type: 'text', text: contents },
        { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' },
      ],
      contents: [{ uri: 'file:///proj/a.txt', mimeType: 'text/plain', blob: 'aGVsbG8=' }],
      structuredContent: { path: '/proj/a.txt', lines: [contents, contents], count: 2 },
      isError: false,
    },
  };
  assert.deepEqual(traced(result), {
    id: 2,
    result: {
      content: [
        { type: 'text', text: '‹20 characters›' },
        { type: 'image', mimeType: 'image/png', data: '‹8 characters›' },
      ],
      contents: [{ uri: 'file:///proj/a.txt', mimeType: 'text/plain', blob: '‹8 characters›' }],
      structuredContent: {
        path: '/proj/a.txt',
        lines: ['‹20 characters›', '‹20 characters›'],
        count: 2,
      },
      isError: false,
    },
  });
});

test('what a call writes is left out, in whatever form the tool takes it', () => {
  const call = {
    method: 'tools/call',
    params: {
      name: 'write',
      arguments: {
        path: '/proj/a.txt',
        content: contents,
        contents: [contents, [contents]],
        edits: [{ oldText: contents, newText: contents }],
        lines: [contents],
        patch: contents,
        overwrite: true,
      },
    },
  };
  const line = traceLine('to-server', call);
  assert.doesNotMatch(line, /line one/);
  assert.match(line, /"path":"\/proj\/a.txt"/);
  assert.match(line, /"overwrite":true/);
});

test('a secret is left out in every form, its name stays', () => {
  const message = {
    params: {
      token: secret,
      Authorization: `Bearer ${secret}`,
      'x-api-key': secret,
      passwords: [secret, [secret]],
      credentials: { user: secret, nested: { any: [secret] } },
      env: { DB_PASSWORD: secret },
    },
  };
  const line = traceLine('to-server', message);
  assert.doesNotMatch(line, /hunter2/);
  assert.match(line, /Authorization.*x-api-key.*passwords.*credentials.*DB_PASSWORD/);
});

test('a text longer than anyone reads is left out wherever it is', () => {
  assert.deepEqual(traced({ a: 'x'.repeat(200), b: ['x'.repeat(201)] }), {
    a: 'x'.repeat(200),
    b: ['‹201 characters›'],
  });
});

test('numbers, truth values, null and empty parts stay, also under a telling name', () => {
  const message = {
    progressToken: 1,
    text: null,
    data: [],
    content: {},
    body: false,
    code: -32601,
  };
  assert.deepEqual(traced(message), message);
});

test('a message that nests without end is cut, not the log that it was meant to break', () => {
  const deep = JSON.parse(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
  assert.match(traceLine('from-server', deep), /^← \{"a":\[{31}"…"\]{31}\}$/);
});

test('a line never holds a line break or a character that turns the text around', () => {
  assert.equal(traceLine('from-server', { 'a\u202e': '\n' }), '← {"a\\u202e":"\\n"}');
});

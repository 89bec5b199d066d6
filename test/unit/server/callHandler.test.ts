import { deepEqual, equal, throws } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  InMemoryTransport,
  inputRequired,
  type JSONRPCMessage,
  McpServer,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { handlerOf, type RawHandler, setCallHandler } from '../../../src/server/callHandler.ts';

/**
 * The version with the reviewed private members. After an update of the SDK, review each again, and
 * look for a public way: `SdkInternals` names the missing one.
 */
const lookedAt = '2.4.0';

const info = { name: 'raw', version: '1' };
const capabilities = { roots: {}, elicitation: {} };
const handshake = { protocolVersion: '2025-06-18', capabilities, clientInfo: info };
const envelope = {
  [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
  [CLIENT_CAPABILITIES_META_KEY]: capabilities,
};

function newServer(answer: RawHandler): McpServer {
  const server = new McpServer(info, { capabilities: { tools: {} } });
  setCallHandler(server.server, answer);
  return server;
}

/** A client of a server; `answer` answers its calls, and the client declines each question. */
function connected(answer: RawHandler) {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const sent: JSONRPCMessage[] = [];
  const send = async (message: object) => {
    await here.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
    await immediate();
  };
  here.onmessage = message => {
    sent.push(message);
    if ('method' in message && 'id' in message) {
      void send({ id: message.id, result: { action: 'decline' } });
    }
  };
  serveStdio(() => newServer(answer), { transport: there });
  const initialize = async () => {
    await send({ id: 0, method: 'initialize', params: handshake });
    await send({ method: 'notifications/initialized' });
    sent.length = 0;
  };
  return { send, sent, initialize };
}

const call = (id: unknown, params: object) => ({ id, method: 'tools/call', params });

test('passes a request and its result on unchanged', async () => {
  const asked: unknown[] = [];
  const result = { content: [{ type: 'own', 'x/own': [null] }], more: 1 };
  const { send, sent, initialize } = connected(async ({ params }) => {
    asked.push(params);
    return result;
  });
  await initialize();
  const params = { name: 'any', arguments: { a: null }, 'x/own': 2, _meta: { 'x/y': 3 } };
  await send(call('a', params));
  deepEqual(asked, [params]);
  deepEqual(sent, [{ jsonrpc: '2.0', id: 'a', result }]);
});

describe('a result with a question', () => {
  const question = inputRequired.elicit({
    message: 'Well?',
    requestedSchema: { type: 'object', properties: {} },
  });
  const ask: RawHandler = async (_request, { mcpReq }) =>
    mcpReq.inputResponses
      ? { content: [], told: mcpReq.inputResponses }
      : inputRequired({ inputRequests: { question } });

  test('goes to a legacy client within its request', async () => {
    const { send, sent, initialize } = connected(ask);
    await initialize();
    await send(call(1, { name: 'any' }));
    await immediate();
    const [asked, answered] = sent;
    equal(asked && 'method' in asked && asked.method, 'elicitation/create');
    const result = { content: [], told: { question: { action: 'decline' } } };
    deepEqual(answered, { jsonrpc: '2.0', id: 1, result });
  });

  test('is the answer to a modern client, which calls again', async () => {
    const { send, sent } = connected(ask);
    await send(call(1, { name: 'any', _meta: envelope }));
    const inputResponses = { question: { action: 'decline' } };
    await send(call(2, { name: 'any', _meta: envelope, inputResponses }));
    const [asked, answered] = sent.map(message => ('result' in message ? message.result : {}));
    equal(asked?.['resultType'], 'input_required');
    deepEqual(answered?.['told'], inputResponses);
  });
});

describe('private members of the SDK', () => {
  test('were reviewed in the version in use', () => {
    const path = createRequire(import.meta.url).resolve('@modelcontextprotocol/server');
    const { version } = JSON.parse(readFileSync(join(dirname(path), '..', 'package.json'), 'utf8'));
    equal(version, lookedAt);
  });

  test('are used by one file only', () => {
    const source = join(import.meta.dirname, '..', '..', '..', 'src');
    const reaching = globSync('**/*.ts', { cwd: source }).filter(file =>
      /\['_(?!meta'\])/.test(readFileSync(join(source, file), 'utf8')),
    );
    deepEqual(reaching, [join('server', 'callHandler.ts')]);
  });

  test('are reported in clear words when they are gone', () => {
    for (const member of ['_requestHandlers', '_invokeInputRequiredCapableHandler']) {
      const { server } = new McpServer(info);
      Object.defineProperty(server, member, { value: undefined });
      throws(
        () => handlerOf(server, 'tools/call'),
        /^Error: This version of @modelcontextprotocol\/server /,
      );
    }
  });
});

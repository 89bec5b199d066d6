import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

// An MCP server of revision 2025-11-25 over HTTP, whose tools flood the stream that its client listens
// on; `echo` does nothing of that kind. It is a program: it prints its address, and ends with its input.

type Message = Readonly<Record<string, unknown>>;

const floods: Readonly<Record<string, Message>> = {
  'flood-roots': { id: 'again', method: 'roots/list' },
  'flood-pings': { id: 'again', method: 'ping' },
  'flood-notifications': {
    method: 'notifications/message',
    params: { level: 'debug', logger: 'faulty', data: 'again' },
  },
  'flood-progress': {
    method: 'notifications/progress',
    params: { progressToken: 'x', progress: 1 },
  },
};

let stream: ServerResponse | undefined;

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    stream.flushHeaders();
  } else if (request.method === 'POST') {
    answerMessage((await json(request)) as Message, response);
  } else {
    response.writeHead(200).end();
  }
}

function answerMessage({ id, method, params }: Message, response: ServerResponse): void {
  const reply = (body: Message) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  };
  if (method === 'initialize') {
    const serverInfo = { name: 'flooder', version: '1' };
    const capabilities = { tools: {}, logging: {} };
    reply({ result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
  } else if (method === 'tools/call') {
    reply({ result: { content: [{ type: 'text', text: 'well' }] } });
    flood((params as { name: string }).name);
  } else if (id !== undefined && method) {
    reply({ error: { code: -32601, message: 'Method not found' } });
  } else {
    response.writeHead(202).end();
  }
}

/** Without end, as fast as it is read. */
function flood(name: string): void {
  const again = floods[name];
  if (!again) {
    return;
  }
  const many = `data: ${JSON.stringify({ jsonrpc: '2.0', ...again })}\n\n`.repeat(100);
  const pour = () => {
    while (stream?.write(many)) {}
    stream?.once('drain', pour);
  };
  pour();
}

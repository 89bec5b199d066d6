import { type Message, recorded, send, serveLines } from './serverProgram.ts';

// A server that does not know roots, like many: it takes its folders as arguments. A program: its
// first argument holds the record folder, as JSON, the others are its folders. `started` returns
// its start, `echo` the arguments of the call.

recorded();
serveLines(handle);

function handle({ id, method, params }: Message): void {
  switch (method) {
    case 'initialize':
      reply(id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'rootless', version: '1' },
      });
      break;
    case 'tools/list': {
      const inputSchema = { type: 'object' };
      reply(id, { tools: ['started', 'echo'].map(name => ({ name, inputSchema })) });
      break;
    }
    case 'tools/call':
      call(id, params as { readonly name: string; readonly arguments?: unknown });
      break;
    default:
      if (id !== undefined) {
        send({ id, error: { code: -32601, message: 'Method not found' } });
      }
  }
}

function call(id: unknown, { name, arguments: args }: { name: string; arguments?: unknown }): void {
  const started = { folders: process.argv.slice(3), cwd: process.cwd(), pid: process.pid };
  const value = name === 'started' ? started : args;
  reply(id, { content: [{ type: 'text', text: JSON.stringify(value) }] });
}

function reply(id: unknown, result: unknown): void {
  send({ id, result });
}

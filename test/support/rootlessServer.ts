import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// A server that has never heard of roots, as many are: which folders it may use is said in its
// arguments. It is a program: its first argument holds the record folder, as JSON, the others are
// those folders. `started` tells how it was started, `echo` what it was called with.

type Message = Readonly<Record<string, unknown>>;

const { record } = JSON.parse(process.argv[2] ?? '{}') as { readonly record: string };
const received = join(record, `${process.pid}.received`);
writeFileSync(received, '');
process.stdin.on('data', chunk => appendFileSync(received, chunk));
const lines = createInterface({ input: process.stdin });
lines.on('line', line => handle(JSON.parse(line)));
lines.on('close', () => process.exit(0));

function handle({ id, method, params }: Message): void {
  switch (method) {
    case 'initialize':
      send(id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'rootless', version: '1' },
      });
      break;
    case 'tools/list': {
      const inputSchema = { type: 'object' };
      send(id, { tools: ['started', 'echo'].map(name => ({ name, inputSchema })) });
      break;
    }
    case 'tools/call':
      call(id, params as { readonly name: string; readonly arguments?: unknown });
      break;
    default:
      if (id !== undefined) {
        send(id, undefined, { code: -32601, message: 'Method not found' });
      }
  }
}

function call(id: unknown, { name, arguments: args }: { name: string; arguments?: unknown }): void {
  const started = { folders: process.argv.slice(3), cwd: process.cwd(), pid: process.pid };
  const value = name === 'started' ? started : args;
  send(id, { content: [{ type: 'text', text: JSON.stringify(value) }] });
}

function send(id: unknown, result: unknown, error?: unknown): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result, error })}\n`);
}

import type { OddServerOptions } from './recordingServer.ts';
import { type Message, recorded, send, serveLines } from './serverProgram.ts';

// A hand-written MCP server of the older revisions that offers any tools. A program: its argument
// holds the record folder and the offers, as JSON.

const options = recorded<OddServerOptions>();
const offers: Record<string, readonly object[]> = { tools: options.tools ?? [] };
const capabilities = Object.fromEntries(
  ['tools', 'resources', 'prompts'].map(list => [list, { listChanged: true }]),
);

serveLines(handle);

function handle({ id, method, params = {} }: Message): void {
  const of = params as Message;
  switch (method) {
    case 'initialize':
      result(id, {
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: { name: 'odd', version: '1', title: options.title },
        instructions: options.instructions,
      });
      break;
    case 'tools/list':
    case 'prompts/list':
    case 'resources/list':
      list(id, method.slice(0, -'/list'.length), of['cursor']);
      break;
    case 'resources/templates/list':
      list(id, 'resourceTemplates', of['cursor']);
      break;
    case 'tools/call':
      call(id, of);
      break;
    default:
      if (id !== undefined) {
        send({ id, error: { code: -32601, message: 'Method not found' } });
      }
  }
}

function list(id: unknown, key: string, cursor: unknown): void {
  const all = offers[key] ?? [];
  const { pageSize = all.length } = options;
  const from = Number(cursor ?? 0);
  const next = from + pageSize;
  const page = all.slice(from, next);
  result(id, { [key]: page, ...(next < all.length && { nextCursor: String(next) }) });
}

function call(id: unknown, params: Message): void {
  const { name, _meta } = params;
  switch (name) {
    case 'fail':
      send({ id, error: params['arguments'] });
      break;
    case 'refuse':
      result(id, { content: [{ type: 'text', text: 'no\n[\n]' }], isError: true, 'x/own': [null] });
      break;
    case 'hang':
      break;
    case 'progress': {
      const { progressToken } = _meta as Message;
      for (const progress of [1, 2]) {
        const told = { progressToken, progress, total: 2, message: `step ${progress}` };
        send({ method: 'notifications/progress', params: told });
      }
      result(id, { content: [] });
      break;
    }
    case 'list':
    case 'untold':
      result(id, { content: [], structuredContent: ['a'] });
      break;
    case 'grow':
      offers['tools'] = [...(offers['tools'] ?? []), { name: 'grown', inputSchema: anything }];
      send({ method: 'notifications/tools/list_changed' });
      result(id, { content: [] });
      break;
    case 'die':
      process.exit(7);
      break;
    default:
      result(id, {
        content: [{ type: 'text', text: String(name) }],
        structuredContent: { pid: process.pid, cwd: process.cwd(), params },
      });
  }
}

const anything = { type: 'object' };

function result(id: unknown, value: Message): void {
  send({ id, result: value });
}

import { createInterface } from 'node:readline';

// The hand-written part of an MCP server of the older revisions that lists and calls tools: no SDK
// keeps it from sending invalid messages.

export type Message = Readonly<Record<string, unknown>>;

/** One call of a tool, and the messages possible during it. */
export interface ServedCall {
  readonly args: Message;
  /** Sends how far it is. */
  readonly progress: (progress: Message) => void;
  /** Asks the client, and resolves to its whole response. */
  readonly ask: (method: string, params: Message) => Promise<Message>;
  readonly isCancelled: () => boolean;
}

export interface ServedTool {
  /** Its entry in `tools/list`. */
  readonly listed: Message;
  /** Answers with the members of the response: `result`, or `error`. */
  readonly call: (call: ServedCall) => Message | Promise<Message>;
}

/** Serves the tools on the standard streams until the input ends. */
export function serveTools(tools: Readonly<Record<string, ServedTool>>, more: Message = {}): void {
  const waiting = new Map<unknown, (response: Message) => void>();
  const cancelled = new Set<unknown>();
  let count = 0;
  const lines = createInterface({ input: process.stdin });
  lines.on('close', () => process.exit(0));
  lines.on('line', async line => {
    const message = JSON.parse(line) as Message;
    const { id, method, params = {} } = message;
    const { name, arguments: args = {}, requestId, _meta } = params as Message;
    if (method === undefined) {
      waiting.get(id)?.(message);
    } else if (method === 'initialize') {
      const serverInfo = { name: 'tools', version: '1' };
      const capabilities = { tools: {}, resources: {} };
      send({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
    } else if (method === 'tools/list') {
      const list = Object.entries(tools).map(([name, { listed }]) => ({
        name,
        inputSchema: { type: 'object' },
        ...listed,
      }));
      send({ id, result: { tools: list } });
    } else if (method === 'notifications/cancelled') {
      cancelled.add(requestId);
    } else if (method === 'tools/call') {
      const progressToken = Object(_meta)['progressToken'];
      const answer = await tools[String(name)]?.call({
        args: args as Message,
        progress: progress =>
          send({ method: 'notifications/progress', params: { progressToken, ...progress } }),
        ask: (method, params) => {
          count += 1;
          const asked = `q${count}`;
          send({ id: asked, method, params });
          return new Promise(resolve => waiting.set(asked, resolve));
        },
        isCancelled: () => cancelled.has(id),
      });
      send({ id, ...answer });
    } else if (id !== undefined) {
      const known = more[String(method)];
      send(known ? { id, result: known } : { id, error: { code: -32601, message: 'no' } });
    }
  });
}

function send(message: Message): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

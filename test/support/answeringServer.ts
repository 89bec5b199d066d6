import { filledIn } from './filledIn.ts';
import { type Message, recorded, send, serveLines } from './serverProgram.ts';

// A hand-written MCP server of one era, with a tool for each possible outcome of a request. A
// program: its argument holds the record folder and the era, as JSON.

type Id = string | number;

const { era } = recorded<{ readonly era: string }>();
const waiting = new Map<unknown, (response: Message) => void>();
const changing = { listChanged: true };
const capabilities = { tools: changing, resources: changing, prompts: {} };

const tools: Readonly<Record<string, (id: Id, params: Message) => unknown>> = {
  odd: id => result(id, { content: 7, _meta: { trace: 'x' }, 'x/more': [null, { deep: true }] }),
  params: (id, params) => result(id, { params }),
  fail: id => send({ id, error: { code: -32055, message: 'no s3cret', data: { uri: 'a', n: 1 } } }),
  'fail-with-data': id =>
    send({ id, error: { code: -32602, message: 'no', data: { uri: 's3cret', list: ['s3cret'] } } }),
  hang: () => {},
  progress: (id, { _meta }) => {
    const { progressToken } = _meta as Message;
    const notice = (params: Message) => send({ method: 'notifications/progress', params });
    notice({ progressToken, progress: 1, total: 2, message: 'half' });
    notice({ progressToken: 'nobody', progress: 1 });
    notice({ progressToken, progress: 2, 'x/more': 1 });
    result(id, {});
  },
  'late-again': id => {
    result(id, { first: true });
    result(id, { first: false });
  },
  quoted: id => result(String(id), { quoted: true }),
  ask: async (id, { arguments: question }) => result(id, { asked: await ask(question as Message) }),
  'ask-and-call-off': async (id, { arguments: question }) => {
    void ask(question as Message);
    send({ method: 'notifications/cancelled', params: { requestId: 'q1', reason: 'enough' } });
    result(id, {});
  },
  change: id => {
    for (const what of ['tools', 'resources', 'prompts']) {
      send({ method: `notifications/${what}/list_changed` });
    }
    result(id, {});
  },
  mixed: (id, { inputResponses, requestState }) =>
    inputResponses
      ? result(id, { inputResponses, requestState })
      : need(id, { where: roots, again: roots, who: question }, 'opaque {"é": 1}'),
  'two-questions': id => need(id, { who: question, why: question }),
  'roots-then-question': (id, { inputResponses }) => {
    const { who, where } = (inputResponses ?? {}) as Message;
    return who ? result(id, { who }) : need(id, where ? { who: question } : { where: roots });
  },
  'only-state': (id, { requestState }) =>
    requestState === 'more' ? result(id, { requestState }) : need(id, undefined, 'more'),
  endless: id => need(id, { where: roots }),
  say: (id, { arguments: said, _meta }) => {
    const { lines } = said as { readonly lines: readonly string[] };
    const { progressToken } = (_meta ?? {}) as Message;
    process.stdout.write(lines.map(line => `${filledIn(line, id, progressToken)}\n`).join(''));
    result(id, { content: [] });
  },
  malformed: id => send({ id, result: { resultType: 'input_required', inputRequests: { a: 1 } } }),
};
const roots = { method: 'roots/list' };
const question = { method: 'elicitation/create', params: { message: 'Who?' } };

serveLines(handle);

function handle(message: Message): void {
  const { method } = message;
  const id = message['id'] as Id;
  const params = (message['params'] ?? {}) as Message;
  if (method === undefined) {
    waiting.get(id)?.(message);
  } else if (method === 'server/discover' && era === 'modern') {
    const cached = { ttlMs: 0, cacheScope: 'private' };
    const instructions = 'Be kind.';
    result(id, { supportedVersions: ['2026-07-28'], capabilities, instructions, ...cached });
  } else if (method === 'initialize') {
    const serverInfo = { name: 'answering', version: '1' };
    const instructions = 'Be kind.';
    result(id, { protocolVersion: '2025-11-25', capabilities, serverInfo, instructions });
  } else if (method === 'subscriptions/listen') {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    const { notifications } = params;
    const noted = { notifications, _meta };
    send({ method: 'notifications/subscriptions/acknowledged', params: noted });
  } else if (method === 'tools/call' || method === 'prompts/get') {
    tools[String(params['name'])]?.(id, params);
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

function need(id: Id, inputRequests: Message | undefined, requestState?: string): void {
  send({ id, result: { resultType: 'input_required', inputRequests, requestState } });
}

function ask(message: Message): Promise<Message> {
  const id = `q${waiting.size + 1}`;
  const response = new Promise<Message>(resolve => waiting.set(id, resolve));
  send({ id, ...message });
  return response;
}

function result(id: Id, content: Message): void {
  send({ id, result: { ...(era === 'modern' && { resultType: 'complete' }), ...content } });
}

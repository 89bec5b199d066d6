import { closeSync, write } from 'node:fs';
import { type Message, recorded, serveLines } from './serverProgram.ts';

// An MCP server of the older revisions with a tool for each mistake of servers; `echo` works. A
// program: its argument holds the record folder, as JSON.

type Id = string | number;

let printed = Promise.resolve();
const faults: Readonly<Record<string, (id: Id) => unknown>> = {
  echo: id => print(line(textAnswer(id, 'well'))),
  crash: () => process.stderr.write('panic: index out of range', () => process.exit(7)),
  hang: () => {},
  'close-output': () => closeSync(1),
  'close-output-and-stay': () => {
    process.on('SIGTERM', () => {});
    lines.removeAllListeners('close');
    setInterval(() => {}, 60_000);
    closeSync(1);
  },
  'flood-roots': id => flood(id, { id: 'again', method: 'roots/list' }),
  'flood-notifications': id => flood(id, message('debug', 'again')),
  'flood-large': id => flood(id, message('debug', 'x'.repeat(64 * 1024))),
  'flood-strays': id => flood(id, { id: 'again', result: {} }),
  'flood-rubbish': id => floodWith(id, 'no message\n'),
  'text-around': id =>
    print(`before\nglued ${line(textAnswer(id, 'found')).trim()} after\n\nend\n`),
  'no-line-end': async id => {
    await print(line(textAnswer(id, 'last words')).trim());
    process.exit(4);
  },
  'huge-line': async id => {
    for (let written = 0; written < 100; written++) {
      await print('x'.repeat(1024 * 1024));
    }
    await print(`\n${line(textAnswer(id, 'after it'))}`);
  },
  'huge-answer': id => print(line(textAnswer(id, huge))),
  'huge-answer-named-last': id => {
    const { result } = textAnswer(id, huge);
    return print(`${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`);
  },
  'deep-answer': id => print(`{"jsonrpc":"2.0","id":${id},"result":{"content":${deep}}}\n`),
  'deep-answer-named-last': id =>
    print(`{"result":{"content":${deep}},"jsonrpc":"2.0","id":${id}}\n`),
  'wide-answer': id => print(`{"jsonrpc":"2.0","id":${id},"result":{"content":${wide}}}\n`),
  'bad-utf8': id => print(Buffer.from(line(textAnswer(id, 'caf\xe9')), 'latin1')),
  'no-json': id => print(`{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":NaN}}\n`),
  'no-result': id => print(line({ id, result: 'done' })),
  'copies-first': id =>
    print(
      `{"jsonrpc":"2.0","id":${id},"result":{"cont…\n` +
        `DEBUG -> {"jsonrpc":"2.0","id":${id},"result":{"cont…\n` +
        `{"id":${id},"result":"done in 3 ms"}\n` +
        line(textAnswer(id, 'the real one')),
    ),
};

recorded();
const lines = serveLines(handle);

function handle(incoming: Message): void {
  const { method } = incoming;
  const id = incoming['id'] as Id;
  const params = incoming['params'] as { name: string };
  if (method === 'initialize') {
    const serverInfo = { name: 'faulty', version: '1' };
    const capabilities = { tools: {}, logging: {} };
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
    void print(line({ id, result }));
  } else if (method === 'notifications/initialized') {
    void print(line({ id: 'roots', method: 'roots/list' }));
  } else if (method === 'tools/call') {
    faults[params.name]?.(id);
  } else if (method !== undefined && id !== undefined) {
    void print(line({ id, error: { code: -32601, message: 'Method not found' } }));
  }
}

function flood(id: Id, again: Message): Promise<void> {
  return floodWith(id, line(again));
}

/** Without end, as fast as it is read; the call is answered first. */
async function floodWith(id: Id, text: string): Promise<void> {
  await print(line(textAnswer(id, 'here it comes')));
  for (const many = text.repeat(500); ; ) {
    await print(many);
  }
}

function message(level: string, data: string): Message {
  return { method: 'notifications/message', params: { level, logger: 'faulty', data } };
}

/** More than anybody takes in one line. */
const huge = 'x'.repeat(9 * 1024 * 1024);
/** Short, and worse to read than anything that somebody means. */
const deep = '['.repeat(2000) + ']'.repeat(2000);
const wide = `[${'{},'.repeat(300_000)}{}]`;

function textAnswer(id: Id, text: string): Message {
  return { id, result: { content: [{ type: 'text', text }] } };
}

function line(content: Message): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...content })}\n`;
}

/**
 * Settles when the operating system has it. Not by `process.stdout`: on Windows, nothing is read while that
 * waits for its reader.
 */
function print(text: string | Buffer): Promise<void> {
  const bytes = Buffer.from(text);
  printed = printed.then(() => new Promise(resolve => write(1, bytes, () => resolve())));
  return printed;
}

import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawServerOptions } from './recordingServer.ts';
import { type Message, recorded, send, serveLines } from './serverProgram.ts';
import { sessionsLine } from './sessionsLine.ts';

// A hand-written MCP server of the older revisions, so that no SDK smooths anything over. A
// program: its argument is a record folder and options as JSON. It keeps every byte it receives.

const options = recorded<RawServerOptions>();
const answers: unknown[] = [];
const waiting = new Map<string, () => void>();

if (process.platform !== 'win32') {
  process.on('SIGUSR2', () => ask());
}

if (options.leavesGrandchild) {
  const program = "process.on('SIGTERM', () => {}); setInterval(() => {}, 60_000);";
  const grandchild = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  writeFileSync(join(options.record, `${grandchild.pid}.grandchild`), '');
}
if (options.leavesSessions) {
  execFileSync('/bin/sh', ['-c', sessionsLine(options.record)]);
}
if (options.dies === 'at-start') {
  process.stderr.write('reading the configuration\nno such option: --fast\n', () =>
    process.exit(3),
  );
} else {
  const lines = serveLines(handle);
  if (options.isStubborn) {
    process.on('SIGTERM', () => {});
  }
  if (options.isStubborn || options.isDeaf) {
    lines.removeAllListeners('close');
    setInterval(() => {}, 60_000);
  }
}

function handle(message: Message): void {
  const { method, id } = message;
  if (options.isMute) {
    return;
  }
  switch (method) {
    case 'server/discover':
      answerProbe(id);
      break;
    case 'initialize':
      if (options.asksEarly) {
        ask(() => setTimeout(() => initialize(id), 200));
      } else {
        initialize(id);
      }
      break;
    case 'ping':
      reply(id, {});
      break;
    case 'notifications/initialized':
    case 'notifications/roots/list_changed':
      if (options.asks !== 'never') {
        ask();
      }
      break;
    case 'tools/list':
      listTools(id);
      break;
    case 'tools/call':
      call(id, (message['params'] as { name: string }).name);
      break;
    case undefined:
      takeAnswer(message);
  }
}

function answerProbe(id: unknown): void {
  const { probe = 'error' } = options;
  if (probe === 'exit') {
    process.stderr.write('expected initialize\n', () => process.exit(1));
  } else if (probe === 'modern') {
    reply(id, {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    });
  } else if (probe === 'error') {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

function initialize(id: unknown): void {
  reply(id, {
    protocolVersion: options.version ?? '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  });
}

function listTools(id: unknown): void {
  const names = ['answers', 'ask', 'die', 'flood', 'hang', 'nosy'];
  if (options.tools === 'failing') {
    send({ id, error: { code: -32603, message: 'The database is locked.' } });
    return;
  }
  const description = 'x'.repeat(options.tools ?? 0);
  const tools = names.map(name => ({ name, description, inputSchema: { type: 'object' } }));
  reply(id, { tools });
}

function call(id: unknown, name: string): void {
  const text = (value: string) => reply(id, { content: [{ type: 'text', text: value }] });
  switch (name) {
    case 'answers':
      text(JSON.stringify(answers));
      break;
    case 'ask':
      ask(() => text(JSON.stringify(answers.at(-1))));
      break;
    case 'die':
      process.stderr.write('panic: index out of range', () => process.exit(7));
      break;
    case 'nosy':
      reply(id, {
        resultType: 'input_required',
        inputRequests: {
          name: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } },
        },
      });
      break;
    case 'flood':
      process.stdout.write(`${'x'.repeat(9 * 1024 * 1024)}\n`);
      text('after the flood');
      break;
  }
}

/** Asks for the roots; `then` runs after the answer. */
function ask(then: () => void = () => {}): void {
  const id = `raw-${answers.length + waiting.size}`;
  waiting.set(id, then);
  send({ id, method: 'roots/list' });
}

function takeAnswer({ id, result, error }: Message): void {
  const then = waiting.get(String(id));
  if (then) {
    waiting.delete(String(id));
    answers.push(error ?? (result as { roots: unknown }).roots);
    then();
  }
}

function reply(id: unknown, result: unknown): void {
  send({ id, result });
}

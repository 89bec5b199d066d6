import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Launched } from './recorder.ts';

// A `rawServer.ts` that also writes down what it was started with. A `SERVER_TOKEN` it repeats
// wherever a server can: on stderr, in its log, in the errors of calls and in its last words.

const { record } = JSON.parse(process.argv[2] ?? '{}') as { record: string };
const { SERVER_TOKEN: token } = process.env;
const launched: Launched = { args: process.argv.slice(3), cwd: process.cwd() };
const file = join(record, `${Date.now()}-${process.pid}.launched`);
writeFileSync(`${file}.part`, JSON.stringify(launched));
renameSync(`${file}.part`, file);
if (token !== undefined) {
  process.stderr.write(`my token is ${token}\n`);
  createInterface({ input: process.stdin }).on('line', line => repeat(line, token));
}
await import('../../support/rawServer.ts');

function repeat(line: string, token: string): void {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/initialized') {
    const data = { started: { with: token } };
    send({ method: 'notifications/message', params: { level: 'warning', data } });
  } else if (method === 'tools/call' && params.name === 'hang') {
    send({ id, error: { code: -32000, message: `the token ${token} is refused` } });
  } else if (method === 'tools/call' && params.name === 'fatal') {
    process.stderr.write(`no use for the token ${token}\n`, () => process.exit(9));
  }
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

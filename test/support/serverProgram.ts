import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

// The common part of the tests' server programs.

export type Message = Readonly<Record<string, unknown>>;

/** The argument of the program, read as JSON. From here on, it records each received byte. */
export function recorded<T>(): T & { readonly record: string } {
  const given = JSON.parse(process.argv[2] ?? '{}');
  const received = join(given.record, `${process.pid}.received`);
  writeFileSync(received, '');
  process.stdin.on('data', chunk => appendFileSync(received, chunk));
  return given;
}

/** Handles each message that comes, until the program ends with its input. */
export function serveLines(handle: (message: Message) => void): Interface {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', line => handle(JSON.parse(line)));
  return lines.on('close', () => process.exit(0));
}

export function send(message: Message): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

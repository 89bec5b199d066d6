import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Keeps every byte that reaches another server, which it starts and which notices nothing. It is a
// program: its argument holds the record folder and that server's program, as JSON.

const { record, program } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly record: string;
  readonly program: string;
};
const received = join(record, `${process.pid}.received`);
writeFileSync(received, '');
const server = spawn(process.execPath, [program, ...process.argv.slice(3)], {
  stdio: ['pipe', 'inherit', 'inherit'],
});
process.stdin.on('data', chunk => appendFileSync(received, chunk));
process.stdin.pipe(server.stdin);
server.once('exit', code => process.exit(code ?? 1));

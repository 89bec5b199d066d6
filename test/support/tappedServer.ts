import { spawn } from 'node:child_process';
import { recorded } from './serverProgram.ts';

// Starts another server and keeps every byte that reaches it, unnoticed. A program: its argument
// holds the record folder and that server's program, as JSON.

const { program } = recorded<{ readonly program: string }>();
const server = spawn(process.execPath, [program, ...process.argv.slice(3)], {
  stdio: ['pipe', 'inherit', 'inherit'],
});
process.stdin.pipe(server.stdin);
server.once('exit', code => process.exit(code ?? 1));

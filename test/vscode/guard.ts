import { spawn } from 'node:child_process';

// `node guard.ts <command> …` runs a command that must not outlive its starter. It has to be started
// as the leader of a process group, with a pipe as its standard input. The pipe closes when the
// starter wants the command gone, and also when the starter dies, even by SIGKILL, which no handler
// in the starter itself could answer. Then the command gets a moment to end, and the group is killed.

const patience = 2_000;
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

child.on('error', error => {
  console.error(error.message);
  killGroup();
});
child.on('exit', killGroup);
process.stdin.resume().on('end', () => {
  child.kill('SIGTERM');
  setTimeout(killGroup, patience);
});

/** Ends everything the command started in its group, and this process with it. */
function killGroup(): void {
  process.kill(-process.pid, 'SIGKILL');
}

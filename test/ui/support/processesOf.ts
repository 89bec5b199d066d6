import { execFileSync } from 'node:child_process';

/** The process ids of the bundled servers that an editor in `folder` started. */
export function processesOf(folder: string): number[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter(line => line.includes(folder) && line.includes('dist/server.js'))
    .map(line => Number.parseInt(line, 10));
}

/** The process id of a process's parent. */
export function parentOf(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}

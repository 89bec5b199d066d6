import { readFileSync } from 'node:fs';

/**
 * In milliseconds of the processor: many times what these tests take even where others are at work on
 * it, and far less than what grows with the square of a length.
 */
export const littleTime = 3000;

/** The processor time of `work` in milliseconds, without other load of the machine. */
export function cpuTimeOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** How long a process has computed so far, in hundredths of a second; 0 where the system does not tell. */
export function busyTimeOf(pid: number | undefined): number {
  if (process.platform !== 'linux') {
    return 0;
  }
  // After the name, which may hold spaces; the 14th and 15th fields of proc_pid_stat(5).
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (user ?? 0) + (system ?? 0);
}

/** The most memory a process has had so far in MB; 0 where the system does not tell. */
export function peakMemoryOf(pid: number | undefined): number {
  if (process.platform !== 'linux') {
    return 0;
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024;
}

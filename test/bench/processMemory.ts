import { readFileSync } from 'node:fs';

/** How much memory a process takes now, and took at most, in MB. Known on Linux only. */
export interface ProcessMemory {
  readonly now: number;
  readonly peak: number;
}

export function memoryOf(pid: number): ProcessMemory | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) => {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  };
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

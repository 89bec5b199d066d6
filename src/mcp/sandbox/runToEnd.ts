import type { ProcessOwner } from '../process/stdio/processOwner.ts';
import {
  type ProcessEnd,
  type ProcessStart,
  ServerProcess,
} from '../process/stdio/serverProcess.ts';

/**
 * Runs a process with this input until it ends. If the signal is aborted, ends the process and all
 * that it started.
 *
 * @returns the process's end, and what it wrote to its standard output.
 */
export async function runToEnd(
  start: ProcessStart,
  owner: ProcessOwner,
  signal: AbortSignal,
  input = '',
): Promise<ProcessEnd & { readonly output: string }> {
  const started = new ServerProcess(start, owner);
  const stop = () => void started.stop({ end: 0, terminate: 0 });
  signal.addEventListener('abort', stop);
  if (signal.aborted) {
    stop();
  }
  const said: string[] = [];
  started.child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
  started.child.stdin.end(input);
  const end = await started.ended;
  signal.removeEventListener('abort', stop);
  return { ...end, output: said.join('') };
}

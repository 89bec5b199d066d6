import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { printable } from '../../domain/printable.ts';
import { argumentsAdvice } from './argumentsAdvice.ts';

/** What was to be started. */
export interface Attempted {
  readonly command: string;
  readonly cwd: string;
}

/**
 * The error of a process that could not be started, in words where the system gives only a code.
 * Any other error stays what it is.
 */
export function startError(error: NodeJS.ErrnoException, { command, cwd }: Attempted): Error {
  const isPath = /[\\/]/.test(command);
  const shown = isPath ? printable(command) : `"${printable(command)}"`;
  if (error.code === 'EACCES') {
    return new Error(`${shown} may not be executed`, { cause: error });
  }
  // The same code stands for a working directory, or the interpreter of a script, that is missing.
  if (
    error.code !== 'ENOENT' ||
    !existsSync(cwd) ||
    (isPath && existsSync(resolve(cwd, command)))
  ) {
    return error;
  }
  const place = isAbsolute(command) ? '' : ` in ${printable(cwd)}`;
  const reason = isPath ? `does not exist${place}` : 'was not found on PATH';
  const advice = argumentsAdvice(command, path => existsSync(resolve(cwd, path)));
  return new Error(`${shown} ${reason}${advice}`, { cause: error });
}

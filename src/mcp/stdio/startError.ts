import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { printable } from '../../domain/printable.ts';

/** The command that was to be started. */
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
  // The code also means that the working directory, or the interpreter of a script, is missing.
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

/**
 * The advice for a missing command that seems to hold its arguments as well, to follow the error;
 * empty when the command is one name or one path.
 *
 * @param isThere whether there is a file at a path, as it stands in the command.
 */
export function argumentsAdvice(command: string, isThere: (path: string) => boolean): string {
  const program = /^(\S+)\s+\S/.exec(command)?.[1];
  if (program === undefined || (/[\\/]/.test(program) && !isThere(program))) {
    return '';
  }
  return `: if "${printable(program)}" is the program, put its arguments into "args"`;
}

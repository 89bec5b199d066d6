import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { printable } from '../../../domain/printable.ts';
import { HumanError, type Sentence, sentence } from '../../../domain/sentence.ts';
import { LackError } from '../../../domain/servers/serverFailure.ts';

/** The command of a start, and its working directory. */
interface Attempted {
  readonly command: string;
  readonly cwd: string;
}

/** Returns the error for a process that the system did not start. Explains the system's code. */
export function startError(error: NodeJS.ErrnoException, { command, cwd }: Attempted): HumanError {
  const isPath = /[\\/]/.test(command);
  const name = printable(command);
  const shown = isPath ? name : sentence('"{0}"', name);
  // The code can also mean that the working directory, or the interpreter of a script, is missing.
  if (error.code === 'ENOENT' && !existsSync(cwd)) {
    return new HumanError('the working directory {0} does not exist', printable(cwd));
  }
  if (error.code === 'ENOENT' && !(isPath && existsSync(resolve(cwd, command)))) {
    return programLack(command, notThere(command, cwd), path => existsSync(resolve(cwd, path)));
  }
  return new HumanError(reasons[error.code ?? ''] ?? unknownReason, shown, error.code ?? '?');
}

export function notOnPath(command: string): Sentence {
  return sentence('"{0}" was not found on PATH', printable(command));
}

function notThere(command: string, cwd: string): Sentence {
  if (!/[\\/]/.test(command)) {
    return notOnPath(command);
  }
  const shown = printable(command);
  return isAbsolute(command)
    ? sentence('{0} does not exist', shown)
    : sentence('{0} does not exist in {1}', shown, printable(cwd));
}

/** The error of a start that the system refused before there was a process. */
export function refusedStart({ code = '?' }: NodeJS.ErrnoException): HumanError {
  return new HumanError(withoutProcess.has(code) ? noFiles : noCommandLine, code);
}

/** Codes for too many open files. Then not even a pipe to a process can be made. */
const withoutProcess: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);
const noCommandLine = 'the system refused the command line of the server ({0})';

const unknownReason = 'the system did not start {0} ({1})';

const noFiles =
  'too many files are open: stop servers or close programs, or raise the limit (ulimit -n), and try again';

/** Codes of the operating system, in words. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the system does not allow running {0}: check its permissions',
  EPERM: 'the system does not allow running {0}: check its permissions',
  ENOENT: 'the program in the first line of {0} does not exist',
  ENOEXEC: '{0} is not a program for this system',
  E2BIG: 'the arguments and variables of {0} are too long for this system',
  ENOTDIR: 'a part of the path of {0}, or of its working directory, is a file',
  EAGAIN: 'the system has no room for another process',
  ENOMEM: 'the system has no room for another process',
  EMFILE: noFiles,
  ENFILE: noFiles,
};

/**
 * The error of a program that is missing. Gives advice if the command seems to hold its arguments
 * as well.
 *
 * @param isThere whether a file is at a path, as written in the command.
 */
export function programLack(
  command: string,
  what: Sentence,
  isThere: (path: string) => boolean,
): LackError {
  const lack = { program: command };
  const program = /^(\S+)\s+\S/.exec(command)?.[1];
  return program === undefined || (/[\\/]/.test(program) && !isThere(program))
    ? new LackError(lack, what)
    : new LackError(
        lack,
        '{0}: if "{1}" is the program, put its arguments into "args"',
        what,
        printable(program),
      );
}

import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { printable } from '../../domain/printable.ts';
import { sentence } from '../../domain/sentence.ts';
import { programLack } from './startError.ts';

/** A command, and the environment whose `PATH` it is looked for along. */
interface PosixStart {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command for Linux and macOS. What the system would look for in the working directory, because
 * `PATH` has an empty or relative entry, is looked for along the others alone: anything may lie there.
 *
 * @throws when it is not found.
 */
export function posixCommand({ command, env }: PosixStart): string {
  const path = env['PATH'];
  if (command.includes('/') || path === undefined || path.split(':').every(isAbsolute)) {
    return command;
  }
  const found = alongPath(command, path).find(isProgram);
  if (found === undefined) {
    const problem = sentence('"{0}" was not found on PATH', printable(command));
    throw programLack(command, problem, () => false);
  }
  return found;
}

/** The places of a name along `PATH`, or along that of a system which has none. */
export function alongPath(name: string, path = '/bin:/usr/bin'): readonly string[] {
  return path.split(':').flatMap(folder => (isAbsolute(folder) ? [join(folder, name)] : []));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // It is not there, or may not be executed.
  }
}

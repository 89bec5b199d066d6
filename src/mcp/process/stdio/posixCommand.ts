import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { notOnPath, programLack } from './startError.ts';

/** A command, and the environment with the `PATH` to search for it. */
interface PosixStart {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command for Linux and macOS. If `PATH` has an empty or relative entry, the system would search the
 * working directory, where anything may lie. Then only the absolute entries are searched.
 *
 * @throws when the command is not found.
 */
export function posixCommand({ command, env }: PosixStart): string {
  const path = env['PATH'];
  if (command.includes('/') || path === undefined || path.split(':').every(isAbsolute)) {
    return command;
  }
  const found = alongPath(command, path).find(isProgram);
  if (found === undefined) {
    throw programLack(command, notOnPath(command), () => false);
  }
  return found;
}

/** The places of a name along `PATH`, or along the usual folders if `PATH` is missing. */
export function alongPath(name: string, path = '/bin:/usr/bin'): readonly string[] {
  return path.split(':').flatMap(folder => (isAbsolute(folder) ? [join(folder, name)] : []));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // The file is missing, or not executable.
  }
}

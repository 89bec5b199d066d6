import { printable } from '../../domain/printable.ts';

/**
 * What to do about a command that is not there and seems to hold its arguments as well, to be read
 * after that; empty: it is one name or one path.
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

import { lstatSync, statSync } from 'node:fs';
import { win32 } from 'node:path';
import { printable } from '../../../domain/printable.ts';
import { HumanError, sentence } from '../../../domain/sentence.ts';
import { notOnPath, programLack } from './startError.ts';

type WindowsVariables = Readonly<Record<string, string>>;

/** The command to run on Windows, and where to search for it. */
export interface WindowsStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: WindowsVariables;
}

/** The command for the system. `isVerbatim`: the arguments are quoted already. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly isVerbatim: boolean;
}

/** The longest line that `cmd.exe` takes. */
const longestLine = 8191;
const defaultExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * The command as Windows runs it when a person types it: found along `PATH` with the endings of
 * `PATHEXT`. A batch file runs through `cmd.exe`, as `npx` and most tools of npm do. The path is
 * whole, because the system would search the working directory first.
 *
 * @throws when the command is not found, or is a batch file that can't get these arguments.
 */
export function windowsCommand(
  { command, args, cwd, env }: WindowsStart,
  isFile: (path: string) => boolean = isProgramFile,
): WindowsCommand {
  const isPath = /[\\/:]/.test(command);
  const paths = isPath ? [win32.resolve(cwd, command)] : alongPath(command, env);
  const endings = endingsOf(command, env);
  const found = paths.flatMap(path => endings.map(ending => path + ending)).find(isFile);
  if (found === undefined) {
    const problem = isPath
      ? sentence('{0} does not exist', printable(paths[0] ?? ''))
      : notOnPath(command);
    throw programLack(command, problem, path => isFile(win32.resolve(cwd, path)));
  }
  return /\.(?:bat|cmd)$/i.test(found)
    ? { command: shellOf(env), args: shellArguments(found, args), isVerbatim: true }
    : { command: found, args, isVerbatim: false };
}

/** The places of a name along `PATH`. Skips the working directory, because anything may lie there. */
function alongPath(name: string, env: WindowsVariables): string[] {
  return (variable(env, 'PATH') ?? '')
    .split(';')
    .map(folder => folder.replaceAll('"', ''))
    .filter(folder => /^(?:[a-z]:|[\\/])[\\/]/i.test(folder))
    .map(folder => win32.resolve(folder, name));
}

/** The endings to try after a command, in this order. A command with an ending may work as it is. */
function endingsOf(command: string, env: WindowsVariables): readonly string[] {
  const known = (variable(env, 'PATHEXT') ?? defaultExtensions).split(';').filter(Boolean);
  const name = command.toLowerCase();
  if (known.some(ending => name.endsWith(ending.toLowerCase()))) {
    return [''];
  }
  return win32.extname(name) === '' ? known : [...known, ''];
}

function shellOf(env: WindowsVariables): string {
  return win32.join(variable(env, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', 'cmd.exe');
}

/**
 * The arguments of a batch file, as text that `cmd.exe` reads twice (CVE-2024-27980). Quotes them
 * as Rust's standard library does; `cross-spawn` protects `npx.cmd` only from the first reading.
 * Extensions are on (`/e`) because of the percent signs, delayed variables off (`/v`).
 */
function shellArguments(file: string, args: readonly string[]): string[] {
  const unsafe = [file, ...args].find(text => /[\0\r\n]/.test(text));
  if (unsafe !== undefined || /["%]/.test(file)) {
    throw new HumanError(impossible.characters, file);
  }
  const line = [`"${file}"`, ...args.map(quoted)].join(' ');
  if (line.length > longestLine) {
    throw new HumanError(impossible.length, file, String(longestLine));
  }
  return ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${line}"`];
}

const impossible = {
  characters: 'The batch file {0} must have no % or " in its name, and no line break in arguments.',
  length: '{0} is a batch file. Its command line must not be longer than {1} characters.',
};

/**
 * Always quotes, because then only `"` and `%` have a meaning. `"` is doubled. An empty variable
 * goes before `%`, so that `%` begins no other variable.
 */
function quoted(argument: string): string {
  const text = argument
    .replace(/(?<!\\)(\\*)"/g, '$1$1""')
    .replace(/(?<!\\)\\+$/, '$&$&')
    .replaceAll('%', '%%cd:~,%');
  return `"${text}"`;
}

function variable(env: WindowsVariables, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** Whether a path is a file, or a link that only the system can follow. */
function isProgramFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return isAlias(path);
  }
}

/** Aliases of apps from the store of Windows are links that can run, but can't be followed. */
function isAlias(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // The file is missing, or in a folder that can't be read.
  }
}

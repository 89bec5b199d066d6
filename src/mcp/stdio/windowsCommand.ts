import { win32 } from 'node:path';

type Variables = Readonly<Record<string, string>>;

/** What is to be run on Windows, and what that depends on. */
export interface WindowsStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
}

/** What is given to the system. `isVerbatim`: the arguments are quoted already. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly isVerbatim: boolean;
}

/** The longest line that `cmd.exe` takes. */
const longestLine = 8191;
const defaultExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * How Windows runs a command as a person would type it: found along `PATH` with the endings of
 * `PATHEXT`, and through `cmd.exe` if it is a batch file, as `npx` and most tools of npm are. What is
 * not found is left as it is, for the system to say so.
 *
 * @throws when it is a batch file and has arguments that none can be given.
 */
export function windowsCommand(
  { command, args, cwd, env }: WindowsStart,
  isFile: (path: string) => boolean,
): WindowsCommand {
  const found = candidates(command, cwd, env).find(isFile);
  return found && /\.(?:bat|cmd)$/i.test(found)
    ? { command: shellOf(env), args: shellArguments(found, args), isVerbatim: true }
    : { command: found ?? command, args, isVerbatim: false };
}

/** Not the working directory: it is a folder of the user's, and anything may lie there. */
function candidates(command: string, cwd: string, env: Variables): string[] {
  const extensions = (variable(env, 'PATHEXT') ?? defaultExtensions).split(';').filter(Boolean);
  const hasExtension = extensions.some(extension =>
    command.toLowerCase().endsWith(extension.toLowerCase()),
  );
  const endings = hasExtension ? [''] : extensions;
  const isPath = /[\\/:]/.test(command);
  const folders = isPath ? [cwd] : (variable(env, 'PATH') ?? '').split(';').filter(Boolean);
  return folders
    .map(folder => win32.resolve(cwd, folder.replaceAll('"', ''), command))
    .flatMap(path => endings.map(ending => path + ending));
}

function shellOf(env: Variables): string {
  return win32.join(variable(env, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', 'cmd.exe');
}

/**
 * A batch file gets its arguments as text that `cmd.exe` reads twice: CVE-2024-27980. This quotes
 * them as the standard library of Rust does; `cross-spawn` protects `npx.cmd` only from the first
 * reading. Extensions are on (`/e`) because of the percent signs, delayed variables off (`/v`).
 */
function shellArguments(file: string, args: readonly string[]): string[] {
  const unsafe = [file, ...args].find(text => /[\0\r\n]/.test(text));
  if (unsafe !== undefined || /["%]/.test(file)) {
    throw new Error(
      `${file} is a batch file: no line break, and in its name no % or ", is possible.`,
    );
  }
  const line = [`"${file}"`, ...args.map(quoted)].join(' ');
  if (line.length > longestLine) {
    throw new Error(`${file} is a batch file: its arguments are longer than ${longestLine}.`);
  }
  return ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${line}"`];
}

/**
 * Always in quotes, in which nothing but `"` and `%` has a meaning. The first is doubled; before the
 * second goes a variable that is empty, so that it begins no other one.
 */
function quoted(argument: string): string {
  const text = argument
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/\\+$/, '$&$&')
    .replaceAll('%', '%%cd:~,%');
  return `"${text}"`;
}

function variable(env: Variables, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

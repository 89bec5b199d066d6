import { isAbsolute, relative, resolve } from 'node:path';
import { fetchedWords } from './fetchingPrograms.ts';
import type { Launch } from './launch.ts';

/**
 * Whether what a launch runs comes with one of these folders, and may change with it: its program, a
 * script among its arguments, or what a tool such as `npm run` looks up in the folder it works in. As
 * far as the launch says it: the disk is not looked at.
 *
 * @param folders of the window, absolute; a launch that names no working directory works in the first.
 */
export function isWorkspaceProgram(launch: Launch, folders: readonly string[]): boolean {
  const [first] = folders;
  if (launch.type === 'http' || first === undefined) {
    return false;
  }
  const { command, args, cwd = '', env } = launch;
  const base = resolve(first, cwd);
  const isInside = (path: string) => folders.some(folder => isIn(folder, resolve(base, path)));
  const fetched = [...(fetchedWords(command, args) ?? [])].map(index => args[index] ?? '');
  return (
    (/[\\/]/.test(command) && isInside(command)) ||
    scriptsOf(command, args).some(isInside) ||
    fetched.some(word => /^(?:\.|[\\/]|[a-z]:[\\/])/i.test(word) && isInside(word)) ||
    (runsProject(command, args) && ['.', ...args.map(valueIn)].some(isInside)) ||
    Object.entries(env).some(
      ([name, value]) => loading.test(name) && folders.some(folder => value.includes(folder)),
    )
  );
}

/** Variables that say what is loaded besides a program, or where it is looked for. */
const loading =
  /^(?:PATH|(?:LD|DYLD)_\w+|NODE_(?:OPTIONS|PATH)|PYTHON(?:PATH|STARTUP|HOME)|RUBY(?:OPT|LIB)|PERL5(?:LIB|OPT)|JAVA_TOOL_OPTIONS|CLASSPATH|BASH_ENV|ENV)$/i;

/** Of `--option=value` the value. */
function valueIn(arg: string): string {
  return arg.replace(/^--?[\w-]+=/, '');
}

function isIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}

/** What an interpreter is given first, and whatever looks like a program. */
function scriptsOf(command: string, args: readonly string[]): string[] {
  const first = interpreters.has(nameOf(command))
    ? args.find(arg => !arg.startsWith('-'))
    : undefined;
  return [
    ...(first === undefined ? [] : [first]),
    ...args.map(valueIn).filter(arg => script.test(arg)),
  ];
}

const script = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|(?:ba|z|fi)?sh|ps1|jar|wasm|dll|exe|bat|cmd)$/i;
const interpreters: ReadonlySet<string> = new Set(
  'node nodejs bun deno tsx ts-node python python3 pypy ruby perl php lua java dotnet sh bash zsh fish pwsh powershell'.split(
    ' ',
  ),
);

/** Tools that run what is written down in the folder they work in, with the words that make them. */
const runners: ReadonlyMap<string, RegExp> = new Map([
  ...['npm', 'pnpm', 'yarn', 'bun', 'poetry', 'uv', 'cargo', 'go', 'dotnet'].map(
    name => [name, /^(?:run|run-script|start|test|exec)$/] as const,
  ),
  ['deno', /^task$/],
  ...['make', 'just', 'gradle', 'mvn'].map(name => [name, /^/] as const),
]);

function runsProject(command: string, args: readonly string[]): boolean {
  const words = runners.get(nameOf(command));
  return words !== undefined && (words.test('') || args.some(arg => words.test(arg)));
}

function nameOf(command: string): string {
  const [name = ''] = command.split(/[\\/]/).slice(-1);
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat)$|[\d.]{1,9}$/, '');
}

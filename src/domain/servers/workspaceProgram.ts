import { isAbsolute, relative, resolve } from 'node:path';
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
  const { command, args, cwd = '' } = launch;
  const base = resolve(first, cwd);
  const isInside = (path: string) => folders.some(folder => isIn(folder, resolve(base, path)));
  return (
    (/[\\/]/.test(command) && isInside(command)) ||
    scriptsOf(command, args).some(isInside) ||
    (runsProject(command, args) && isInside('.'))
  );
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
    ...args.map(arg => arg.replace(/^--?[\w-]+=/, '')).filter(arg => script.test(arg)),
  ];
}

const script = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|(?:ba|z|fi)?sh|ps1|jar|wasm|dll|exe|bat|cmd)$/i;
const interpreters: ReadonlySet<string> = new Set(
  'node bun deno tsx python python3 pypy ruby perl php lua java dotnet sh bash zsh fish pwsh powershell'.split(
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
  return (/[^\\/]*$/.exec(command)?.[0] ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
}

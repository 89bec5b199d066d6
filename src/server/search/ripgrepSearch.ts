import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { NamedPaths } from './candidates.ts';
import { maxFileSize } from './fileReader.ts';
import type { LineQuery } from './lineQuery.ts';
import { ripgrepEnvironment } from './ripgrep.ts';
import { rustPattern } from './rustPattern.ts';
import type { Territory } from './territory.ts';

/** What ripgrep is asked. */
export interface RipgrepQuestion {
  readonly program: string;
  readonly pattern: LineQuery['pattern'];
  readonly territory: Territory;
  /** What it may leave out, in its own syntax of globs. */
  readonly globs: readonly string[];
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly limit: number;
  /** How many files may match for the answer to be of use. */
  readonly maxPaths: number;
}

/**
 * The files in which ripgrep finds the pattern. They are a hint, and no more: ripgrep goes by paths, so that a link swapped in
 * leads it outside, and what it ignores or calls a match is decided by this server.
 *
 * `undefined` when that does not help: ripgrep failed, was too slow, does not know the pattern, or
 * finds it nearly everywhere, so that a walk comes to the wanted matches sooner.
 */
export async function askRipgrep(question: RipgrepQuestion): Promise<NamedPaths | undefined> {
  const child = start(question);
  if (!child?.stdout) {
    return undefined;
  }
  const closed = once(child, 'close').catch(() => []);
  const paths = await readPaths(child, child.stdout, question.maxPaths);
  const [code] = await closed;
  question.signal.throwIfAborted();
  // 0: something was found, 1: nothing was. With 2 there may be files that it could not read.
  return code === 0 || code === 1 ? paths : undefined;
}

function start({ program, territory, signal, limit, ...asked }: RipgrepQuestion) {
  const pattern = patternOptions(asked.pattern);
  const globs = [...asked.globs, '!.git'].map(glob => `--glob=${glob}`);
  const args = [...options, ...globs, ...(pattern ?? []), '--', '.'];
  const { tree, wanted } = territory;
  const started = (cwd: string) => {
    const child = spawn(program, args, {
      cwd,
      env: ripgrepEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      signal,
      timeout: limit,
      killSignal: 'SIGKILL',
    });
    // Its limits end with this process: one that waits at a pipe would stay.
    const end = () => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
    return child;
  };
  return pattern && tree.visit(wanted.folder, ({ at }) => started(at('.')));
}

/** Every file is to be searched, whatever ignore files say: those are for this server to read. */
const options: readonly string[] = [
  '--no-config',
  '--no-ignore',
  '--no-follow',
  '--no-messages',
  '--hidden',
  '--text',
  '--encoding=none',
  '--color=never',
  '--files-with-matches',
  '--null',
  `--max-filesize=${maxFileSize}`,
];

function patternOptions(pattern: LineQuery['pattern']): readonly string[] | undefined {
  if (pattern.kind === 'text') {
    return ['--case-sensitive', '--fixed-strings', `--regexp=${pattern.text}`];
  }
  const rust = rustPattern(pattern.source);
  const folding = pattern.flags.includes('i') ? '--ignore-case' : '--case-sensitive';
  return rust === undefined ? undefined : [folding, `--regexp=${rust}`];
}

async function readPaths(
  child: ChildProcess,
  output: Readable,
  maxPaths: number,
): Promise<NamedPaths | undefined> {
  const paths: string[] = [];
  let rest = '';
  for await (const chunk of output.setEncoding('utf8')) {
    const parts: string[] = (rest + chunk).split('\0');
    rest = parts.pop() ?? '';
    paths.push(...parts);
    if (paths.length > maxPaths) {
      child.kill('SIGKILL');
      return undefined;
    }
  }
  return paths.flatMap(namesIn);
}

/** `./a/b` as `a` and `b`. */
function namesIn(path: string): (readonly string[])[] {
  const [start, ...names] = path.split(process.platform === 'win32' ? '\\' : '/');
  const isBelow = start === '.' && names.length > 0 && !names.some(isNoName);
  return isBelow ? [names] : [];
}

function isNoName(name: string): boolean {
  return name === '' || name === '.' || name === '..';
}

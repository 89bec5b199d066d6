import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join, parse, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { expandBraces } from '../../domain/glob/braces.ts';
import { canonicalStart } from '../../domain/paths/pathInput.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { maxFileSize } from './fileReader.ts';
import type { LineQuery } from './lineSearch.ts';
import { rustPattern } from './rustPattern.ts';
import type { Place } from './searchFilter.ts';
import type { NamedPaths, Walk } from './walk.ts';

/** Where ripgrep may be looked for. */
export interface RipgrepPlaces {
  /** The path as it was given; `none` for not to use any; `undefined` for looking it up. */
  readonly given: string | undefined;
  /** The file that runs: ripgrep may be among the packages installed with it. */
  readonly script: string | undefined;
  /** As in the variable `PATH`. */
  readonly searchPath: string | undefined;
  readonly workingFolder: string;
}

/** The places for a server that was started with this path for ripgrep, or with none. */
export function ripgrepPlaces(given: string | undefined): RipgrepPlaces {
  return {
    given,
    script: process.argv[1],
    searchPath: process.env['PATH'],
    workingFolder: process.cwd(),
  };
}

/** The ripgrep that searches may use. It is looked for when it is first asked for. */
export class Ripgrep {
  private readonly places: RipgrepPlaces;
  private readonly patience: number;
  private found: { readonly path: string | undefined } | undefined;
  private known: Promise<boolean> | undefined;

  /** @param patience how long it may take to say what it is, in milliseconds. */
  constructor(places: RipgrepPlaces, patience = 5000) {
    this.places = places;
    this.patience = patience;
  }

  /**
   * The path of the program, or `undefined` when there is none to be trusted: what lies in a
   * root comes with the files to be searched, or was written by a client, and is never run.
   */
  async pathFor(scope: PathScope): Promise<string | undefined> {
    this.found ??= { path: findRipgrep(this.places) };
    const { path } = this.found;
    if (path === undefined || scope.findReal(canonicalStart(path, scope.platform))) {
      return undefined;
    }
    this.known ??= isRipgrep(path, this.patience);
    return (await this.known) ? path : undefined;
  }
}

function findRipgrep(places: RipgrepPlaces): string | undefined {
  const { given, workingFolder } = places;
  if (given !== undefined) {
    return given === 'none' ? undefined : programAt(resolve(workingFolder, given));
  }
  return packaged(places.script) ?? onSearchPath(places);
}

const fileName = process.platform === 'win32' ? 'rg.exe' : 'rg';

/** The one that `@vscode/ripgrep` brings, if that is installed. */
function packaged(script: string | undefined): string | undefined {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${fileName}`;
  try {
    return script === undefined ? undefined : programAt(createRequire(script).resolve(name));
  } catch {
    // It is an optional package, and this is how Node says that it is not there.
    return undefined;
  }
}

/** A working folder is often a project: what a project puts on the path is not trusted. */
function onSearchPath({ searchPath = '', workingFolder }: RipgrepPlaces): string | undefined {
  const cwd = realpathSync.native(workingFolder);
  const isTrusted = (path: string) => {
    const way = relative(cwd, path);
    return cwd === parse(cwd).root || way.startsWith('..') || isAbsolute(way);
  };
  return searchPath
    .split(delimiter)
    .filter(folder => isAbsolute(folder) && isTrusted(folder))
    .map(folder => programAt(join(folder, fileName)))
    .find(path => path !== undefined && isTrusted(path));
}

/** The real path of a program, if there is one. */
function programAt(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    // It is not there, or not to be run: the search does without.
    return undefined;
  }
}

/** Whether it says so itself: something else could take "nothing found" for an error of its own. */
function isRipgrep(path: string, timeout: number): Promise<boolean> {
  return new Promise(resolve => {
    const options = { timeout, env: ripgrepEnvironment(), windowsHide: true };
    execFile(path, ['--no-config', '--version'], options, (error, stdout) => {
      resolve(!error && /^ripgrep (?:1[3-9]|[2-9]\d)\./.test(stdout));
    });
  });
}

/** What ripgrep is given of the environment: nothing, but what Windows needs to start a program. */
function ripgrepEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}

/** What ripgrep is asked. */
interface RipgrepQuestion {
  readonly pattern: LineQuery['pattern'];
  /** Globs of which a file has to match one; empty for all files. */
  readonly include: readonly string[];
  /** In milliseconds. */
  readonly timeLimit: number;
  /** How many files may match for the answer to be of use. */
  readonly maxPaths: number;
}

/**
 * The files in which ripgrep finds the pattern. They are a hint, and no more: ripgrep goes by paths,
 * so that a link swapped in leads it outside, and this server decides what is ignored and what is a
 * match.
 *
 * `undefined` when that does not help: ripgrep failed, was too slow, does not know the pattern, or
 * finds it nearly everywhere, so that a walk comes to the wanted matches sooner.
 */
export async function askRipgrep(
  program: string,
  search: Walk,
  { pattern, include, timeLimit, maxPaths }: RipgrepQuestion,
  signal: AbortSignal,
): Promise<NamedPaths | undefined> {
  const patternArgs = patternOptions(pattern);
  if (!patternArgs) {
    return undefined;
  }
  const globs = [...ripgrepGlobs(include), ...(await globsAgainst(search)), '!.git'];
  const args = [...options, ...globs.map(glob => `--glob=${glob}`), ...patternArgs, '--', '.'];
  const { tree, wanted } = search.filter;
  const child = tree.visit(wanted.folder, ({ at }) =>
    start(program, args, { cwd: at('.'), signal, timeout: timeLimit }),
  );
  if (!child?.stdout) {
    return undefined;
  }
  const closed = once(child, 'close').catch(() => []);
  const paths = await readPaths(child, child.stdout, maxPaths);
  const [code] = await closed;
  signal.throwIfAborted();
  // 0: something was found, 1: nothing was. With 2 there may be files that it could not read.
  return code === 0 || code === 1 ? paths : undefined;
}

function start(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'signal' | 'timeout'>,
): ChildProcess {
  const child = spawn(program, args, {
    ...options,
    env: ripgrepEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    killSignal: 'SIGKILL',
  });
  // Its limits end with this process: one that waits at a pipe would stay.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  return child;
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

/**
 * The globs that keep ripgrep to the files that match `include`, as far as they mean the same to
 * it; otherwise none, so that it searches all. It may search more than is wanted, never less.
 */
export function ripgrepGlobs(include: readonly string[]): readonly string[] {
  const globs = include.flatMap(glob => expandBraces(glob, 100) ?? [glob]);
  return globs.every(isPlain) ? globs.flatMap(globAndBelow) : [];
}

/** Names of letters, digits, and a few characters without a meaning, with `*` and `**`. */
function isPlain(glob: string): boolean {
  return /^\/?(?:(?:\*\*|(?:\*?[\w.@+-])+\*?|\*)\/)*(?:\*\*|(?:\*?[\w.@+-])+\*?|\*)\/?$/.test(glob);
}

/** What a glob covers is all that lies in a folder that it matches. */
function globAndBelow(glob: string): readonly string[] {
  const path = glob.replace(/^\.\//, '').replace(/\/$/, '');
  const below = path.includes('/') ? `${path}/**` : `**/${path}/**`;
  return glob.endsWith('/') ? [below] : [path, below];
}

/**
 * The globs that keep ripgrep out of folders that are not wanted, most of all what is ignored and
 * large, like `node_modules`. Those near the searched folder are found in a moment; in what lies
 * deeper it may look in vain.
 */
async function globsAgainst({ filter, slice }: Walk): Promise<readonly string[]> {
  const unwanted: string[] = [];
  const ahead: Place[] = [filter.start()];
  const end = performance.now() + scoutingTime;
  for (let place = ahead.shift(); place && performance.now() < end; place = ahead.shift()) {
    const content = filter.tree.list(place.names);
    const { names, rules } = content ? filter.inside(place, content.marks) : place;
    for (const name of content?.folders ?? []) {
      const path = [...names, name];
      if (filter.wantsFolder(path, rules)) {
        ahead.push({ names: path, rules });
      } else {
        unwanted.push(path.slice(filter.wanted.folder.length).join('/'));
      }
    }
    if (slice.isSpent) {
      await slice.pause();
    }
  }
  return unwanted
    .filter(path => /^[\w.@+/-]+$/.test(path))
    .slice(0, maxUnwanted)
    .map(path => `!/${path}`);
}

/** In milliseconds. */
const scoutingTime = 5;
/** A command line has a limit. */
const maxUnwanted = 100;

import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join, parse, relative, resolve } from 'node:path';
import { canonicalStart } from '../../domain/paths/pathInput.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';

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
export function ripgrepEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}

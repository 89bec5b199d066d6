import { posix } from 'node:path';
import { LinkTrail, type SandboxDisk } from './sandboxDisk.ts';
import { isAtOrBelow, isOfSystem } from './systemPlaces.ts';

const { basename, dirname, isAbsolute, join, resolve } = posix;

/** A program as it is about to be started, on Linux or macOS. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a program needs besides the system's own files: what it *is*, not what it is told to work on. */
export interface ProgramNeeds {
  /** The program as it was found; `undefined`: there is none of that name. */
  readonly program: string | undefined;
  /** Files and folders that it reads, by their real paths, in order, none below another. */
  readonly paths: readonly string[];
  /** The links that lead there: where they are, and what they say. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * What a program needs: itself with the folder that it was installed to, the interpreter that its
 * `#!` line names, the package that a script belongs to, and the files of certificates and the search
 * paths that its environment names. A file that an argument names is no need: only the script that an
 * interpreter runs is.
 *
 * @param home the user's, which is never a need as a whole.
 */
export async function programNeeds(
  program: Program,
  home: string,
  disk: SandboxDisk,
): Promise<ProgramNeeds> {
  const search = new NeedsSearch(home, disk);
  const found = await search.addCommand(program);
  await search.addNamed(program.env);
  return { program: found, paths: outermost([...search.paths]), links: search.trail.links };
}

class NeedsSearch {
  readonly paths = new Set<string>();
  readonly trail: LinkTrail;
  private readonly home: string;
  private readonly disk: SandboxDisk;
  /** Programs that were looked at: a script may name one that leads back to it. */
  private readonly seen = new Set<string>();

  constructor(home: string, disk: SandboxDisk) {
    this.home = home;
    this.disk = disk;
    this.trail = new LinkTrail(disk);
  }

  /** Adds what a command with its arguments needs, and answers where the command was found. */
  async addCommand({ command, args, cwd, env }: Program): Promise<string | undefined> {
    const program = await this.find(command, cwd, env);
    if (program === undefined || this.seen.has(program)) {
      return program;
    }
    this.seen.add(program);
    await this.addProgram(program, cwd, env);
    const next = wrapped(basename(program), args);
    if (next) {
      await this.addCommand({ ...next, cwd, env });
    } else if (interpreters.test(basename(program))) {
      const script = await this.firstFile(args, cwd);
      if (script !== undefined) {
        await this.addScript(script);
      }
    } else if (projectRunners.test(basename(program))) {
      await this.addScript(resolve(cwd, projectFolder(args) ?? '.', 'package'));
    }
    return program;
  }

  async addNamed(env: Readonly<Record<string, string>>): Promise<void> {
    const named = Object.entries(env).flatMap(([name, value]) =>
      filesInEnv.test(name) ? [value] : searchPaths.test(name) ? value.split(':') : [],
    );
    for (const path of named.filter(isAbsolute)) {
      await this.add(path);
    }
  }

  /** As the system finds it: by its path, or in the folders of `PATH`. */
  private async find(
    command: string,
    cwd: string,
    env: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const places = command.includes('/')
      ? [resolve(cwd, command)]
      : (env['PATH'] ?? '').split(':').map(folder => resolve(cwd, folder, command));
    for (const place of places) {
      if ((await this.disk.kindOf(place)) === 'file') {
        return place;
      }
    }
    return undefined;
  }

  private async addProgram(
    path: string,
    cwd: string,
    env: Readonly<Record<string, string>>,
  ): Promise<void> {
    const steps = await this.trail.steps(path);
    for (const step of steps) {
      const manager = managerOf(step);
      if (manager !== undefined) {
        await this.addManager(manager);
      } else if (!isOfSystem(step)) {
        await this.addInstalled(step);
      }
    }
    const real = steps.at(-1);
    const line = real === undefined ? undefined : await this.disk.firstLine(real);
    const interpreter = line === undefined ? undefined : interpreterOf(line);
    if (real !== undefined && interpreter) {
      await this.addCommand({ ...interpreter, args: interpreter.args, cwd, env });
      await this.addScript(real);
    }
  }

  /** A program outside the system's folders: with all that was installed with it, as far as that shows. */
  private async addInstalled(path: string): Promise<void> {
    const folder = dirname(path);
    const prefix = dirname(folder);
    if (await this.isThere(join(prefix, 'pyvenv.cfg'))) {
      await this.add(prefix);
    } else if (basename(folder) === 'bin' && (await this.isThere(join(prefix, 'lib')))) {
      await this.add(this.isWide(prefix) ? path : prefix);
    } else if (await this.isThere(join(folder, 'icudtl.dat'))) {
      // An editor built on Electron has its libraries beside it.
      await this.add(folder);
    } else {
      await this.add(path);
    }
  }

  private async addManager(root: string): Promise<void> {
    await this.add(root);
    for (const name of managerFiles) {
      await this.addIfThere(join(this.home, name));
    }
  }

  /** A script: with the package it belongs to, and the packages that it can find from there. */
  private async addScript(path: string): Promise<void> {
    const real = (await this.trail.realPath(path)) ?? path;
    if (isOfSystem(real)) {
      return;
    }
    const above = foldersAbove(real).filter(folder => !this.isWide(folder));
    const modules = above.filter(folder => basename(folder) === 'node_modules').at(-1);
    if (modules !== undefined) {
      await this.add(modules);
      return;
    }
    await this.add((await this.packageOf(above)) ?? real);
    for (const folder of above) {
      await this.addIfThere(join(folder, 'node_modules'));
    }
  }

  private async packageOf(folders: readonly string[]): Promise<string | undefined> {
    for (const folder of folders) {
      for (const name of packageFiles) {
        if (await this.isThere(join(folder, name))) {
          return folder;
        }
      }
    }
    return undefined;
  }

  private async firstFile(args: readonly string[], cwd: string): Promise<string | undefined> {
    for (const arg of args.filter(arg => !arg.startsWith('-'))) {
      const path = resolve(cwd, arg);
      if ((await this.disk.kindOf(path)) !== undefined) {
        return path;
      }
    }
    return undefined;
  }

  private async addIfThere(path: string): Promise<void> {
    if (await this.isThere(path)) {
      await this.add(path);
    }
  }

  private async add(path: string): Promise<void> {
    const real = await this.trail.realPath(path);
    if (real !== undefined && !isOfSystem(real) && !this.isWide(real)) {
      this.paths.add(real);
    }
  }

  private async isThere(path: string): Promise<boolean> {
    return (await this.disk.kindOf(path)) !== undefined;
  }

  /** Whether a folder holds far more than one program: that is never a need. */
  private isWide(folder: string): boolean {
    return (
      isAtOrBelow(this.home, folder) || shared.has(folder) || folder === join(this.home, '.local')
    );
  }
}

/** Folders of many programs: one that lies there brings nothing but itself. */
const shared: ReadonlySet<string> = new Set([
  '/',
  '/home',
  '/mnt',
  '/media',
  '/opt',
  '/srv',
  '/tmp',
  '/var',
  '/run',
]);

/** Files by which a folder is known as one package. */
const packageFiles = ['package.json', 'pyproject.toml', 'pyvenv.cfg', 'deno.json'];

const interpreters =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua|(?:ba|da|z|fi|k)?sh)$/;
const projectRunners = /^(?:npm|pnpm|yarn|uv|poetry)$/;

/** Variables that name a file, and those that name folders in which programs look for what they load. */
const filesInEnv =
  /^(?:CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|SSL_CERT_(?:DIR|FILE))$/;
const searchPaths = /^(?:PYTHONPATH|NODE_PATH|LD_LIBRARY_PATH)$/;

/**
 * The managers of versions whose programs are shims: what a shim runs is found out when it runs, by
 * files of the manager. Their folders hold programs only, so all of it is needed.
 */
const managers =
  /^(.*\/(?:\.pyenv|\.rbenv|\.nodenv|\.goenv|\.asdf|\.volta|\.nvm|\.sdkman|\.bun|\.linuxbrew|mise|fnm))\/(?:shims|bin|tools|installs|versions|node-versions|Cellar|opt|candidates)\//;
/** In the user's home: which versions are chosen. */
const managerFiles = [
  '.tool-versions',
  '.asdfrc',
  '.config/mise',
  '.local/state/mise/trusted-configs',
];

function managerOf(path: string): string | undefined {
  return managers.exec(path)?.[1];
}

/** A program that runs another one, which its arguments name. */
function wrapped(
  name: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[] } | undefined {
  const at = name === 'env' ? args.findIndex(arg => !/^-|=/.test(arg)) : -1;
  const command = args[at];
  return command === undefined ? undefined : { command, args: args.slice(at + 1) };
}

/** What stands after `#!`, also behind `env`; `undefined`: the file is no script. */
function interpreterOf(line: string): { command: string; args: readonly string[] } | undefined {
  const words =
    /^#!\s*(.*)$/
      .exec(line)?.[1]
      ?.split(/\s+/)
      .filter(word => word !== '') ?? [];
  const [command, ...args] = words;
  return command === undefined ? undefined : { command, args };
}

function projectFolder(args: readonly string[]): string | undefined {
  const at = args.findIndex(arg => /^(?:--directory|--project|--prefix|-C|--cwd)$/.test(arg));
  const joined = args.find(arg => /^--(?:directory|project|prefix|cwd)=/.test(arg));
  return at >= 0 ? args[at + 1] : joined?.slice(joined.indexOf('=') + 1);
}

/** The folders that hold a path, the innermost first. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/** The paths that lie below no other of them, in order. */
function outermost(paths: readonly string[]): string[] {
  return paths
    .filter(path => !paths.some(other => other !== path && isAtOrBelow(path, other)))
    .sort();
}

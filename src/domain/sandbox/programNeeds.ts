import { posix } from 'node:path';
import { codeArguments } from './codeArguments.ts';
import { LinkTrail, type SandboxDisk } from './sandboxDisk.ts';
import { foldersAbove, isAtOrBelow, isOfSystem } from './systemPlaces.ts';

const { basename, dirname, isAbsolute, join, resolve } = posix;

/** A program as it is about to be started, on Linux. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The variables of it that the user has for every program. Certificates that they name are needed. */
  readonly ownEnv: Readonly<Record<string, string>>;
}

/** Files that a program needs besides the system's own: what it *is*, not what it is told to work on. */
export interface ProgramNeeds {
  /** The program as it was found; `undefined`: there is none of that name. */
  readonly program: string | undefined;
  /** Files and folders that it reads, by their real paths, in order, none below another. */
  readonly paths: readonly string[];
  /** The links that lead there: where they are, and what they say. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * The files that a program needs: itself with the folder that it was installed to, the interpreter that its
 * `#!` line names, the package that a script belongs to, and the certificates that its environment names.
 * A file that an argument names is no need: only the code that an interpreter is told to run is.
 *
 * @param home the user's, which is never a need as a whole.
 * @param shared what is shown anyway, by real paths. A server may write there, so a file there must not
 * choose what else is shown: nothing outside is needed because of it, but the interpreters and packages
 * that it would find.
 */
export async function programNeeds(
  program: Program,
  home: string,
  disk: SandboxDisk,
  shared: readonly string[],
): Promise<ProgramNeeds> {
  const { command, args, cwd } = program;
  const homes = [home, (await new LinkTrail(disk).realPath(home)) ?? home];
  const search = new NeedsSearch(program, homes, disk, shared);
  const found = await search.addCommand([command, ...args], cwd, search.path);
  await search.addNamed();
  return { program: found, paths: outermost([...search.paths]), links: search.trail.links };
}

class NeedsSearch {
  readonly path: string;
  readonly paths = new Set<string>();
  readonly trail: LinkTrail;
  private readonly start: Pick<Program, 'cwd' | 'env' | 'ownEnv'>;
  /** The home as it is named, and its real path. */
  private readonly homes: readonly string[];
  private readonly disk: SandboxDisk;
  private readonly shared: readonly string[];
  /** Programs that were looked at: a script may name one that leads back to it. */
  private readonly seen = new Set<string>();

  constructor(
    start: Pick<Program, 'cwd' | 'env' | 'ownEnv'>,
    homes: readonly string[],
    disk: SandboxDisk,
    shared: readonly string[],
  ) {
    this.path = start.env['PATH'] ?? '';
    this.start = start;
    this.homes = homes;
    this.disk = disk;
    this.shared = shared;
    this.trail = new LinkTrail(disk, { folders: shared, reachable: shared });
  }

  /** Adds what a command with its arguments needs, and answers where the command was found. */
  async addCommand(
    [command = '', ...args]: readonly string[],
    cwd: string,
    path: string,
  ): Promise<string | undefined> {
    const program = await this.find(command, cwd, path);
    if (program !== undefined) {
      await this.addProgram(program);
    }
    // Electron is Node where its environment says so, whatever the editor is called.
    const other = this.start.env['ELECTRON_RUN_AS_NODE'] === undefined ? '' : 'node';
    const code = codeArguments(basename(command), args) ?? codeArguments(other, args);
    const folder = resolve(cwd, code?.project ?? '.');
    if (code?.project !== undefined) {
      await this.addProject(folder);
    }
    for (const script of code?.scripts ?? []) {
      await this.addScript(resolve(folder, script));
    }
    if (code?.command?.length) {
      const venv = code.project === undefined ? '' : `${join(folder, '.venv/bin')}:`;
      await this.addCommand(code.command, folder, venv + path);
    }
    return program;
  }

  async addNamed(): Promise<void> {
    const { ownEnv } = this.start;
    const folders = (ownEnv['SSL_CERT_DIR'] ?? '').split(':');
    for (const path of [...certificatesIn(ownEnv), ...folders].filter(isAbsolute)) {
      await this.add(path);
    }
  }

  /** Finds a program as the system does: by its path, or in the folders of `PATH`. */
  private async find(command: string, cwd: string, path: string): Promise<string | undefined> {
    const places = command.includes('/')
      ? [resolve(cwd, command)]
      : path.split(':').map(folder => resolve(cwd, folder, command));
    for (const place of places) {
      if ((await this.disk.kindOf(place)) === 'file') {
        return place;
      }
    }
    return undefined;
  }

  private async addProgram(path: string): Promise<void> {
    if (this.seen.has(path)) {
      return;
    }
    this.seen.add(path);
    const steps = await this.trail.steps(path);
    const real = steps.at(-1);
    if (real === undefined) {
      return;
    }
    for (const step of steps.filter(one => !this.isShared(one))) {
      await this.addInstalled(step, real);
    }
    if (isOfSystem(path) && /^python/.test(basename(path))) {
      for (const packages of userPackages) {
        await this.add(join(this.homes[0] ?? '', packages));
      }
    }
    const interpreters = interpretersOf((await this.disk.firstLine(real)) ?? '');
    for (const interpreter of interpreters) {
      if (!this.isShared(real) || this.mayBeNamed(interpreter)) {
        await this.addByName(interpreter);
      }
    }
    if (interpreters.length > 0) {
      await this.addScript(real);
    }
  }

  private async addByName(name: string): Promise<void> {
    const program = await this.find(name, this.start.cwd, this.path);
    if (program !== undefined) {
      await this.addProgram(program);
    }
  }

  /**
   * A program outside the system's folders, with all that was installed with it, as far as that shows.
   *
   * @param path the program itself, or a link on the way to it.
   */
  private async addInstalled(path: string, real: string): Promise<void> {
    const [, manager, managerName] = shims.exec(path) ?? [];
    const folder = dirname(path);
    const prefix = dirname(folder);
    const hasPrefix = basename(folder) === 'bin' && !this.isWide(prefix);
    const homebrew =
      /^(.*)\/Cellar\//.exec(path)?.[1] ??
      ((await this.isThere(join(prefix, 'Cellar'))) ? prefix : undefined);
    if (manager !== undefined && managerName !== undefined) {
      await this.add(manager);
      await this.addByName(managerName);
      for (const name of managerFiles[managerName] ?? []) {
        await this.add(join(this.homes[0] ?? '', name));
      }
    } else if (homebrew !== undefined) {
      for (const part of homebrewParts) {
        await this.add(join(homebrew, part));
      }
    } else if (hasPrefix && (await this.isThere(join(prefix, 'pyvenv.cfg')))) {
      await this.add(prefix);
      await this.addProgram(join(folder, 'python'));
    } else if (
      hasPrefix &&
      isAtOrBelow(real, prefix) &&
      (await this.isThere(join(prefix, 'lib')))
    ) {
      await this.add(prefix);
    } else if (await this.isThere(join(folder, 'icudtl.dat'))) {
      // An editor built on Electron has its libraries beside it.
      await this.add(this.isWide(folder) ? path : folder);
    } else {
      await this.add(path);
    }
  }

  /**
   * The package in which a tool such as npm or uv works, with its environment of Python. It is not looked
   * for above: the folder may be an allowed one that lies in something larger.
   */
  private async addProject(folder: string): Promise<void> {
    const real = await this.trail.realPath(folder);
    if (
      real !== undefined &&
      (this.isShared(real) || (await this.packageOf(this.narrow([real]))) !== undefined)
    ) {
      await this.add(real);
      await this.addModules(this.narrow(foldersAbove(real)));
      await this.addProgram(join(real, '.venv/bin/python'));
    }
  }

  /** A script: with the package it belongs to, and the packages that it can find from there. */
  private async addScript(path: string): Promise<void> {
    const real = await this.trail.realPath(path);
    const kind = real === undefined ? undefined : await this.disk.kindOf(real);
    if (real === undefined || kind === undefined || isOfSystem(real)) {
      return;
    }
    const above = this.narrow([...(kind === 'folder' ? [real] : []), ...foldersAbove(real)]);
    // The packages of pnpm lie side by side in `.pnpm`.
    const modules = above.filter(folder => /^(?:node_modules|\.pnpm)$/.test(basename(folder)));
    const outer = modules.at(-1);
    if (outer === undefined) {
      if (!this.isShared(real)) {
        await this.add((await this.packageOf(above)) ?? real);
      }
      await this.addModules(above);
    } else {
      await this.add(outer);
      // pnpm puts a script for the shell there, which names no path of Node.
      await this.addByName('node');
    }
  }

  /** Adds the packages that Node finds from a folder. A link to what is called otherwise is none. */
  private async addModules(above: readonly string[]): Promise<void> {
    for (const folder of above) {
      const real = await this.trail.realPath(join(folder, 'node_modules'));
      if (real !== undefined && basename(real) === 'node_modules') {
        await this.add(real);
      }
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

  private async add(path: string): Promise<void> {
    const real = await this.trail.realPath(path);
    if (
      real !== undefined &&
      !isOfSystem(real) &&
      !this.isShared(real) &&
      !this.isWide(real) &&
      (await this.isThere(real))
    ) {
      this.paths.add(real);
    }
  }

  /** Whether a file in a shared place may name this interpreter, which is then no file of the user's. */
  private mayBeNamed(interpreter: string): boolean {
    const path = resolve('/', interpreter);
    return interpreter.includes('/')
      ? isOfSystem(path) || this.isShared(path)
      : codeArguments(interpreter, []) !== undefined;
  }

  private isShared(path: string): boolean {
    return this.shared.some(folder => isAtOrBelow(path, folder));
  }

  private async isThere(path: string): Promise<boolean> {
    return (await this.disk.kindOf(path)) !== undefined;
  }

  private narrow(folders: readonly string[]): string[] {
    return folders.filter(folder => !this.isWide(folder));
  }

  /** Whether a folder holds far more than one program: that is never a need. */
  private isWide(folder: string): boolean {
    return (
      wideFolders.test(folder) ||
      this.homes.some(
        home => isAtOrBelow(home, folder) || wideInHome.some(name => folder === join(home, name)),
      )
    );
  }
}

/** Folders of many programs, homes or disks: one that lies there brings nothing but itself. */
const wideFolders =
  /^\/(?:(?:Applications|Library|System|Users|Volumes|dev|etc|home|media|mnt|opt|private|proc|root|run|snap|srv|sys|tmp|usr|var)?|(?:Users|Volumes|home|media|mnt|private|run|run\/media|run\/user|var\/home)\/[^/]+|(?:private\/)?var\/(?:[^/]+|folders(?:\/[^/]+){1,3}))$/;

/** In the user's home: anything may come to lie there. */
const wideInHome = [
  ...['.cache', '.config', '.local', '.local/share', '.local/state', 'Desktop', 'Documents'],
  ...['Downloads', 'Library', 'Library/Application Support', 'Library/Caches', 'bin'],
];

/** Files by which a folder is known as one package. */
const packageFiles = ['package.json', 'pyproject.toml', 'pyvenv.cfg', 'deno.json'];

/** In the user's home: packages that the system's Python finds, of `pip install --user`. */
const userPackages = ['.local/lib', 'Library/Python'];

export function certificatesIn(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (certificates.test(name) ? [value] : []));
}

const certificates = /^(?:CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|SSL_CERT_FILE)$/;

/**
 * The managers of versions whose programs are shims: what a shim runs is found out when it runs, by
 * files of the manager. Their folders hold programs only, so all of it is needed.
 */
const shims = /^(.*\/\.?(asdf|goenv|mise|nodenv|pyenv|rbenv|volta))\/(?:bin|shims)\//;
/** In the user's home: which versions are chosen. */
const managerFiles: Readonly<Record<string, readonly string[]>> = {
  asdf: ['.tool-versions', '.asdfrc'],
  mise: ['.tool-versions', '.config/mise', '.local/state/mise/trusted-configs'],
};

/** The needed folders of Homebrew's prefix. Beside them, `var` holds databases, and `etc` settings. */
const homebrewParts = [
  ...['Cellar', 'bin', 'lib', 'opt', 'share'],
  ...['etc/ca-certificates', 'etc/openssl@3'],
];

/** The programs that a `#!` line names: behind `env`, the one that it runs, too. */
function interpretersOf(line: string): string[] {
  const [first, ...args] = (/^#!(.*)$/.exec(line)?.[1] ?? '').split(/\s+/).filter(Boolean);
  const behind = codeArguments(basename(first ?? ''), args)?.command;
  return [first, behind?.[0]].filter(name => name !== undefined);
}

/** The paths that lie below no other of them, in order. */
function outermost(paths: readonly string[]): string[] {
  return paths
    .filter(path => !paths.some(other => other !== path && isAtOrBelow(path, other)))
    .sort();
}

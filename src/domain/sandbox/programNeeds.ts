import { posix } from 'node:path';
import { codeArguments } from './codeArguments.ts';
import { LinkTrail, type SandboxDisk } from './sandboxDisk.ts';
import { foldersAbove, isAtOrBelow, isInOne, isOfSystem, outermost } from './systemPlaces.ts';

const { basename, dirname, isAbsolute, join, resolve } = posix;

/** A program before its start on Linux. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The variables that the user has for every program. Certificates named there are needed. */
  readonly ownEnv: Readonly<Record<string, string>>;
}

/** Files that a program needs besides the system's: its own parts, not the data it works on. */
export interface ProgramNeeds {
  /** The program's path; `undefined` when no program has this name. */
  readonly program: string | undefined;
  /** The real paths of files and folders that it reads, sorted, none below another. */
  readonly paths: readonly string[];
  /** The links on the way to these paths: each link's path and its text. */
  readonly links: ReadonlyMap<string, string>;
}

/**
 * Returns the files that a program needs: itself with its folder of installation, the interpreter
 * in its `#!` line, the package of a script, and the certificates in its environment. A file named
 * in an argument is not needed, unless it is the code for an interpreter.
 *
 * @param home the user's home, which is never needed as a whole.
 * @param shared the real paths of folders that are shown anyway. A server may write in them. So
 * their files decide little: they only add interpreters, and packages where a script finds them.
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
  /** The home as named, and its real path. */
  private readonly homes: readonly string[];
  private readonly disk: SandboxDisk;
  private readonly shared: readonly string[];
  /** The programs searched so far: a script may name a program that leads back to it. */
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

  /** Adds the needs of a command with its arguments, and returns the command's path. */
  async addCommand(
    [command = '', ...args]: readonly string[],
    cwd: string,
    path: string,
  ): Promise<string | undefined> {
    const program = await this.find(command, cwd, path);
    if (program !== undefined) {
      await this.addProgram(program);
    }
    // Electron acts as Node if its environment says so, whatever the editor is called.
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
      // The packages of `pip install --user`.
      await this.add(join(this.homes[0] ?? '', '.local/lib'));
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
   * Adds a program outside the system's folders, with all that was visibly installed with it.
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
      // An editor built on Electron has its libraries in the same folder.
      await this.add(this.isWide(folder) ? path : folder);
    } else {
      await this.add(path);
    }
  }

  /**
   * Adds the project folder of a tool such as npm or uv, with its Python environment. Does not
   * search the folders above for a project, because an allowed folder may lie in a larger one.
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

  /** Adds a script, its own package, and the packages that it can find from there. */
  private async addScript(path: string): Promise<void> {
    const real = await this.trail.realPath(path);
    const kind = real === undefined ? undefined : await this.disk.kindOf(real);
    if (real === undefined || kind === undefined || isOfSystem(real)) {
      return;
    }
    const above = this.narrow([...(kind === 'folder' ? [real] : []), ...foldersAbove(real)]);
    // pnpm keeps its packages side by side in `.pnpm`.
    const modules = above.filter(folder => /^(?:node_modules|\.pnpm)$/.test(basename(folder)));
    const outer = modules.at(-1);
    if (outer === undefined) {
      if (!this.isShared(real)) {
        await this.add((await this.packageOf(above)) ?? real);
      }
      await this.addModules(above);
    } else {
      await this.add(outer);
      // In `node_modules`, pnpm puts a shell script that starts Node by its bare name.
      await this.addByName('node');
    }
  }

  /** Adds each folder's `node_modules`, unless it is a link to a folder of another name. */
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

  /** Whether a file in a shared folder may add this interpreter. It must not add a private file. */
  private mayBeNamed(interpreter: string): boolean {
    const path = resolve('/', interpreter);
    return interpreter.includes('/')
      ? isOfSystem(path) || this.isShared(path)
      : codeArguments(interpreter, []) !== undefined;
  }

  private isShared(path: string): boolean {
    return isInOne(path, this.shared);
  }

  private async isThere(path: string): Promise<boolean> {
    return (await this.disk.kindOf(path)) !== undefined;
  }

  private narrow(folders: readonly string[]): string[] {
    return folders.filter(folder => !this.isWide(folder));
  }

  /** Whether a folder holds far more than one program, so that it is never needed as a whole. */
  private isWide(folder: string): boolean {
    return (
      wideFolders.test(folder) ||
      this.homes.some(
        home => isAtOrBelow(home, folder) || wideInHome.some(name => folder === join(home, name)),
      )
    );
  }
}

/** Folders of many programs, homes or disks. A program there needs nothing of them but itself. */
const wideFolders =
  /^\/(?:(?:dev|etc|home|media|mnt|opt|proc|root|run|snap|srv|sys|tmp|usr|var)?|(?:home|media|mnt|run|run\/media|run\/user|var|var\/home)\/[^/]+)$/;

/** Folders in the user's home that may come to hold anything. */
const wideInHome = [
  ...['.cache', '.config', '.local', '.local/share', '.local/state', 'Desktop', 'Documents'],
  ...['Downloads', 'bin'],
];

/** Files that mark a folder as one package. */
const packageFiles = ['package.json', 'pyproject.toml', 'pyvenv.cfg', 'deno.json'];

export function certificatesIn(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (certificates.test(name) ? [value] : []));
}

const certificates = /^(?:CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|SSL_CERT_FILE)$/;

/**
 * Version managers. When one of their shims runs, the manager's files decide which program starts.
 * The managers' folders hold nothing but programs, so all of them are needed.
 */
const shims = /^(.*\/\.?(asdf|goenv|mise|nodenv|pyenv|rbenv|volta))\/(?:bin|shims)\//;
/** Files in the user's home that choose the versions of programs, by manager. */
const managerFiles: Readonly<Record<string, readonly string[]>> = {
  asdf: ['.tool-versions', '.asdfrc'],
  mise: ['.tool-versions', '.config/mise', '.local/state/mise/trusted-configs'],
};

/** The needed folders in Homebrew's prefix, without its databases (`var`) and settings (`etc`). */
const homebrewParts = [
  ...['Cellar', 'bin', 'lib', 'opt', 'share'],
  ...['etc/ca-certificates', 'etc/openssl@3'],
];

/** The programs in a `#!` line: the first, and the program that `env` runs. */
function interpretersOf(line: string): string[] {
  const [first, ...args] = (/^#!(.*)$/.exec(line)?.[1] ?? '').split(/\s+/).filter(Boolean);
  const behind = codeArguments(basename(first ?? ''), args)?.command;
  return [first, behind?.[0]].filter(name => name !== undefined);
}

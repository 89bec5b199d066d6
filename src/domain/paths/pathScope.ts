import { asciiLower, parsePath } from './pathInput.ts';
import type { PathOutcome, PathPlatform } from './pathNames.ts';
import { isFileUri } from './pathUri.ts';

/** A folder that may be worked in, under both of its paths. Both are normalised and absolute. */
export interface ScopeRoot {
  /** What people call it. Several roots may share a name. */
  readonly name?: string;
  /** The path as the client or the options name it, its links not resolved. */
  readonly announced: string;
  /** The path as the disk spells it, every link resolved. */
  readonly real: string;
  /** Whether its file system takes `A` and `a` for one letter. */
  readonly foldsCase: boolean;
}

/**
 * Which paths lie in a set of roots. Built once for each change of the roots; the time of an
 * answer depends on the depth of the path, not on the number of roots. Without roots, no path is
 * inside.
 */
export class PathScope<R extends ScopeRoot = ScopeRoot> {
  readonly roots: readonly R[];
  readonly platform: PathPlatform;
  private readonly named: RootsByPath<R>;
  private readonly folded: RootsByPath<R>;
  private readonly real: RootsByPath<R>;

  constructor(roots: readonly R[], platform: PathPlatform) {
    this.roots = roots;
    this.platform = platform;
    const separator = platform === 'win32' ? '\\' : '/';
    // macOS keeps a name as it was made, but finds it in any Unicode form.
    const named = (name: string) => (platform === 'darwin' ? name.normalize('NFC') : name);
    this.named = new RootsByPath(separator, named);
    this.folded = new RootsByPath(separator, name => asciiLower(named(name)));
    this.real = new RootsByPath(separator, name => name);
    for (const root of roots) {
      const tree = root.foldsCase ? this.folded : this.named;
      tree.add(root.announced, root);
      tree.add(root.real, root);
      this.real.add(root.real, root);
    }
  }

  /** Where relative paths start: the first root, or `undefined` when there is none. */
  get base(): string | undefined {
    return this.roots[0]?.announced;
  }

  /**
   * Reads what a client gave as a path: what `parsePath` takes, with relative paths starting in
   * the first root, and `name:path`, which starts in the root of that name.
   */
  parse(input: unknown): PathOutcome {
    const [named, rival] = this.rootsNamedBy(input);
    if (typeof input !== 'string' || named?.name === undefined) {
      return parsePath(input, this.platform, this.base);
    }
    if (rival) {
      return { ok: false, reason: 'Several shared folders have that name: write the whole path.' };
    }
    const rest = input.slice(named.name.length + 1);
    // Behind a name everything is relative: it is no drive, no scheme and no home folder there.
    return parsePath(`./${rest}`, this.platform, named.announced);
  }

  /**
   * The root that `path`, as written, lies in; `undefined` means that it must not be touched.
   * A link may still lead out of it, so this allows to look, not to open.
   */
  find(path: string): R | undefined {
    return this.guarded(path, this.named.find(path) ?? this.folded.find(path));
  }

  /** Every root that `path`, as written, lies in: one root may be a folder of another. */
  findAll(path: string): readonly R[] {
    const found = [...this.named.findAll(path), ...this.folded.findAll(path)];
    return found.filter(root => this.guarded(path, root));
  }

  /** The root that a path lies in whose links are resolved, compared letter by letter. */
  findReal(path: string): R | undefined {
    return this.guarded(path, this.real.find(path));
  }

  /** The roots with the longest name that stands, with a colon, before a relative path. */
  private rootsNamedBy(input: unknown): readonly R[] {
    if (typeof input !== 'string' || !input.includes(':') || isFileUri(input)) {
      return [];
    }
    // One letter is a drive on Windows, and a separator after the colon makes it a URI.
    const fits = ({ name = '' }: R) =>
      name.length >= (this.platform === 'win32' ? 2 : 1) &&
      input.startsWith(`${name}:`) &&
      !/^[/\\]/.test(input.slice(name.length + 1));
    const found = this.roots.filter(fits);
    const longest = Math.max(...found.map(({ name = '' }) => name.length));
    return found.filter(({ name = '' }) => name.length === longest);
  }

  // Through `/proc` and `/dev` every file can be reached (`/proc/self/root`, `/dev/fd/0`), and so
  // can the server's own secrets (`/proc/self/environ`). A root above them does not include them.
  private guarded(path: string, root: R | undefined): R | undefined {
    const folder = root && this.platform !== 'win32' ? processFolderOf(path) : undefined;
    if (folder === undefined) {
      return root;
    }
    const isWithin = [root?.announced, root?.real].some(
      name => name && processFolderOf(name) === folder,
    );
    return isWithin ? root : undefined;
  }
}

/** Which of the two folders a path is or lies in, if either. */
function processFolderOf(path: string): string | undefined {
  return /^\/(?:proc|dev)(?=\/|$)/.exec(path)?.[0];
}

/** Roots by their whole paths, so that `/ws/app` never matches `/ws/app_evil`. */
class RootsByPath<R> {
  private readonly roots = new Map<string, R>();
  /** How long the paths are, at least and at most: only such parts of a path are looked up. */
  private shortest = 0;
  private longest = -1;
  private readonly separator: string;
  private readonly keyOf: (path: string) => string;

  constructor(separator: string, keyOf: (path: string) => string) {
    this.separator = separator;
    this.keyOf = keyOf;
  }

  /** Of several roots with one path, the first counts. */
  add(path: string, root: R): void {
    const key = this.keyOf(path.endsWith(this.separator) ? path.slice(0, -1) : path);
    const { length } = key;
    this.shortest = this.roots.size === 0 ? length : Math.min(this.shortest, length);
    this.longest = Math.max(this.longest, length);
    this.roots.set(key, this.roots.get(key) ?? root);
  }

  /** The deepest root that holds `path`. */
  find(path: string): R | undefined {
    if (this.roots.size === 0) {
      return undefined;
    }
    const key = this.keyOf(path);
    const last = Math.min(this.longest, key.length);
    let found: R | undefined;
    for (let end = this.nameEnd(key, this.shortest); end <= last; ) {
      found = this.roots.get(key.slice(0, end)) ?? found;
      end = this.nameEnd(key, end + 1);
    }
    return found;
  }

  /** All roots that hold `path`. */
  findAll(path: string): ReadonlySet<R> {
    const key = this.keyOf(path);
    const last = Math.min(this.longest, key.length);
    const found = new Set<R>();
    for (let end = this.nameEnd(key, this.shortest); end <= last; ) {
      const root = this.roots.get(key.slice(0, end));
      if (root) {
        found.add(root);
      }
      end = this.nameEnd(key, end + 1);
    }
    return found;
  }

  /** Where the name ends that `start` is in; behind the last name, `start` itself. */
  private nameEnd(path: string, start: number): number {
    const end = path.indexOf(this.separator, start);
    return end === -1 ? Math.max(start, path.length) : end;
  }
}

import { quotePath } from '../printable.ts';
import { isFileUri } from './fileUri.ts';
import { asciiLower, isWhole, otherScheme, parsePath } from './pathInput.ts';
import type { PathOutcome, PathPlatform } from './pathNames.ts';

/** A folder that may be worked in, under both of its paths. Both are normalised and absolute. */
export interface ScopeRoot {
  /** The name that people use. Several roots may share a name. */
  readonly name?: string;
  /** The path as the client or the options name it, its links not resolved. */
  readonly announced: string;
  /** The path as the disk spells it, every link resolved. */
  readonly real: string;
  /** Whether its file system takes `A` and `a` for one letter. */
  readonly foldsCase: boolean;
}

/**
 * The paths that lie in a set of roots. Built once for each change of the roots; the time of an
 * answer depends on the depth of the path, not on the number of roots. Without roots, no path is
 * inside.
 */
export class PathScope<R extends ScopeRoot = ScopeRoot> {
  /** All of them, whether they are in place or not. */
  readonly roots: readonly R[];
  readonly platform: PathPlatform;
  // In the notation of a method, by which a scope of roots that hold more is one of roots, too.
  private readonly isInPlace: { of(root: R): boolean }['of'];
  private readonly named: RootsByPath<R>;
  private readonly folded: RootsByPath<R>;
  private readonly real: RootsByPath<R>;

  /**
   * @param isInPlace whether a root gives access now. It is asked at each use, and only of the roots
   * that the use is about: each question may be a look at a disk.
   */
  constructor(
    roots: readonly R[],
    platform: PathPlatform,
    isInPlace: (root: R) => boolean = () => true,
  ) {
    this.roots = roots;
    this.platform = platform;
    this.isInPlace = isInPlace;
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

  /** The start of relative paths: the first root in place, or `undefined` when there is none. */
  get base(): string | undefined {
    return this.roots.find(this.isInPlace)?.announced;
  }

  /** The first roots that are in place; without a number all of them, each of which is looked at. */
  inPlace(most = this.roots.length): readonly R[] {
    const found: R[] = [];
    for (const root of this.roots) {
      if (found.length >= most) {
        break;
      }
      if (this.isInPlace(root)) {
        found.push(root);
      }
    }
    return found;
  }

  /**
   * Reads what a client gave as a path: what `parsePath` takes, with relative paths starting in
   * the first root, and `name:path`, which starts in the root of that name.
   */
  parse(input: unknown): PathOutcome {
    const { platform } = this;
    const [named, rival] = this.rootsNamedBy(input);
    if (typeof input !== 'string' || named?.name === undefined) {
      const isWithoutBase =
        typeof input !== 'string' || isFileUri(input) || isWhole(input, platform);
      const parsed = parsePath(input, platform, isWithoutBase ? undefined : this.base);
      const isOther = !parsed.ok && parsed.reason === otherScheme;
      return isOther ? { ok: false, reason: this.whyOther(String(input)) } : parsed;
    }
    if (rival) {
      return { ok: false, reason: 'Several shared folders have that name: write the whole path.' };
    }
    const rest = input.slice(named.name.length + 1);
    // Behind a name everything is relative: it is no drive, no scheme and no home folder there.
    return parsePath(`./${rest}`, platform, named.announced);
  }

  /**
   * The root that `path`, as written, lies in; `undefined` means that it must not be touched.
   * A link may still lead out of it, or the root be gone, so this allows to look, not to open.
   */
  find(path: string): R | undefined {
    return this.guarded(path, this.named.find(path) ?? this.folded.find(path));
  }

  /**
   * Every root in place that `path`, as written, lies in: one root may be a folder of another. Of
   * several with one path, the first.
   */
  findAll(path: string): readonly R[] {
    const found = [this.named, this.folded].flatMap(tree =>
      tree.findAll(path).flatMap(roots => this.firstOf(roots, path) ?? []),
    );
    return [...new Set(found)];
  }

  /** The root in place that a path lies in whose links are resolved, compared letter by letter. */
  findReal(path: string): R | undefined {
    for (const roots of this.real.findAll(path).reverse()) {
      const found = this.firstOf(roots, path);
      if (found) {
        return found;
      }
    }
    return undefined;
  }

  private firstOf(roots: readonly R[], path: string): R | undefined {
    return roots.find(root => this.guarded(path, root) && this.isInPlace(root));
  }

  /** Why a text with a colon is no path: it may have been meant to begin with the name of a root. */
  private whyOther(input: string): string {
    const [, name] = /^([^:]+):(?![/\\])/.exec(input) ?? [];
    const names = this.inPlace(5).flatMap(root => (root.name ? quotePath(root.name) : []));
    return name === undefined || names.length === 0
      ? otherScheme
      : `No shared folder has the name ${quotePath(name)}. The names are: ${names.join(', ')} ` +
          '(see get-roots; for a file with a colon in its name, write "./" before it).';
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
    const found = this.roots.filter(root => fits(root) && this.isInPlace(root));
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

/** The one of `/proc` and `/dev` that a path is or lies in, if either. */
function processFolderOf(path: string): string | undefined {
  return /^\/(?:proc|dev)(?=\/|$)/.exec(path)?.[0];
}

/** Roots by their whole paths, so that `/ws/app` never matches `/ws/app_evil`. */
class RootsByPath<R> {
  /** Several roots may have one path. */
  private readonly roots = new Map<string, R[]>();
  /** The least and the greatest length of the paths: only such parts of a path are looked up. */
  private shortest = 0;
  private longest = -1;
  private readonly separator: string;
  private readonly keyOf: (path: string) => string;

  constructor(separator: string, keyOf: (path: string) => string) {
    this.separator = separator;
    this.keyOf = keyOf;
  }

  add(path: string, root: R): void {
    const key = this.keyOf(path.endsWith(this.separator) ? path.slice(0, -1) : path);
    const { length } = key;
    this.shortest = this.roots.size === 0 ? length : Math.min(this.shortest, length);
    this.longest = Math.max(this.longest, length);
    const known = this.roots.get(key);
    if (known) {
      known.push(root);
    } else {
      this.roots.set(key, [root]);
    }
  }

  /** The deepest root that holds `path`; of several with one path, the first. */
  find(path: string): R | undefined {
    return this.findAll(path).at(-1)?.[0];
  }

  /** All roots that hold `path`, the outermost first; those with one path together. */
  findAll(path: string): (readonly R[])[] {
    const found: (readonly R[])[] = [];
    if (this.roots.size === 0) {
      return found;
    }
    const key = this.keyOf(path);
    const last = Math.min(this.longest, key.length);
    for (let end = this.nameEnd(key, this.shortest); end <= last; ) {
      const roots = this.roots.get(key.slice(0, end));
      if (roots) {
        found.push(roots);
      }
      end = this.nameEnd(key, end + 1);
    }
    return found;
  }

  /** The end of the name that `start` is in; behind the last name, `start` itself. */
  private nameEnd(path: string, start: number): number {
    const end = path.indexOf(this.separator, start);
    return end === -1 ? Math.max(start, path.length) : end;
  }
}

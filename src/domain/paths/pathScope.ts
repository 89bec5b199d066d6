import { quotePath } from '../printable.ts';
import { isFileUri } from './fileUri.ts';
import { asciiLower, isWhole, otherScheme, parsePath } from './pathInput.ts';
import type { PathOutcome, PathPlatform } from './pathNames.ts';

/** A folder that may be used, with its two paths. Both are normalized and absolute. */
export interface ScopeRoot {
  /** The name to show. Several roots may have the same name. */
  readonly name?: string;
  /** The path as the client or the option spells it, with links unresolved. */
  readonly announced: string;
  /** The path as the disk spells it, with all links resolved. */
  readonly real: string;
  /** Whether the file system of the root ignores letter case. */
  readonly foldsCase: boolean;
}

/**
 * The paths that are inside a set of roots. Build it once for each change of the roots. The time of
 * an answer depends on the path's depth, not on the number of roots. Without roots, all is outside.
 */
export class PathScope<R extends ScopeRoot = ScopeRoot> {
  /** All roots, including roots that give no access now. */
  readonly roots: readonly R[];
  readonly platform: PathPlatform;
  // A method type, so that a scope of roots with more fields also counts as a scope of roots.
  private readonly isInPlace: { of(root: R): boolean }['of'];
  private readonly named: RootsByPath<R>;
  private readonly folded: RootsByPath<R>;
  private readonly real: RootsByPath<R>;

  /**
   * @param isInPlace whether a root gives access now. It is called at each use, but only for the
   * roots concerned, because it may look at a disk.
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
    // macOS keeps the Unicode form of a new name, but finds the name in any form.
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

  /** Where relative paths start: the first root that gives access, if any. */
  get base(): string | undefined {
    return this.roots.find(this.isInPlace)?.announced;
  }

  /** The first `most` roots that give access now. Each root may need a look at the disk. */
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
   * Reads a path from a client, in all forms that `parsePath` accepts. A relative path starts in
   * the first root, and `name:path` starts in the root of that name.
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
      return { ok: false, reason: 'Several shared folders have this name. Write the whole path.' };
    }
    const rest = input.slice(named.name.length + 1);
    // After a root's name, the rest is relative, without a drive, scheme or home folder.
    return parsePath(`./${rest}`, platform, named.announced);
  }

  /**
   * The root that contains `path` as written. `undefined`: do not touch the path. A link may still
   * lead out, or the root may be gone. So the result permits a look at the path, not opening it.
   */
  find(path: string): R | undefined {
    return this.guarded(path, this.named.find(path) ?? this.folded.find(path));
  }

  /**
   * Every accessible root that contains `path` as written: roots may be nested. If several roots
   * have one path, only the first is returned.
   */
  findAll(path: string): readonly R[] {
    const found = [this.named, this.folded].flatMap(tree =>
      tree.findAll(path).flatMap(roots => this.firstOf(roots, path) ?? []),
    );
    return [...new Set(found)];
  }

  /** The accessible root that contains a path with resolved links, compared letter by letter. */
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

  /** Why a text with a colon is refused. Its author may have meant the name of a root. */
  private whyOther(input: string): string {
    const [, name] = /^([^:]+):(?![/\\])/.exec(input) ?? [];
    const names = this.inPlace(5).flatMap(root => (root.name ? quotePath(root.name) : []));
    return name === undefined || names.length === 0
      ? otherScheme
      : noSuchName(quotePath(name), names.join(', '));
  }

  /** The roots with the longest name that begins the path and has a colon after it. */
  private rootsNamedBy(input: unknown): readonly R[] {
    if (typeof input !== 'string' || !input.includes(':') || isFileUri(input)) {
      return [];
    }
    // One letter is a drive on Windows. A separator after the colon makes the text a URI.
    const fits = ({ name = '' }: R) =>
      name.length >= (this.platform === 'win32' ? 2 : 1) &&
      input.startsWith(`${name}:`) &&
      !/^[/\\]/.test(input.slice(name.length + 1));
    const found = this.roots.filter(root => fits(root) && this.isInPlace(root));
    const longest = Math.max(...found.map(({ name = '' }) => name.length));
    return found.filter(({ name = '' }) => name.length === longest);
  }

  // `/proc` and `/dev` reach every file (`/proc/self/root`, `/dev/fd/0`) and the server's own
  // secrets (`/proc/self/environ`). A root above them does not include them.
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

function noSuchName(name: string, names: string): string {
  return (
    `No shared folder has the name ${name}. The names are: ${names} ` +
    '(see get-roots). Before a file name with a colon, write "./".'
  );
}

/** `/proc` or `/dev`, if the path is one of them or lies in one of them. */
function processFolderOf(path: string): string | undefined {
  return /^\/(?:proc|dev)(?=\/|$)/.exec(path)?.[0];
}

/** Finds roots by their whole paths, so that `/ws/app` never matches `/ws/app_evil`. */
class RootsByPath<R> {
  /** The roots by path. Several roots may have one path. */
  private readonly roots = new Map<string, R[]>();
  /** The lengths of the shortest and the longest path. Shorter and longer parts can't be roots. */
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

  /** The deepest root that contains `path`. If several roots have one path, the first of them. */
  find(path: string): R | undefined {
    return this.findAll(path).at(-1)?.[0];
  }

  /** All roots that contain `path`, the outermost first. Roots with one path form a group. */
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

  /** The index at which the name at `start` ends. After the last name, this is `start` itself. */
  private nameEnd(path: string, start: number): number {
    const end = path.indexOf(this.separator, start);
    return end === -1 ? Math.max(start, path.length) : end;
  }
}

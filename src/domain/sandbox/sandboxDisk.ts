import { posix } from 'node:path';
import { isAtOrBelow, isOfSystem } from './systemPlaces.ts';

/** Looks at the disk, for what a program needs. Nothing here rejects: what can't be read is not there. */
export interface SandboxDisk {
  /** The target of a link, as it is written; `undefined`: there is no link. */
  readLink(path: string): Promise<string | undefined>;
  /** The kind of the entry, links followed; `undefined`: nothing that can be read. */
  kindOf(path: string): Promise<'file' | 'folder' | undefined>;
  /** The first bytes of a file, as far as they are one line of text; else `undefined`. */
  firstLine(path: string): Promise<string | undefined>;
}

/**
 * Files and folders that are shown because somebody said so, by their real paths. A server that writes
 * there can put a link in the place of anything, so a link there is followed only to the programs of the
 * system and to what is reachable.
 */
interface SharedPlaces {
  readonly folders: readonly string[];
  readonly reachable: readonly string[];
}

/** Follows paths to what they lead to, and keeps the links on the way: they have to be seen, too. */
export class LinkTrail {
  /** The links that were followed: where each is, by its real folder, and what it says. */
  readonly links = new Map<string, string>();
  private readonly disk: SandboxDisk;
  private readonly shared: SharedPlaces;

  constructor(disk: SandboxDisk, shared: SharedPlaces = { folders: [], reachable: [] }) {
    this.disk = disk;
    this.shared = shared;
  }

  /**
   * The real path, whether or not its end is there; `undefined`: the links go round in a circle, or one
   * leads out of the shared places.
   */
  async realPath(path: string): Promise<string | undefined> {
    return (await this.steps(path)).at(-1);
  }

  /**
   * The steps of a path, link by link: the path itself with its folders' links resolved, then
   * what each link at its end leads to. Empty where {@link realPath} has none.
   */
  async steps(path: string): Promise<string[]> {
    const { folders, reachable } = this.shared;
    const isFree = (path: string) => isOfSystem(path) || isIn(reachable, path);
    const steps: string[] = [];
    let isBound = false;
    let rest = namesOf(path);
    let real = '/';
    for (let hops = 0; hops < mostLinks; ) {
      const [name, ...after] = rest;
      if (name === undefined) {
        return !isBound || isFree(real) ? [...steps, real] : [];
      }
      // Of `..`, this is the folder that holds the one a link led to, as it is for the system.
      const next = posix.join(real, name);
      const text = await this.disk.readLink(next);
      if (text === undefined) {
        real = next;
        rest = after;
      } else {
        hops += 1;
        isBound ||= isIn(folders, next);
        this.links.set(next, text);
        if (after.length === 0) {
          if (isBound && !isFree(next) && !isIn(folders, next)) {
            return [];
          }
          steps.push(next);
        }
        real = posix.isAbsolute(text) ? '/' : real;
        rest = [...namesOf(text), ...after];
      }
    }
    return [];
  }
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some(folder => isAtOrBelow(path, folder));
}

/** The limit of Linux for links in one path. */
const mostLinks = 40;

function namesOf(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.');
}

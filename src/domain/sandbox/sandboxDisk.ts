import { posix } from 'node:path';
import { isInOne, isOfSystem } from './systemPlaces.ts';

/** Looks at the disk for a program's needs. Never rejects: unreadable counts as missing. */
export interface SandboxDisk {
  /** The target of a link, as written; `undefined` when the path is not a link. */
  readLink(path: string): Promise<string | undefined>;
  /** The kind of the entry, with links followed; `undefined` when nothing is readable there. */
  kindOf(path: string): Promise<'file' | 'folder' | undefined>;
  /** The first line of a file, if its first bytes are a line of text; otherwise `undefined`. */
  firstLine(path: string): Promise<string | undefined>;
}

/**
 * `folders`: the real paths of files and folders that somebody chose to show. A server that can
 * write there may replace anything by a link. So a link there is followed only to the system's
 * programs and to `reachable` paths.
 */
interface SharedPlaces {
  readonly folders: readonly string[];
  readonly reachable: readonly string[];
}

/** Follows paths to their targets and collects the links on the way, which must be shown, too. */
export class LinkTrail {
  /** The text of each followed link, by the link's path in its real folder. */
  readonly links = new Map<string, string>();
  private readonly disk: SandboxDisk;
  private readonly shared: SharedPlaces;

  constructor(disk: SandboxDisk, shared: SharedPlaces = { folders: [], reachable: [] }) {
    this.disk = disk;
    this.shared = shared;
  }

  /**
   * Returns the real path, even if nothing is there; `undefined` when links form a circle or lead
   * out of the shared places.
   */
  async realPath(path: string): Promise<string | undefined> {
    return (await this.steps(path)).at(-1);
  }

  /**
   * The steps of a path, link by link: first the path with resolved folders, then the target of
   * each link at its end. Empty if {@link realPath} is `undefined`.
   */
  async steps(path: string): Promise<string[]> {
    const { folders, reachable } = this.shared;
    const isFree = (path: string) => isOfSystem(path) || isInOne(path, reachable);
    const steps: string[] = [];
    let isBound = false;
    let rest = namesOf(path);
    let real = '/';
    for (let hops = 0; hops < mostLinks; ) {
      const [name, ...after] = rest;
      if (name === undefined) {
        return !isBound || isFree(real) ? [...steps, real] : [];
      }
      // For `..`, this is the folder above a link's target, as the system reads it.
      const next = posix.join(real, name);
      const text = await this.disk.readLink(next);
      if (text === undefined) {
        real = next;
        rest = after;
      } else {
        hops += 1;
        isBound ||= isInOne(next, folders);
        this.links.set(next, text);
        if (after.length === 0) {
          if (isBound && !isFree(next) && !isInOne(next, folders)) {
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

/** Linux's own limit of links in one path. */
const mostLinks = 40;

function namesOf(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.');
}

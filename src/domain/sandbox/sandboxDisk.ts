import { posix } from 'node:path';

/** Looks at the disk, for what a program needs. Nothing here rejects: what can't be read is not there. */
export interface SandboxDisk {
  /** Where a link leads, as it is written; `undefined`: there is no link. */
  readLink(path: string): Promise<string | undefined>;
  /** What is there, links followed; `undefined`: nothing that can be read. */
  kindOf(path: string): Promise<'file' | 'folder' | undefined>;
  /** The first bytes of a file, as far as they are one line of text; else `undefined`. */
  firstLine(path: string): Promise<string | undefined>;
}

/** Follows paths to what they lead to, and keeps the links on the way: they have to be seen, too. */
export class LinkTrail {
  /** The links that were followed: where each is, by its real folder, and what it says. */
  readonly links = new Map<string, string>();
  private readonly disk: SandboxDisk;

  constructor(disk: SandboxDisk) {
    this.disk = disk;
  }

  /** The real path, whether or not its end is there; `undefined`: the links go round in a circle. */
  async realPath(path: string): Promise<string | undefined> {
    return (await this.steps(path)).at(-1);
  }

  /**
   * What the path leads to, link by link: the path itself with its folders' links resolved, then
   * what each link at its end leads to. Empty where links go round in a circle.
   */
  async steps(path: string): Promise<string[]> {
    const steps: string[] = [];
    let rest = namesOf(path);
    let real = '/';
    for (let hops = 0; hops < mostLinks; ) {
      const [name, ...after] = rest;
      if (name === undefined) {
        return [...steps, real];
      }
      // Of `..`, this is the folder that holds the one a link led to, as it is for the system.
      const next = posix.join(real, name);
      const text = await this.disk.readLink(next);
      if (text === undefined) {
        real = next;
        rest = after;
      } else {
        hops += 1;
        this.links.set(next, text);
        if (after.length === 0) {
          steps.push(next);
        }
        real = posix.isAbsolute(text) ? '/' : real;
        rest = [...namesOf(text), ...after];
      }
    }
    return [];
  }
}

/** As many as Linux follows in one path. */
const mostLinks = 40;

function namesOf(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.');
}

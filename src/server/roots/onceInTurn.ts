import type { RootFolders } from './rootFolders.ts';

/**
 * Looks once whether something is true of roots, for all calls that begin in the same turn of the
 * event loop. Whatever another process does after that look, it might do between any look and what
 * comes of it; and the turn is short, because the input is taken a few lines at a time.
 */
export class OnceInTurn {
  private readonly look: (folders: RootFolders) => boolean;
  private seen: RootFolders | undefined;

  /** @param look looks at the disk. */
  constructor(look: (folders: RootFolders) => boolean) {
    this.look = look;
  }

  isTrueOf(folders: RootFolders): boolean {
    if (this.seen !== folders && this.look(folders)) {
      this.seen = folders;
      // Not with `setImmediate`: it comes later, and costs another round of the loop.
      process.nextTick(() => {
        this.seen = undefined;
      });
    }
    return this.seen === folders;
  }
}

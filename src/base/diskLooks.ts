/**
 * Looks at paths on disks that may never answer. On a silent disk, each look occupies one of the
 * process's four threads. So callers share a single look at a path.
 */
export class DiskLooks<T> {
  private readonly look: (path: string) => Promise<T>;
  private readonly running = new Map<string, Promise<T>>();

  constructor(look: (path: string) => Promise<T>) {
    this.look = look;
  }

  /** Settles with the look that is under way, or with a new look. */
  at(path: string): Promise<T> {
    const known = this.running.get(path);
    if (known !== undefined) {
      return known;
    }
    const look = this.look(path).finally(() => this.running.delete(path));
    this.running.set(path, look);
    return look;
  }
}

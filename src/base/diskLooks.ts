/**
 * Examines paths with `look`, on disks that may never answer. On a silent disk, each running `look`
 * occupies one of the process's four threads for files. So callers share one `look` at a path.
 */
export class DiskLooks<T> {
  private readonly look: (path: string) => Promise<T>;
  private readonly running = new Map<string, Promise<T>>();

  constructor(look: (path: string) => Promise<T>) {
    this.look = look;
  }

  /** Settles like the `look` at this path that is under way, or else like a new one. */
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

/**
 * Looks at paths on disks that may never answer. A disk that has stopped keeps a thread for each look,
 * and a process has four: so there is one look at a path at a time, whoever asks.
 */
export class DiskLooks<T> {
  private readonly look: (path: string) => Promise<T>;
  private readonly running = new Map<string, Promise<T>>();

  constructor(look: (path: string) => Promise<T>) {
    this.look = look;
  }

  /** Settles as the look that is under way does, or a new one. */
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

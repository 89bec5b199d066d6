import { Limiter } from './limiter.ts';

/**
 * Looks at paths on disks that may never answer. A disk that has stopped keeps a thread for each look,
 * and a process has four: so there is one look at a path at a time, whoever asks.
 */
export class DiskLooks<T> {
  private readonly look: (path: string) => Promise<T>;
  private readonly own = new Map<string, Promise<T>>();
  private readonly others = new Map<string, Promise<T>>();
  private readonly threads = new Limiter({ running: 2 });

  constructor(look: (path: string) => Promise<T>) {
    this.look = look;
  }

  /** Settles as the look that is under way does, or a new one. */
  at(path: string): Promise<T> {
    return shared(this.own, path, () => this.look(path));
  }

  /** The same for a path that somebody else has named: two at a time, which leaves threads for the rest. */
  atNamed(path: string): Promise<T> {
    const begin = () => this.threads.run(() => this.at(path)) as Promise<T>;
    return this.own.get(path) ?? shared(this.others, path, begin);
  }
}

function shared<T>(
  running: Map<string, Promise<T>>,
  path: string,
  begin: () => Promise<T>,
): Promise<T> {
  const known = running.get(path);
  if (known !== undefined) {
    return known;
  }
  const work = begin().finally(() => running.delete(path));
  running.set(path, work);
  return work;
}

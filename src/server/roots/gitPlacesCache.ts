import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type GitLook, gitPlaces } from '../../domain/paths/gitPlaces.ts';

/** How many milliseconds places are kept. So all checks of one move read the places only once. */
const age = 1_000;
const longestFile = 1024 * 1024;

/** The paths outside of `.git` that Git runs or reads, such as hooks. At most a second old. */
export class GitPlacesCache {
  private key: string | undefined;
  private until = 0;
  private places: readonly string[] = [];
  private readonly now: () => number;

  constructor(now = () => performance.now()) {
    this.now = now;
  }

  /** The paths that the Git settings of the user and of these folders' repositories name. */
  of(folders: readonly string[]): readonly string[] {
    const key = folders.join('\0');
    if (key !== this.key || this.now() >= this.until) {
      this.places = found(folders);
      this.key = key;
      this.until = this.now() + age;
    }
    return this.places;
  }
}

function found(folders: readonly string[]): readonly string[] {
  const looking = gitPlaces(folders, { home: homedir(), env: process.env });
  let step = looking.next([]);
  while (!step.done) {
    step = looking.next(answerTo(step.value));
  }
  return step.value;
}

/** Returns what a look finds. As for Git, a path that can't be read counts as empty. */
function answerTo([kind, path]: GitLook): readonly string[] {
  try {
    if (kind === 'real') {
      return [realpathSync.native(path)];
    }
    return kind === 'text' ? [textOf(path)] : linksIn(path);
  } catch {
    return [];
  }
}

function linksIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap(entry =>
    entry.isSymbolicLink() ? resolve(folder, readlinkSync(join(folder, entry.name))) : [],
  );
}

/** Reads a regular file up to a limit. A repository may link to a device, a pipe, or an endless file. */
function textOf(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    const bytes = Buffer.alloc(stats.isFile() ? Math.min(stats.size, longestFile) : 0);
    return bytes.toString('utf8', 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

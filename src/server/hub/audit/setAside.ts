import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { codeOf } from '../../writing/reasons.ts';

/** In milliseconds. Moving a few files takes far less: who holds a lock for longer has died. */
const longestLock = 60_000;

/**
 * Moves a full file out of the way: FILE becomes FILE.1, which becomes FILE.2 and so on, and the
 * oldest of `kept` is dropped. One process at a time does so, and only if `isDue` holds then.
 *
 * `false`: not now, because another process is doing it or the system refuses, as some do while a
 * file is open. Then everything is where it was, or leaves one number free.
 */
export function setAside(file: string, kept: number, isDue: () => boolean): boolean {
  try {
    return whileLocked(`${file}.lock`, () => {
      if (isDue()) {
        moveUp(file, kept);
      }
    });
  } catch (error) {
    if (codeOf(error) === undefined) {
      throw error;
    }
    return false;
  }
}

/** Only as far as the first free number, such as the one that a crash in the middle leaves. */
function moveUp(file: string, kept: number): void {
  const names = [file, ...Array.from({ length: kept }, (_, index) => `${file}.${index + 1}`)];
  const free = names.findIndex((name, index) => index > 0 && !existsSync(name));
  const moving = names.slice(0, free === -1 ? kept : free);
  for (const [index, name] of [...moving.entries()].reverse()) {
    renameSync(name, names[index + 1] ?? name);
  }
}

function whileLocked(lock: string, run: () => void): boolean {
  if (!isFree(lock)) {
    return false;
  }
  try {
    run();
  } finally {
    rmSync(lock, { force: true });
  }
  return true;
}

/**
 * Takes the lock unless another process has it. What was left behind in its place, by whomever, is
 * taken away for the next time, unless it is a folder with something in it.
 */
function isFree(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch {
    const found = lstatSync(lock, { throwIfNoEntry: false });
    if (found && isLeftBehind(found)) {
      if (found.isDirectory()) {
        rmdirSync(lock);
      } else {
        rmSync(lock, { force: true });
      }
    }
    return false;
  }
}

function isLeftBehind({ mtimeMs }: Stats): boolean {
  return Math.abs(Date.now() - mtimeMs) > longestLock;
}

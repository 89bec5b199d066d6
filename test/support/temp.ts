import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { atLast } from './processes.ts';
import { skipLinks } from './systems.ts';

/** A folder of the test's own with these files, in its real spelling, removed when the test ends. */
export function tempFolder(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mcp-roots-')));
  // On Windows, a process that just ended may hold it for a moment.
  atLast(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  writeTree(folder, files);
  return folder;
}

/** Writes files below `folder`, making the folders they need. A name that ends in `/` is an empty folder. */
export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) {
      writeFileSync(path, text);
    }
  }
}

/** Makes links in `folder` to other names in it, and none where none can be made (`skipLinks`). */
export function linkTree(folder: string, links: Readonly<Record<string, string>>): void {
  for (const [at, to] of skipLinks ? [] : Object.entries(links)) {
    symlinkSync(join(folder, to), join(folder, at));
  }
}

/**
 * Removes an empty folder and makes one with its inode in its place: what a system gives next, as ext4
 * does. Returns why that is not so here, or why nothing tells the two apart.
 */
export function makeAnew(folder: string): string | undefined {
  const { ino, birthtimeNs } = statSync(folder, { bigint: true });
  for (let tries = 0; tries < 1000; tries += 1) {
    rmdirSync(folder);
    mkdirSync(folder);
    if (statSync(folder, { bigint: true }).ino === ino) {
      return birthtimeNs > 0n ? undefined : 'The disk here tells no birth times.';
    }
  }
  return 'The disk here gives no inode twice.';
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { atLast } from './processes.ts';
import { skipLinks } from './systems.ts';

/** A folder of the test's own, in its real spelling, removed when the test ends. */
export function tempFolder(t: Pick<TestContext, 'after'>): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mcp-roots-')));
  // What has just ended may hold it for a moment on Windows.
  atLast(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
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

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { PathScope } from '../../src/domain/paths/pathScope.ts';
import { descriptorPin, type Pin } from '../../src/server/paths/pins.ts';
import type { Outcome, Refusal } from '../../src/server/paths/refusal.ts';
import { PinnedRoots, type RootFolder } from '../../src/server/roots/rootFolders.ts';
import { type FileContent, putFile } from '../../src/server/writing/putFile.ts';
import { replaceInFile } from '../../src/server/writing/replaceInFile.ts';
import { changeOf } from '../../src/server/writing/writableFolder.ts';
import { thisPlatform } from './systems.ts';
import { tempFolder } from './temp.ts';
import { said } from './texts.ts';

/** A scope over folders, the first of them the base. */
export function scopeOver(...folders: readonly string[]): PathScope<RootFolder> {
  const entries = folders.map(folder => ({ uri: pathToFileURL(folder).href }));
  return new PinnedRoots(entries, thisPlatform).folders.scope;
}

/** A tree of the test's own, with the folder `root` in it shared. */
export function sharedTree(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string>>,
): { readonly top: string; readonly root: string; readonly scope: PathScope<RootFolder> } {
  const top = tempFolder(t, { 'root/': '', ...files });
  const root = join(top, 'root');
  return { top, root, scope: scopeOver(root) };
}

/** All that is below a folder: files with their text, links with their target, empty folders ending in `/`. */
export function treeOf(folder: string, prefix = ''): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true }).map(entry => {
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (entry.isSymbolicLink()) {
      return { [name]: `-> ${readlinkSync(path)}` };
    }
    if (entry.isDirectory()) {
      return readdirSync(path).length > 0 ? treeOf(path, `${name}/`) : { [`${name}/`]: '' };
    }
    return { [name]: entry.isFile() ? readFileSync(path, 'utf8') : 'special' };
  });
  return Object.assign({}, ...entries);
}

/** The value, or the kind of a refusal and the key of its reason. */
export function outcomeOf<T>(outcome: Outcome<T>): T | string {
  return outcome.ok ? outcome.value : `${outcome.kind}: ${reasonOf(outcome)}`;
}

/** The key of the reason behind the path that a refusal begins with. */
export function reasonOf({ message }: Pick<Refusal, 'message'>): string {
  return said(message.replace(/^"(?:[^"\\]|\\.)*" [^.]*\. /, ''));
}

/** Writes a text into a file; by default it may replace a file and make folders. */
export function write(
  scope: PathScope<RootFolder>,
  path: string,
  text: string,
  leave: Partial<Omit<FileContent, 'bytes'>> = {},
  pin?: Pin,
): ReturnType<typeof putFile> {
  return putFile(changeOf(scope, path, pin), {
    bytes: Buffer.from(text),
    mayReplace: true,
    mayMakeFolders: true,
    ...leave,
  });
}

/** Replaces the only place where a file has the old text. */
export function edit(
  scope: PathScope<RootFolder>,
  path: string,
  oldText: string,
  newText: string,
  isDryRun = false,
): ReturnType<typeof replaceInFile> {
  const edits = [{ oldText, newText }];
  const { signal } = new AbortController();
  return replaceInFile(changeOf(scope, path), { edits, isDryRun }, signal);
}

/** Lets somebody in while the folder is held: once, when a name is reached in it. */
export function meddlingPin(
  meddle: () => void,
  isReached = (name: string) => name.endsWith('.tmp'),
): Pin {
  let isDone = false;
  return {
    openFile: descriptorPin.openFile,
    inFolder: (real, work) =>
      descriptorPin.inFolder(real, ({ where, at }) => {
        const reach = (name: string) => {
          if (!isDone && isReached(name)) {
            isDone = true;
            meddle();
          }
          return at(name);
        };
        return work({ where, at: reach });
      }),
  };
}

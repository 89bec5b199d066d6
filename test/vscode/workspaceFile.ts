import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder as a `.code-workspace` file lists it; relative paths start at the file. */
export interface ListedFolder {
  readonly path: string;
  readonly name?: string;
}

/** Makes the folders `names` and a workspace file that lists them, all in `parent`. Returns the file. */
export function createWorkspace(parent: string, names: readonly string[]): string {
  const file = join(parent, 'demo.code-workspace');
  for (const name of names) {
    mkdirSync(join(parent, name), { recursive: true });
  }
  writeWorkspace(file, { folders: names.map(path => ({ path })) });
  return file;
}

/** Makes a folder beside the workspace file and lists it last, as a person would by hand. */
export function addFolder(file: string, name: string): void {
  mkdirSync(join(dirname(file), name), { recursive: true });
  writeWorkspace(file, { folders: [...listedFolders(file), { path: name }] });
}

/** Takes a folder out of the workspace file; the folder itself stays. */
export function removeFolder(file: string, name: string): void {
  const left = listedFolders(file).filter(folder => folder.path !== name);
  writeWorkspace(file, { folders: left });
}

/** The folders the workspace file lists, in order. */
export function listedFolders(file: string): ListedFolder[] {
  return JSON.parse(readFileSync(file, 'utf8')).folders;
}

/** Writes a workspace file at once, so that an editor that watches it never reads half. */
export function writeWorkspace(
  file: string,
  content: {
    readonly folders: readonly (ListedFolder | { readonly uri: string })[];
    readonly settings?: object;
  },
): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, `${JSON.stringify(content, undefined, 2)}\n`);
  renameSync(draft, file);
}

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileUri } from '../../domain/paths/fileUri.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import type { Root } from '../../domain/roots.ts';

/** A folder made for a check, with one file. Both names and the text in it occur nowhere else. */
export interface ThrowAwayFolder {
  readonly path: string;
  readonly name: string;
  readonly root: Root;
  readonly file: { readonly path: string; readonly name: string; readonly marker: string };
}

/** The folders of one check, beside each other in a folder of their own. */
export interface ThrowAwayFolders {
  readonly first: ThrowAwayFolder;
  readonly second: ThrowAwayFolder;
  /** Never told to a server. */
  readonly outside: ThrowAwayFolder;
  readonly remove: () => Promise<void>;
  /** Removes them without waiting. For when this process itself is about to end. */
  readonly removeNow: () => void;
}

const removal = { recursive: true, force: true, maxRetries: 5 } as const;

/** Makes the folders; when one can't be made, none is left. */
export async function makeThrowAwayFolders(): Promise<ThrowAwayFolders> {
  // By its real path: a server could rightly refuse a link that leads somewhere else.
  const parent = await mkdtemp(join(await realpath(tmpdir()), 'mcp-roots-check-'));
  const remove = () => rm(parent, removal);
  try {
    return {
      first: await makeFolder(parent, 'first'),
      second: await makeFolder(parent, 'second'),
      outside: await makeFolder(parent, 'outside'),
      remove,
      removeNow: () => rmSync(parent, removal),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function makeFolder(parent: string, purpose: string): Promise<ThrowAwayFolder> {
  const name = `${purpose}-${randomUUID()}`;
  const path = join(parent, name);
  const fileName = `note-${randomUUID()}.txt`;
  const file = { path: join(path, fileName), name: fileName, marker: randomUUID() };
  await mkdir(path);
  await writeFile(file.path, `MCP Roots is checking what a server reads: ${file.marker}\n`);
  return { path, name, root: { uri: fileUri(path, process.platform as PathPlatform), name }, file };
}

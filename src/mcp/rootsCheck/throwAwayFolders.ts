import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileUri } from '../../domain/paths/fileUri.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import type { Root } from '../../domain/roots.ts';

/** A folder made for a check, with one file. */
export interface ThrowAwayFolder {
  readonly path: string;
  readonly root: Root;
  readonly file: string;
  /** The text in the file, which occurs nowhere else: it came from there. */
  readonly marker: string;
}

/** The folders of one check, beside each other in a folder of their own. */
export interface ThrowAwayFolders {
  readonly first: ThrowAwayFolder;
  readonly second: ThrowAwayFolder;
  readonly remove: () => Promise<void>;
  /** Removes them without waiting. For when this process itself is about to end. */
  readonly removeNow: () => void;
}

const removal = { recursive: true, force: true, maxRetries: 5 } as const;

export async function makeThrowAwayFolders(): Promise<ThrowAwayFolders> {
  // By its real path: a server could rightly refuse a link that leads somewhere else.
  const parent = await mkdtemp(join(await realpath(tmpdir()), 'mcp-roots-check-'));
  return {
    first: await makeFolder(join(parent, 'first')),
    second: await makeFolder(join(parent, 'second')),
    remove: () => rm(parent, removal),
    removeNow: () => rmSync(parent, removal),
  };
}

async function makeFolder(path: string): Promise<ThrowAwayFolder> {
  const file = join(path, 'note.txt');
  const marker = randomUUID();
  await mkdir(path);
  await writeFile(file, `MCP Roots is checking what a server reads: ${marker}\n`);
  const uri = fileUri(path, process.platform as PathPlatform);
  return { path, root: { uri, name: 'throw-away folder' }, file, marker };
}

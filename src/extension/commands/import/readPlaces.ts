import { readFile, stat } from 'node:fs/promises';
import type { ImportFile, SourceNote } from '../../../domain/import/importedServers.ts';
import type { ImportSource } from '../../../domain/import/importSource.ts';
import type { ImportPlace } from '../../../domain/import/places.ts';
import { type Sentence, sentence } from '../../../domain/sentence.ts';
import { type ReadJson, readJson } from './jsonText.ts';

/** What was found in the places that exist, and what is wrong with those that can't be read. */
export interface ReadPlaces {
  readonly files: readonly ImportFile[];
  readonly notes: readonly SourceNote[];
}

/** Larger than any file that keeps servers; reading it would hold the editor up. */
const maxBytes = 16 * 1024 * 1024;

/** Reads each file once. What is not there is passed over, and a broken file costs only itself. */
export async function readPlaces(places: readonly ImportPlace[]): Promise<ReadPlaces> {
  const read = new Map<string, ReadJson | undefined>();
  const files: ImportFile[] = [];
  const notes: SourceNote[] = [];
  for (const { path, source } of places) {
    const isFirst = !read.has(path);
    const result = isFirst ? await readPlace(path) : read.get(path);
    read.set(path, result);
    if (isFirst && result) {
      notes.push(...notesOf(result, source));
    }
    if (result?.ok) {
      files.push({ source, value: result.value });
    }
  }
  return { files, notes };
}

function notesOf(result: ReadJson, source: ImportSource): SourceNote[] {
  return (result.ok ? result.notes : [result.problem]).map(note => ({ source, note }));
}

/** `undefined`: there is no such file. */
async function readPlace(path: string): Promise<ReadJson | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) {
      return broken(sentence('It is no file.')); // Reading a pipe would never end.
    }
    return stats.size > maxBytes
      ? broken(sentence('It is too large to be read.'))
      : readJson(await readFile(path, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return absent.has(code) ? undefined : broken(sentence('It can not be read ({0}).', code));
  }
}

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

function broken(problem: Sentence): ReadJson {
  return { ok: false, problem };
}

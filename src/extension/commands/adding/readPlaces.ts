import type { ImportFile, SourceNote } from '../../../domain/adding/importPlan.ts';
import type { ImportPlace } from '../../../domain/gateway/clientFiles.ts';
import { broken, type ReadJson, readJson } from '../../adding/readJson.ts';
import { loadClient } from '../../servers/loadClient.ts';

export { readJson } from '../../adding/readJson.ts';

/** The largest file to read, in MiB. Claude Code keeps all its state in the user's file. */
const mostOfUser = 64;

/**
 * The contents of the places that exist, and notes on files that can't be read. Each file is read
 * once. Missing files are skipped. A broken file does not affect other files.
 */
export async function readPlaces(places: readonly ImportPlace[]) {
  const { readPlainFile } = await loadClient();
  const read = new Map<string, ReadJson | undefined>();
  const files: ImportFile[] = [];
  const notes: SourceNote[] = [];
  for (const { path, source, workspace } of places) {
    const isFirst = !read.has(path);
    if (isFirst) {
      const most = source.scope === 'user' ? mostOfUser : undefined;
      const { text, problem } = await readPlainFile(path, workspace, most);
      read.set(path, problem ? broken(problem) : text === undefined ? undefined : readJson(text));
    }
    const result = read.get(path);
    if (result?.ok) {
      files.push({ source, value: result.value });
    } else if (result && isFirst) {
      notes.push({ source, note: result.problem });
    }
  }
  return { files, notes };
}

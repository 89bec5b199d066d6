import type { ImportFile, SourceNote } from '../../../domain/adding/importPlan.ts';
import type { ImportPlace } from '../../../domain/gateway/clientFiles.ts';
import { broken, type ReadJson, readJson } from '../../adding/readJson.ts';
import { loadClient } from '../../servers/loadClient.ts';

export { readJson } from '../../adding/readJson.ts';

/** In MiB. Claude Code keeps all of its state in one file of the user. */
const mostOfUser = 64;

/**
 * The contents of the places that exist, each file read once, and notes on unreadable files. Missing
 * files are skipped, and a broken file affects no other.
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

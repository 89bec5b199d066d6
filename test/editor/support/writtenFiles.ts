import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathBeside } from './folders.ts';

/**
 * The files with one of these texts, among the settings, storage and logs of editor and extension.
 * The records of the tests' servers do not count.
 */
export function filesWith(...texts: readonly string[]): string[] {
  const codeServers = readdirSync(tmpdir()).filter(name => name.startsWith('mcp-roots-code-'));
  return [pathBeside(''), ...codeServers.map(name => join(tmpdir(), name))]
    .flatMap(filesIn)
    .filter(path => texts.some(text => contentOf(path).includes(text)));
}

function filesIn(folder: string): string[] {
  // Another editor may be about to take its folder away; of ours only a folder here and there goes.
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name.startsWith('record-') ? [] : filesIn(path);
    }
    return entry.isFile() ? [path] : [];
  });
}

function contentOf(path: string): string {
  return attempt(() => readFileSync(path, 'utf8'), '');
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

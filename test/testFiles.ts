import { globSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';

/** Test processes share Node's compiled code, above all of TypeScript. */
export const nodeTestEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache'),
};

/** How Node runs a folder of tests. */
export const nodeTestFlags = [
  '--test',
  // Node leaves one processor free; these tests wait for processes more than they compute.
  `--test-concurrency=${availableParallelism()}`,
  '--test-timeout=180000',
  `--import=${new URL('support/standInEditor.ts', import.meta.url)}`,
];

/**
 * The test files under `test/<folder>`, from the top of the project: all, or the files that a word
 * names. `grants` is `grants.test.ts` if it exists, else every file with the word in its path. A
 * word without a file is reported, and ends the process.
 */
export function testFiles(folder: string, words: readonly string[] = []): string[] {
  const top = join(import.meta.dirname, '..');
  const all = globSync(`test/${folder}/**/*.test.ts`, { cwd: top })
    .map(path => path.split(sep).join('/'))
    .sort();
  const named = new Set(words.flatMap(word => namedBy(word, all)));
  return words.length === 0 ? all : all.filter(path => named.has(path));
}

function namedBy(word: string, all: readonly string[]): readonly string[] {
  const exact = all.filter(path => basename(path, '.test.ts') === word);
  const named = exact.length > 0 ? exact : all.filter(path => path.includes(word));
  if (named.length === 0) {
    console.error(`No test file here has "${word}" in its name.`);
    process.exit(1);
  }
  return named;
}

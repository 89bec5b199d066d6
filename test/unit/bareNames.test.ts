import { deepEqual } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const top = join(import.meta.dirname, '..', '..');
/** A program that is started by a name in the source itself, and not by a path. */
const bareStart = /\b(?:spawn|exec|execFile|fork)(?:Sync)?\(\s*(['"`])(?![/$])([^'"`]*)\1/g;

test('no program starts by a name that a working directory could resolve', () => {
  // The scripts of `src/build` are run by hand, in this repository.
  const files = globSync('src/**/*.ts', { cwd: top, exclude: ['src/build/**'] });
  const found = files.flatMap(file => {
    const text = readFileSync(join(top, file), 'utf8');
    return [...text.matchAll(bareStart)].map(([, , program]) => `${file}: ${program}`);
  });
  deepEqual(found, []);
  deepEqual([..."spawnSync('taskkill', [])".matchAll(bareStart)].length, 1);
});

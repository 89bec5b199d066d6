import { deepEqual } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const top = join(import.meta.dirname, '..', '..');
/** A program that is started by a name in the source itself, and not by a path. */
const bareStart = /\b(?:spawn|exec|execFile|fork)(?:Sync)?\(\s*(['"`])(?![/$])([^'"`]*)\1/g;

test('no program is started by a name that a working directory can answer to', () => {
  const found = globSync('src/**/*.ts', { cwd: top }).flatMap(file => {
    const text = readFileSync(join(top, file), 'utf8');
    return [...text.matchAll(bareStart)].map(([, , program]) => `${file}: ${program}`);
  });
  deepEqual(found, []);
  deepEqual([..."spawnSync('taskkill', [])".matchAll(bareStart)].length, 1);
});

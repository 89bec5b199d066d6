import { deepEqual } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

// The target of a path may change between a check and its use. `src/server/paths` opens files and
// folders safely against that, and the bundled server's tools open them nowhere else.

const rooms = ['listing', 'reading', 'search', 'tools', 'writing'];
const server = join(import.meta.dirname, '../../src/server');

/** These take a descriptor, and so open nothing. */
const byDescriptor =
  'closeSync fchmodSync fchownSync fstatSync fsyncSync ftruncateSync readSync writeSync'.split(' ');

/**
 * What else of `node:fs` a file may use: on an entry of an opened folder, which is reached by its `at`, or
 * on a descriptor in the place of a path.
 */
const exceptions: Readonly<Record<string, string>> = {
  'listing/entries.ts': 'lstatSync readdirSync',
  'search/folderTree.ts': 'lstatSync readdirSync',
  'writing/deleteEntry.ts': 'readdirSync rmdirSync unlinkSync',
  // It opens only a new file.
  'writing/draft.ts': 'constants openSync unlinkSync writeFileSync',
  'writing/makeFolder.ts': 'mkdirSync rmdirSync',
  'writing/moveEntry.ts': 'renameSync',
  'writing/replaceInFile.ts': 'readFileSync',
  'writing/scanTree.ts': 'readdirSync statSync',
  // It compares the opened file with that entry before it writes.
  'writing/storeFile.ts': 'constants linkSync openSync renameSync unlinkSync',
  'writing/writableFolder.ts': 'lstatSync statSync',
};

/** A file's imports from Node's file modules, without types and functions that open nothing. */
function takenFrom(text: string): string[] {
  const module = /(['"`])(?:node:)?fs(?:\/promises)?\1/g;
  const names = /import\s+\{([^}]*)\}\s+from\s+'node:fs';/g;
  const types = /import\s+type\s+\{[^}]*\}\s+from\s+'node:fs';/g;
  const taken = [...text.matchAll(names)]
    .flatMap(([, list = '']) => list.split(',').map(name => name.trim()))
    .filter(name => name !== '' && !name.startsWith('type ') && !byDescriptor.includes(name));
  const other = text.replace(names, '').replace(types, '').match(module) ?? [];
  return [...taken, ...other].sort();
}

test('the bundled server’s tools open files and folders only in src/server/paths', () => {
  const taken = globSync(`{${rooms}}/**/*.ts`, { cwd: server })
    .map(file => file.replaceAll('\\', '/'))
    .map(file => [file, takenFrom(readFileSync(join(server, file), 'utf8')).join(' ')] as const)
    .filter(([, names]) => names !== '');
  deepEqual(Object.fromEntries(taken), exceptions);
});

test('finds every other way to open a file', () => {
  const forms = {
    "import { type Stats, closeSync, openSync } from 'node:fs';": ['openSync'],
    "import {\n  createReadStream,\n  readSync,\n} from 'node:fs';": ['createReadStream'],
    "import { open as closeSync } from 'node:fs';": ['open as closeSync'],
    "import * as fs from 'node:fs';": ["'node:fs'"],
    "import { readFile } from 'node:fs/promises';": ["'node:fs/promises'"],
    "const fs = await import('fs');": ["'fs'"],
    'const fs = require("node:fs");': ['"node:fs"'],
    "process.getBuiltinModule('fs');": ["'fs'"],
    "export { openSync } from 'node:fs';": ["'node:fs'"],
    "import type { Stats } from 'node:fs';": [],
    "import { closeSync } from 'node:fs';": [],
  };
  deepEqual(Object.fromEntries(Object.keys(forms).map(text => [text, takenFrom(text)])), forms);
});

import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

// What a path leads to may change between a check and its use. `src/server/paths` opens files and
// folders so that this gains nothing, and the tools of the bundled server open them nowhere else.

const rooms = ['listing', 'reading', 'search', 'tools', 'writing'];
const server = join(import.meta.dirname, '../../src/server');

/** These are given a descriptor, and so open nothing. */
const byDescriptor = [
  'closeSync',
  'fchmodSync',
  'fchownSync',
  'fstatSync',
  'fsyncSync',
  'ftruncateSync',
  'readSync',
  'writeSync',
];

const inOpenFolder = 'of an entry of an opened folder, which is reached by its `at`';
const openFile = 'of a descriptor, in the place of a path';

/** What else of `node:fs` a file may use, and on what. */
const exceptions: Readonly<Record<string, readonly (readonly [reason: string, string])[]>> = {
  'listing/entries.ts': [[inOpenFolder, 'lstatSync readdirSync']],
  'search/folderTree.ts': [[inOpenFolder, 'lstatSync readdirSync']],
  'writing/deleteEntry.ts': [[inOpenFolder, 'readdirSync rmdirSync unlinkSync']],
  'writing/draft.ts': [
    [inOpenFolder, 'unlinkSync'],
    [openFile, 'writeFileSync'],
    [`${inOpenFolder}; it must be a new file`, 'constants openSync'],
  ],
  'writing/identity.ts': [[inOpenFolder, 'lstatSync']],
  'writing/makeFolder.ts': [[inOpenFolder, 'mkdirSync rmdirSync']],
  'writing/moveEntry.ts': [[inOpenFolder, 'renameSync']],
  'writing/replaceInFile.ts': [[openFile, 'readFileSync']],
  'writing/scanTree.ts': [[inOpenFolder, 'readdirSync statSync']],
  'writing/storeFile.ts': [
    [inOpenFolder, 'linkSync renameSync unlinkSync'],
    [`${inOpenFolder}; it is compared with that before it is written`, 'constants openSync'],
  ],
  'writing/writableFolder.ts': [[inOpenFolder, 'statSync']],
};

/** What a file takes from Node's modules for files besides types, and besides what opens nothing. */
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

test('the tools of the bundled server open files and folders in src/server/paths only', () => {
  const files = rooms.flatMap(room =>
    readdirSync(join(server, room), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => `${room}/${name.replaceAll('\\', '/')}`),
  );
  const taken = files
    .map(file => [file, takenFrom(readFileSync(join(server, file), 'utf8'))] as const)
    .filter(([, names]) => names.length > 0);
  const allowed = Object.entries(exceptions).map(([file, uses]) => {
    return [file, uses.flatMap(([, names]) => names.split(' ')).sort()];
  });
  deepEqual(Object.fromEntries(taken), Object.fromEntries(allowed));
});

test('another way to open a file is found in every form', () => {
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

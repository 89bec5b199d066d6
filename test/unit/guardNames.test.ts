import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { meaningOf, type NameMeaning } from '../../src/domain/guard/argumentNames.ts';
import { nameWords } from '../../src/domain/guard/nameWords.ts';
import { guardRules } from '../support/guardRules.ts';

test('a name says what its value is, in any letter case and however its words are joined', () => {
  const expected: Readonly<Partial<Record<NameMeaning, readonly string[]>>> = {
    path: [
      ...['path', 'file', 'filepath', 'filename', 'directory', 'folder', 'dir', 'cwd'],
      ...['paths', 'files', 'filepaths', 'filenames', 'directories', 'folders', 'dirs', 'cwds'],
      ...['file_path', 'filePath', 'FILE-PATH', 'FilePaths', 'outputDir', 'repo_path', 'srcFile'],
      ...['workdir', 'inputFile', 'OLDPATH', 'contentFile', 'sourceFiles', 'HTMLPath', 'path2'],
    ],
    place: [
      ...['root', 'uri', 'target', 'source', 'destination'],
      ...['roots', 'URIs', 'targets', 'Sources', 'destinations', 'rootUri', 'file_uri'],
    ],
    contents: [
      ...['content', 'contents', 'text', 'body', 'diff', 'patch', 'patches', 'code', 'html'],
      ...['oldText', 'new_text', 'old_string', 'newStr', 'file_text', 'fileContents', 'sourceCode'],
    ],
    prose: ['message', 'commitMessage', 'description', 'prompt', 'query', 'queries', 'title'],
    command: [
      ...['command', 'cmd', 'args', 'argv', 'arguments', 'shell', 'script', 'commands'],
      ...['bash', 'exec', 'options', 'flags'],
    ],
    sign: ['key', 'separator', 'xpath', 'cssSelector'],
    other: ['', 'anything', 'dirty', 'profile', 'url', 'name', 'string', 'old', '__proto__'],
  };
  for (const [meaning, names] of Object.entries(expected)) {
    const found = names.filter(name => meaningOf(name, guardRules()) !== meaning);
    deepEqual(found, [], meaning);
  }
});

test('a name is read by its last words, however long it is', () => {
  deepEqual(nameWords('aB-c_d.e2f XMLFile'), ['a', 'b', 'c', 'd', 'e', 'f', 'xml', 'file']);
  deepEqual(nameWords(`${'A'.repeat(300_000)}_path`).at(-1), 'path');
});

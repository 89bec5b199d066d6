import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import {
  declaredMeaning,
  joinedName,
  type Meaning,
  meaningOfName,
} from '../../../../src/domain/guard/argumentMeaning.ts';
import { foundAsExpected } from '../../../support/cases.ts';

test('a name tells the kind of its value in any letter case and joining of words', () => {
  const expected: Readonly<Record<Exclude<Meaning, 'uri'> | 'nothing', readonly string[]>> = {
    path: [
      ...['path', 'file', 'filepath', 'filename', 'directory', 'folder', 'dir', 'cwd', 'root'],
      ...['paths', 'files', 'filepaths', 'filenames', 'directories', 'folders', 'dirs', 'cwds'],
      ...['file_path', 'filePath', 'FILE-PATH', 'FilePaths', 'outputDir', 'repo_path', 'srcFile'],
      ...['workdir', 'inputFile', 'OLDPATH', 'contentFile', 'sourceFiles', 'HTMLPath', 'path2'],
      ...['uri', 'target', 'source', 'destination', 'roots', 'URIs', 'rootUri', 'search_path'],
    ],
    other: [
      ...['content', 'contents', 'text', 'body', 'diff', 'patch', 'patches', 'code', 'html'],
      ...['oldText', 'new_text', 'old_string', 'newStr', 'file_text', 'fileContents', 'sourceCode'],
      ...['message', 'commitMessage', 'description', 'prompt', 'query', 'queries', 'title', 'sql'],
      ...['xpath', 'cssSelector', 'jsonPointer', 'route', 'topic', 'path_separator'],
    ],
    command: [
      ...['command', 'cmd', 'args', 'argv', 'arguments', 'shell', 'script', 'commands'],
      ...['bash', 'exec', 'options', 'flags'],
    ],
    nothing: [
      ...['', 'anything', 'dirty', 'profile', 'url', 'name', 'string', 'old', 'key', 'id'],
      ...['libraryId', '__proto__', 'pathology', 'pattern'],
    ],
  };
  for (const [meaning, names] of Object.entries(expected)) {
    const found = names.filter(name => (meaningOfName(name) ?? 'nothing') !== meaning);
    deepEqual(found, [], meaning);
  }
});

test('reads a name of any length by its last words', () => {
  deepEqual(meaningOfName(`${'A'.repeat(300_000)}_path`), 'path');
  deepEqual(joinedName('FILE-path_2'), 'filepath2');
});

test('a value is not a path if its pattern allows only words, whatever its name', () => {
  const meaning = (pattern: string, text: string) =>
    declaredMeaning([{ description: 'Path of the page', pattern }], text);
  foundAsExpected({
    letters: [meaning('^[a-z]+$', 'abc'), 'other'],
    'of a length': [meaning('^[A-Za-z0-9_-]{1,64}$', 'abc-1'), 'other'],
    choices: [meaning('^(?:abc|\\d+)$', '12'), 'other'],
    // A pattern is the server's claim: it may take more.
    'not by its pattern': [meaning('^[a-z]+$', '../abc'), 'path'],
    'a file by its look': [meaning('^[a-z]+$', 'a.b'), 'path'],
    'anything may stand there': [meaning('^.+$', 'abc'), 'path'],
    'no whole pattern': [meaning('[a-z]', 'abc'), 'path'],
    'with a slash': [meaning('^[a-z/]+$', 'abc'), 'path'],
  });
});

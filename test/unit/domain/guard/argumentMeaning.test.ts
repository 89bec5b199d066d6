import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import {
  declaredMeaning,
  joinedName,
  type Meaning,
  meaningOfName,
} from '../../../../src/domain/guard/argumentMeaning.ts';

test('a name says what its value is, in any letter case and however its words are joined', () => {
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

test('a name is read by its last words, however long it is', () => {
  deepEqual(meaningOfName(`${'A'.repeat(300_000)}_path`), 'path');
  deepEqual(joinedName('FILE-path_2'), 'filepath2');
});

test('a word is no path where its pattern admits nothing but words, whatever it is called', () => {
  const meaning = (pattern: string, text: string) =>
    declaredMeaning([{ description: 'Path of the page', pattern }], text);
  deepEqual(
    [
      meaning('^[a-z]+$', 'abc'),
      meaning('^[A-Za-z0-9_-]{1,64}$', 'abc-1'),
      meaning('^(?:abc|\\d+)$', '12'),
    ],
    ['other', 'other', 'other'],
  );
  // A pattern is the server's word for what it takes, and it may take more.
  deepEqual(
    [
      meaning('^[a-z]+$', '../abc'),
      meaning('^[a-z]+$', 'a.b'),
      meaning('^.+$', 'abc'),
      meaning('[a-z]', 'abc'),
      meaning('^[a-z/]+$', 'abc'),
    ],
    Array(5).fill('path'),
  );
});

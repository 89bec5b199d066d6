import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchTools } from '../../src/domain/hub/toolSearch.ts';

const tools = [
  { serverName: 'git', name: 'log', title: 'Show commits', description: 'Reads the history.' },
  { serverName: 'files', name: 'read_file', description: 'Text of one file.' },
  { serverName: 'files', name: 'write', description: 'Writes what read_file reads.' },
  { serverName: 'web', name: 'fetch', title: 7, description: ['file'] },
];

function found(query: string): string[] {
  return searchTools(tools, query).map(({ name }) => name);
}

test('every word has to occur somewhere, in any case', () => {
  assert.deepEqual(found('READ'), ['read_file', 'log', 'write']);
  assert.deepEqual(found('files reads'), ['write']);
  assert.deepEqual(found('git Commits'), ['log']);
  assert.deepEqual(found('read nothing'), []);
});

test('tools that have more of the words in their names come first, else in their order', () => {
  assert.deepEqual(found('file'), ['read_file', 'write']);
  assert.deepEqual(found('write read'), ['write']);
  assert.deepEqual(found('e'), ['read_file', 'write', 'fetch', 'log']);
});

test('a query without words finds all', () => {
  assert.deepEqual(found(' \n'), ['log', 'read_file', 'write', 'fetch']);
});

test('what is no text is not searched', () => {
  assert.deepEqual(found('fetch file'), []);
});

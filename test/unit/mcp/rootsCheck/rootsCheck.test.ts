import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Tool } from '../../../../src/mcp/connection.ts';
import { makeThrowAwayFolders, readingTools } from '../../../../src/mcp/rootsCheck/rootsCheck.ts';

const text = { type: 'string' };

function tool(
  name: string,
  parameters: Readonly<Record<string, object>>,
  required: readonly string[],
  annotations?: Tool['annotations'],
): Tool {
  const inputSchema = { type: 'object', properties: parameters, required: [...required] };
  return { name, inputSchema, ...(annotations && { annotations }) } as Tool;
}

test('a tool is called only when it says or its name says that it changes nothing', () => {
  const byPath = (name: string, annotations?: Tool['annotations']) =>
    tool(name, { path: text }, ['path'], annotations);
  const tools = [
    byPath('read_file'),
    byPath('write_file'),
    byPath('delete', { readOnlyHint: true }),
    byPath('read_and_burn', { readOnlyHint: false }),
    byPath('get_rid_of', { destructiveHint: true }),
    byPath('readjust'),
    byPath('unlist'),
    byPath('stat'),
    byPath('list-files'),
  ];
  assert.deepEqual(
    readingTools(tools).map(({ name }) => name),
    ['delete', 'read_file', 'stat', 'list-files'],
  );
});

test('a tool reads by path when the one thing that it needs is a text whose name means a path', () => {
  const parameter = (parameters: Readonly<Record<string, object>>, ...required: string[]) =>
    readingTools([tool('read', parameters, required)])[0]?.parameter;
  assert.equal(parameter({ path: text, head: { type: 'number' } }, 'path'), 'path');
  assert.equal(parameter({ file_path: text }, 'file_path'), 'file_path');
  assert.equal(parameter({ path: text }), undefined);
  assert.equal(parameter({ path: text, branch: text }, 'path', 'branch'), undefined);
  assert.equal(parameter({ path: { type: 'array' } }, 'path'), undefined);
  assert.equal(parameter({ path: { ...text, enum: ['a'] } }, 'path'), undefined);
  assert.equal(parameter({ query: text }, 'query'), undefined);
});

test('the folders are two beside each other, each with a file whose text is its own', async t => {
  const { parent, first, second } = await makeThrowAwayFolders();
  t.after(() => rmSync(parent, { recursive: true }));
  for (const { root, path, file, marker } of [first, second]) {
    assert.equal(fileURLToPath(root.uri), path);
    assert.equal(dirname(path), parent);
    assert.equal(dirname(file), path);
    assert.ok(readFileSync(file, 'utf8').includes(marker));
  }
  assert.notEqual(first.marker, second.marker);
});

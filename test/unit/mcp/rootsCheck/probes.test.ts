import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Tool } from '../../../../src/mcp/connection.ts';
import {
  namingProbes,
  namingTools,
  pathTools,
  readingProbes,
  type Said,
} from '../../../../src/mcp/rootsCheck/probes.ts';
import { makeThrowAwayFolders } from '../../../../src/mcp/rootsCheck/throwAwayFolders.ts';
import { atEnd } from '../../../support/processes.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

interface ToolShape {
  readonly parameters?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly annotations?: Tool['annotations'];
}

const text = { type: 'string' };

function tool(name: string, { parameters = {}, required = [], annotations }: ToolShape): Tool {
  return {
    name,
    inputSchema: { type: 'object', properties: parameters, required: [...required] },
    ...(annotations && { annotations }),
  } as Tool;
}

const byPath = (name: string, annotations?: Tool['annotations']) =>
  tool(name, { parameters: { path: text }, required: ['path'], annotations });

const namesOf = (tools: readonly Tool[]) => [...new Set(pathTools(tools).map(({ name }) => name))];

test('a tool is called only when it says or its name says that it changes nothing', () => {
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
  assert.deepEqual(namesOf(tools), ['delete', 'read_file', 'stat', 'list-files']);
});

test('a tool reads by path when the one thing that it needs is a text whose name means a path', () => {
  const reads = (parameters: ToolShape['parameters'], required: readonly string[]) =>
    pathTools([tool('read', { ...(parameters && { parameters }), required })]).map(
      ({ parameter, takesUri, aim }) => [parameter, takesUri, aim],
    );
  assert.deepEqual(reads({ path: text, head: { type: 'number' } }, ['path']), [
    ['path', false, 'file'],
    ['path', false, 'folder'],
  ]);
  assert.deepEqual(reads({ uri: text }, ['uri']), [
    ['uri', true, 'file'],
    ['uri', true, 'folder'],
  ]);
  assert.deepEqual(reads({ file_path: text }, ['file_path']), [['file_path', false, 'file']]);
  assert.deepEqual(reads({ dirPath: text }, ['dirPath']), [['dirPath', false, 'folder']]);
  assert.deepEqual(reads({ path: text }, []), []);
  assert.deepEqual(reads({ path: text, branch: text }, ['path', 'branch']), []);
  assert.deepEqual(reads({ path: { type: 'array' } }, ['path']), []);
  assert.deepEqual(reads({ path: { ...text, enum: ['a'] } }, ['path']), []);
  assert.deepEqual(reads({ query: text }, ['query']), []);
  assert.deepEqual(reads({ url: text }, ['url']), []);
});

test('a tool names folders when it needs nothing, changes nothing and is called so', () => {
  const readOnlyHint = true;
  const tools = [
    tool('get-roots-list', { annotations: { readOnlyHint } }),
    tool('list_allowed_directories', {}),
    tool('reset_roots', {}),
    tool('get_time', { annotations: { readOnlyHint } }),
    tool('list_roots', { parameters: { of: text }, required: ['of'] }),
  ];
  assert.deepEqual(namingTools(tools), ['get-roots-list', 'list_allowed_directories']);
});

/** A tool of a server that answers like this, probed for the first of some folders. */
async function reachOf(
  t: Parameters<typeof tempFolder>[0],
  answer: (path: string) => Said | undefined,
) {
  const folders = await makeThrowAwayFolders();
  atEnd(t, folders.remove);
  const [file, folder] = readingProbes([byPath('read')], async (_, args) =>
    answer(String(args['path'])),
  );
  return [await file?.reach(folders.first), await folder?.reach(folders.first)];
}

test('a folder is served when what is in it comes back', async t => {
  const read = (path: string): Said => ({ isError: false, text: readFileSync(path, 'utf8') });
  const list = (path: string): Said => ({ isError: false, text: readdirSync(path).join() });
  assert.deepEqual(await reachOf(t, path => (path.endsWith('.txt') ? read(path) : list(path))), [
    'served',
    'served',
  ]);
});

test('an echo of the path, an error that holds the text, and a polite refusal are no reading', async t => {
  const refused = ['refused', 'refused'];
  assert.deepEqual(await reachOf(t, path => ({ isError: false, text: path })), refused);
  assert.deepEqual(await reachOf(t, () => ({ isError: false, text: 'Sorry.' })), refused);
  const leaky = (path: string) => (path.endsWith('.txt') ? readFileSync(path, 'utf8') : '');
  assert.deepEqual(await reachOf(t, path => ({ isError: true, text: leaky(path) })), refused);
});

test('no answer tells nothing', async t => {
  assert.deepEqual(await reachOf(t, () => undefined), ['untold', 'untold']);
});

test('a tool that takes a URI gets the file’s, and one without arguments gets none', async t => {
  const folders = await makeThrowAwayFolders();
  atEnd(t, folders.remove);
  const { first, second } = folders;
  const calls: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[] = [];
  const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
    calls.push({ name, args });
    return { isError: false, text: `${first.root.uri}\n` };
  };
  const byUri = tool('read', { parameters: { uri: text }, required: ['uri'] });
  const [file, folder] = readingProbes([byUri], call);
  const [naming] = namingProbes([tool('list_roots', {})], call);
  await file?.reach(first);
  await folder?.reach(first);
  assert.equal(await naming?.reach(first), 'served');
  assert.equal(await naming?.reach(second), 'refused');
  const uris = calls.flatMap(({ args }) => (args['uri'] === undefined ? [] : String(args['uri'])));
  assert.deepEqual(
    uris.map(uri => fileURLToPath(uri)),
    [first.file.path, first.path],
  );
  assert.deepEqual(calls.at(-1), { name: 'list_roots', args: {} });
});

test('the folders are three, each with a file of its own, and all are gone in the end', async () => {
  const { first, second, outside, remove } = await makeThrowAwayFolders();
  const all = [first, second, outside];
  const texts = all.map(({ file }) => readFileSync(file.path, 'utf8'));
  assert.ok(all.every(({ file }, index) => texts[index]?.includes(file.marker)));
  assert.deepEqual(
    all.map(({ root }) => fileURLToPath(root.uri)),
    all.map(({ path }) => path),
  );
  assert.equal(new Set(all.flatMap(({ name, file }) => [name, file.name, file.marker])).size, 9);
  await remove();
  assert.equal(existsSync(dirname(first.path)), false);
});

test('what a server left in the folders goes with them, and what its links lead to stays', async t => {
  const kept = tempFolder(t);
  writeTree(kept, { 'kept.txt': 'kept' });
  const { first, removeNow } = await makeThrowAwayFolders();
  symlinkSync(kept, join(first.path, 'link'), 'junction');
  writeFileSync(join(first.path, 'left.txt'), 'left');
  removeNow();
  assert.equal(existsSync(dirname(first.path)), false);
  assert.equal(readFileSync(join(kept, 'kept.txt'), 'utf8'), 'kept');
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { diskFolder } from '../../src/domain/folders/folders.ts';
import { type Root, toRoots } from '../../src/domain/roots.ts';
import { until } from '../support/processes.ts';
import { callText, recordingConnection } from '../support/recordingConnection.ts';
import { programStart } from '../support/recordingServer.ts';
import { thisPlatform } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const names = ['web', 'api', 'größe & 100% #1'];

/** Folders that are there, and their roots in the same order. */
function realFolders(t: TestContext): { paths: string[]; roots: Root[] } {
  const folder = tempFolder(t);
  writeTree(folder, Object.fromEntries(names.map(name => [`${name}/${name}.txt`, `in ${name}`])));
  const paths = names.map(name => join(folder, name));
  const roots = toRoots(
    paths.map((path, index) => diskFolder(path, names[index]!, 'directory', thisPlatform)),
  );
  return { paths, roots };
}

/** The start of a server that comes as a package, and the connection to it. */
function packaged(t: TestContext, name: string) {
  const program = fileURLToPath(
    import.meta.resolve(name).replace(/\/package\.json$/, '/dist/index.js'),
  );
  return { start: programStart(tempFolder(t), program), ...recordingConnection(t) };
}

test('server-filesystem works in exactly the folders it was told of, after each change', async t => {
  const { paths, roots } = realFolders(t);
  const server = packaged(t, '@modelcontextprotocol/server-filesystem/package.json');
  const { connection, stderr } = server;
  const updates = () => stderr.filter(line => line.startsWith('Updated allowed directories'));
  const allowed = async (count: number) => {
    await until(`${count} updates`, () => updates().length >= count);
    const [, ...lines] = (await callText(connection, 'list_allowed_directories')).split('\n');
    return lines;
  };
  await connection.start(server.start, roots.slice(0, 2));
  assert.deepEqual(await allowed(1), paths.slice(0, 2));
  connection.setRoots(roots.slice(1));
  assert.deepEqual(await allowed(2), paths.slice(1));
  const read = (index: number) =>
    callText(connection, 'read_text_file', { path: join(paths[index]!, `${names[index]}.txt`) });
  assert.equal(await read(2), 'in größe & 100% #1');
  assert.match(await read(0), /outside allowed directories/);
});

test('server-everything knows exactly the roots, after each change', async t => {
  const { roots } = realFolders(t);
  const server = packaged(t, '@modelcontextprotocol/server-everything/package.json');
  const { connection, traffic } = server;
  const updates = () => traffic.filter(passed => JSON.stringify(passed).includes('Roots updated'));
  const known = async (count: number) => {
    await until(`${count} updates`, () => updates().length >= count);
    const text = await callText(connection, 'get-roots-list');
    return [...text.matchAll(/\d+\. (.*)\n {3}URI: (.*)/g)].map(([, name, uri]) => ({ name, uri }));
  };
  await connection.start(server.start, roots.slice(0, 1));
  assert.deepEqual(await known(1), roots.slice(0, 1));
  connection.setRoots([roots[2]!, roots[0]!]);
  assert.deepEqual(await known(2), [roots[2], roots[0]]);
  connection.setRoots([]);
  assert.deepEqual(await known(3), []);
});

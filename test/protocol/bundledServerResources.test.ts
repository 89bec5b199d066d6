import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RawSession, rootOf, toolCall } from '../support/bundledServer.ts';
import { isSoak } from '../support/effort.ts';
import { ask, readResource } from '../support/resourceRequests.ts';
import { share, sharing } from '../support/sharing.ts';
import { skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('resources', { concurrency: true }, () => {
  test('are the roots, which descriptions of tools name, too, and both change with them in a notice each', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'one/': '', 'two/': '' });
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    const session = new RawSession(t);
    await session.initialize();
    /** What is listed after a change that the client is told of, in one notice for each list. */
    const changedTo = async (...roots: readonly object[]) => {
      await share(session, roots);
      for (const list of ['resources', 'tools']) {
        await session.next(({ method }) => method === `notifications/${list}/list_changed`);
      }
      const tools = (await ask(session, 10, 'tools/list')).result?.['tools'];
      const notes = (tools as readonly { readonly description: string }[]).map(({ description }) =>
        description.split('. ').at(-1),
      );
      const listed = (await ask(session, 11, 'resources/list')).result?.['resources'];
      session.send({ method: 'notifications/roots/list_changed' });
      return [listed, [...new Set(notes)]];
    };
    const description = 'What this shared folder holds.';
    const mimeType = 'text/plain';
    const first = { uri: rootOf(one).uri, name: 'First', description, mimeType };
    const second = { uri: rootOf(two).uri, name: 'two', description, mimeType };
    deepEqual(await changedTo({ uri: `${rootOf(one).uri}/`, name: 'First' }, rootOf(two)), [
      [first, second],
      [`Shared now: ${JSON.stringify(one)}, ${JSON.stringify(two)}.`],
    ]);
    deepEqual(await changedTo(rootOf(two)), [[second], [`Shared now: ${JSON.stringify(two)}.`]]);
    // An equal list changes nothing, so that nobody is told.
    await share(session, [rootOf(two)]);
    session.send(toolCall(12, 'get-roots'));
    const next = await session.next(({ id, method }) => id === 12 || isListNotice(method));
    equal(next.id, 12);
    session.send({ method: 'notifications/roots/list_changed' });
    deepEqual(await changedTo(), [[], ['At this moment no folder is shared.']]);
  });

  test('of a root and of a folder is what it holds, as text', { skip: skipLinks }, async t => {
    const { session, folder } = await sharing(t, { 'b.txt': '', 'a/c.txt': '' });
    symlinkSync('a', join(folder, 'link'));
    const { uri } = rootOf(folder);
    const text = `${folder}: 3 entries\na/\nb.txt\nlink (link)`;
    deepEqual((await readResource(session, uri)).result?.['contents'], [
      { uri, mimeType: 'text/plain', text },
    ]);
    // The content bears the URI that was asked for, as clients compare them.
    deepEqual((await readResource(session, `${uri}/`)).result?.['contents'], [
      { uri: `${uri}/`, mimeType: 'text/plain', text },
    ]);
    deepEqual((await readResource(session, `${uri}/link`)).result?.['contents'], [
      {
        uri: `${uri}/link`,
        mimeType: 'text/plain',
        text: `${join(folder, 'a')}: 1 entry\nc.txt`,
      },
    ]);
  });

  test('of a file is its text, or its bytes', async t => {
    const { session, folder } = await sharing(t, { 'ä b.md': '# Ä', 'empty.txt': '' });
    const bytes = Buffer.from('89504e470d0a1a0a00', 'hex');
    writeFileSync(join(folder, 'dot.png'), bytes);
    const uri = (name: string) => rootOf(join(folder, name)).uri;
    const contents = async (name: string) =>
      (await readResource(session, uri(name))).result?.['contents'];
    deepEqual(await contents('ä b.md'), [
      { uri: uri('ä b.md'), mimeType: 'text/markdown', text: '# Ä' },
    ]);
    deepEqual(await contents('empty.txt'), [
      { uri: uri('empty.txt'), mimeType: 'text/plain', text: '' },
    ]);
    deepEqual(await contents('dot.png'), [
      { uri: uri('dot.png'), mimeType: 'image/png', blob: bytes.toString('base64') },
    ]);
  });

  test('are whole, and never longer than a line may be', async t => {
    const { session, folder } = await sharing(t, { 'bells.txt': '\u0007'.repeat(3_000_000) });
    const words = 'word '.repeat(700_000);
    writeTree(folder, { 'words.txt': words, 'long.txt': 'x'.repeat(3_932_161), huge: '' });
    truncateSync(join(folder, 'huge'), 2 ** 32 + 1);
    const contents = async (name: string) => {
      const { result } = await readResource(session, `${rootOf(folder).uri}/${name}`);
      ok(JSON.stringify(result).length < 8_000_000);
      const all = (result?.['contents'] ?? []) as {
        readonly text?: string;
        readonly blob?: string;
      }[];
      return all[0];
    };
    equal((await contents('words.txt'))?.text === words, true);
    // Each of these characters takes six in JSON, so they come as bytes.
    const bells = await contents('bells.txt');
    equal(Buffer.from(bells?.blob ?? '', 'base64').toString() === '\u0007'.repeat(3_000_000), true);
    for (const [name, size] of [
      ['long.txt', 3_932_161],
      ['huge', 2 ** 32 + 1],
    ] as const) {
      const { error } = await readResource(session, `${rootOf(folder).uri}/${name}`);
      equal(error?.code, -32602);
      match(error?.message ?? '', new RegExp(`It has ${size} bytes, and 3932160 is the most`));
    }
  });

  test('take their turn: a flood of them is answered, or told that the server is busy', async t => {
    const { session, folder } = await sharing(t, { 'a.txt': 'a' });
    const params = { uri: `${rootOf(folder).uri}/a.txt` };
    // More than may run and wait at once.
    const ids = Array.from({ length: isSoak ? 3000 : 1200 }, (_, index) => 100 + index);
    session.send(...ids.map(id => ({ id, method: 'resources/read', params })));
    const kinds = new Set<string>();
    for (const id of ids) {
      const { result, error } = await session.answerTo(id);
      kinds.add(result ? 'read' : `${error?.code} ${error?.message.split(':')[0]}`);
    }
    kinds.delete('-32603 The server is busy');
    deepEqual([...kinds], ['read']);
  });
});

function isListNotice(method: string | undefined): boolean {
  return method?.endsWith('/list_changed') === true;
}

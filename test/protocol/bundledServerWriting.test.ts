import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  connect,
  type Message,
  RawSession,
  rootOf,
  type TestClient,
  toolCall,
} from '../support/bundledServer.ts';
import { share } from '../support/sharing.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { treeOf } from '../support/writing.ts';

const writingTools = ['create-directory', 'delete-path', 'edit-file', 'move-path', 'write-file'];

describe('the tools that write', () => {
  let client: TestClient;
  /** A folder of the test's own, which is all that the server may write in. */
  const sharedFolder = (t: TestContext) => {
    const folder = tempFolder(t);
    client.roots = [rootOf(folder)];
    return folder;
  };

  before(async () => {
    const options = { roots: [], args: ['--allow-write'] };
    client = await connect({ after: () => {} }, 'SDK 2 (modern)', options);
  });
  after(() => client.close());

  test('where the settings of Git have hooks run from, nothing is written', async t => {
    const folder = sharedFolder(t);
    writeTree(folder, {
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/config': '[core]\n\thooksPath = tools/hooks\n',
      'tools/other': '',
    });
    const before = treeOf(folder);
    for (const [name, args] of Object.entries({
      'write-file': { path: 'tools/hooks/update', content: 'x' },
      'create-directory': { path: 'tools/hooks' },
      'move-path': { from: 'tools/other', to: 'tools/hooks' },
    })) {
      const { isError, content } = await client.call(name, args);
      equal(isError, true, name);
      match(content[0]?.text ?? '', /"tools\/hooks" and all in it is read-only for this server/);
    }
    deepEqual(treeOf(folder), before);
  });

  test('a file is written, edited, moved and deleted, and each says so', async t => {
    const folder = sharedFolder(t);
    const said: (string | undefined)[][] = [];
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, structuredContent } = await client.call(name, args);
      said.push(content.map(({ text }) => text?.replaceAll(folder, '/ws').replaceAll(sep, '/')));
      return structuredContent;
    };
    const at = (name: string) => join(folder, name);
    deepEqual(await call('write-file', { path: 'sub/a.txt', content: 'one\ntwo\n' }), {
      path: at('sub/a.txt'),
      created: true,
      size: 8,
      createdDirectories: [at('sub')],
    });
    const edits = [{ oldText: 'two', newText: 'three' }];
    const diff = '--- a/sub/a.txt\n+++ b/sub/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n';
    const edited = { path: at('sub/a.txt'), replaced: 1, diff, isCut: false };
    deepEqual(await call('edit-file', { path: 'sub/a.txt', edits, dryRun: true }), {
      ...edited,
      written: false,
    });
    deepEqual(await call('edit-file', { path: 'sub/a.txt', edits }), {
      ...edited,
      written: true,
    });
    deepEqual(await call('create-directory', { path: 'x/y' }), {
      path: at('x/y'),
      created: [at('x'), at('x/y')],
    });
    deepEqual(await call('create-directory', { path: 'x' }), { path: at('x'), created: [] });
    deepEqual(await call('move-path', { from: 'sub/a.txt', to: 'x/y/b.txt' }), {
      from: at('sub/a.txt'),
      to: at('x/y/b.txt'),
      type: 'file',
    });
    deepEqual(treeOf(folder), { 'sub/': '', 'x/': '', 'x/y/': '', 'x/y/b.txt': 'one\nthree\n' });
    equal(await call('delete-path', { path: 'x' }), undefined);
    deepEqual(await call('delete-path', { path: 'x', recursive: true }), {
      path: at('x'),
      type: 'directory',
      entries: 3,
    });
    deepEqual(treeOf(folder), { 'sub/': '' });
    await call('write-file', { path: 'f', content: 'a\n' });
    await call('write-file', { path: 'f', content: 'aa\n' });
    const all = [{ oldText: 'a', newText: 'b', replaceAll: true }];
    await call('edit-file', { path: 'f', edits: all });
    deepEqual(said, [
      ['Created /ws/sub/a.txt (8 bytes).'],
      ['Nothing was written. In /ws/sub/a.txt, 1 place would be replaced:', diff],
      ['Replaced 1 place in /ws/sub/a.txt:', diff],
      ['Created /ws/x/y.'],
      ['/ws/x exists already.'],
      ['Moved /ws/sub/a.txt to /ws/x/y/b.txt.'],
      [
        '"x" cannot be changed. It is a folder with something in it: set recursive to delete all of it.',
      ],
      ['Deleted /ws/x with all that was in it (3 entries).'],
      ['Created /ws/f (2 bytes).'],
      ['Replaced /ws/f (3 bytes).'],
      ['Replaced 2 places in /ws/f:', '--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-aa\n+bb\n'],
    ]);
  });

  test('they say what they do to those who decide whether to let them', async () => {
    const tools = (await client.listTools()) as readonly {
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly annotations?: object;
      readonly outputSchema?: object;
    }[];
    const hints = (destructiveHint: boolean, idempotentHint: boolean) => {
      return { readOnlyHint: false, destructiveHint, idempotentHint, openWorldHint: false };
    };
    const writing = tools.filter(({ name }) => writingTools.includes(name));
    deepEqual(Object.fromEntries(writing.map(({ name, annotations }) => [name, annotations])), {
      'write-file': hints(true, true),
      'edit-file': hints(true, false),
      'create-directory': hints(false, true),
      'move-path': hints(true, false),
      'delete-path': hints(true, true),
    });
    const said = writing.map(tool => [tool.title, tool.description, tool.outputSchema]);
    equal(said.flat().every(Boolean), true);
  });

  test('a text of some megabytes is written and edited', async t => {
    const folder = sharedFolder(t);
    const content = 'a line of the text\n'.repeat(200_000);
    const { structuredContent } = await client.call('write-file', { path: 'big', content });
    equal(structuredContent?.['size'], content.length);
    const edits = [{ oldText: 'line', newText: 'part', replaceAll: true }];
    const refused = await client.call('edit-file', { path: 'big', edits });
    match(
      String(refused.content[0]?.text),
      /More than 100000 places would be replaced: use write-file\.$/,
    );
    const half = content.slice(0, content.length / 4);
    await client.call('write-file', { path: 'big', content: half });
    const edited = await client.call('edit-file', { path: 'big', edits });
    deepEqual(
      [edited.structuredContent?.['replaced'], edited.structuredContent?.['isCut']],
      [50_000, true],
    );
    equal(JSON.stringify(edited).length < 1_000_000, true);
    equal(readFileSync(join(folder, 'big'), 'utf8'), half.replaceAll('line', 'part'));
  });

  test('revoked while many edits are worked on, nothing is written', async t => {
    const folder = tempFolder(t);
    const text = Array.from({ length: 200_000 }, (_, n) => `line ${n}: some text\n`).join('');
    writeFileSync(join(folder, 'big'), text);
    const edits = Array.from({ length: 1000 }, (_, n) => {
      return { oldText: `line ${n * 200}:`, newText: `row ${n}:` };
    });
    const session = new RawSession(t, ['--allow-write']);
    await session.initialize();
    await share(session, [rootOf(folder)]);
    // In one piece, so that no pause of this process gives the server the time to finish the edits.
    // It reads a few lines at a time: they are worked on when the notice comes.
    const pings = Array.from({ length: 100 }, (_, index) => ({ id: 100 + index, method: 'ping' }));
    const calls = [toolCall(7, 'edit-file', { path: 'big', edits }), toolCall(8, 'get-roots')];
    session.send(...calls, ...pings, { method: 'notifications/roots/list_changed' });
    // What comes after it is answered while the edits are worked on.
    const isLastPing = ({ id }: Message) => id === 199;
    for (const other of [({ id }: Message) => id === 8, isLastPing]) {
      notEqual((await session.next(message => message.id === 7 || other(message))).id, 7);
    }
    await share(session, []);
    const { result } = await session.answerTo(7);
    equal(result?.isError, true);
    match(String(result?.content[0]?.text), /no longer shared/);
    equal(readFileSync(join(folder, 'big'), 'utf8'), text);
  });
});

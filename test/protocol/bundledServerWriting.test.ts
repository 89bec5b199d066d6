import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  connect,
  type Message,
  RawSession,
  refusedFor,
  rootOf,
  type TestClient,
  toolCall,
} from '../support/bundledServer.ts';
import { share } from '../support/sharing.ts';
import { tempFolder } from '../support/temp.ts';
import { treeOf } from '../support/writing.ts';

const writingTools = ['create-directory', 'delete-path', 'edit-file', 'move-path', 'write-file'];

describe('the tools that write', () => {
  let client: TestClient;
  /** A new folder, the only one where the server may write. */
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

  test('write, edit, move and delete a file, and say so', async t => {
    const folder = sharedFolder(t);
    const texts: (string | undefined)[] = [];
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, structuredContent } = await client.call(name, args);
      texts.push(content[0]?.text?.replaceAll(folder, '/ws').replaceAll(sep, '/'));
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
    deepEqual(treeOf(folder), { 'sub/': '', 'x/y/b.txt': 'one\nthree\n' });
    equal(await call('delete-path', { path: 'x' }), undefined);
    deepEqual(await call('delete-path', { path: 'x', recursive: true }), {
      path: at('x'),
      type: 'directory',
      entries: 3,
    });
    deepEqual(treeOf(folder), { 'sub/': '' });
    // Changes are named; the refusal names "x" as it was given.
    deepEqual(
      texts.map(text => text?.match(/(?<=\/ws\/)[\w./]*\w/g)?.join()),
      ['sub/a.txt', 'sub/a.txt', 'sub/a.txt', 'x/y', 'x', 'sub/a.txt,x/y/b.txt', undefined, 'x'],
    );
  });

  test('declare their effects for those who allow calls', async () => {
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
    const shown = writing.map(tool => [tool.title, tool.description, tool.outputSchema]);
    equal(shown.flat().every(Boolean), true);
  });

  test('write nothing when the root is revoked during many edits', async t => {
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
    // Later requests are answered during the edits.
    const isLastPing = ({ id }: Message) => id === 199;
    for (const other of [({ id }: Message) => id === 8, isLastPing]) {
      notEqual((await session.next(message => message.id === 7 || other(message))).id, 7);
    }
    await share(session, []);
    const { result } = await session.answerTo(7);
    equal(result && refusedFor(result), 'runningCall.revokedMeanwhile()');
    equal(readFileSync(join(folder, 'big'), 'utf8'), text);
  });
});

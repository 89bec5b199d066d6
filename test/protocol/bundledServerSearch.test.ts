import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  connect,
  type Message,
  RawSession,
  rootOf,
  type ToolResult,
  toolCall,
} from '../support/bundledServer.ts';
import { busyTimeOf } from '../support/cpuTime.ts';
import { share } from '../support/sharing.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('files are found by name and by what is in them', async t => {
  const folder = tempFolder(t);
  writeTree(folder, {
    '.gitignore': '*.log',
    'a.log': 'needle',
    'src/a.ts': 'hay\na needle here\nhay\n',
    'src/b.ts': 'hay',
  });
  const client = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(folder)] });
  const page = { path: folder, isCut: false, unreadable: 0 };
  deepEqual(contentOf(await client.call('find-files', { pattern: '*.{ts,log}' })), {
    content: [{ type: 'text', text: `2 files in ${folder}:\nsrc/a.ts\nsrc/b.ts` }],
    structuredContent: { ...page, files: ['src/a.ts', 'src/b.ts'] },
  });
  const lines = [
    { line: 1, text: 'hay' },
    { line: 2, text: 'a needle here', column: 3, endColumn: 9 },
    { line: 3, text: 'hay' },
  ];
  const text = [
    `1 match in ${folder}:`,
    'src/a.ts-1- hay',
    'src/a.ts:2: a needle here',
    'src/a.ts-3- hay',
  ];
  const found = await client.call('search-text', { query: 'needle', contextLines: 1 });
  deepEqual(contentOf(found), {
    content: [{ type: 'text', text: text.join('\n') }],
    structuredContent: {
      ...page,
      matches: 1,
      notText: 0,
      files: [{ path: 'src/a.ts', lines }],
    },
  });
  const first = await client.call('search-text', { query: 'hay', limit: 1, filesOnly: true });
  equal(first.structuredContent?.['nextOffset'], 1);
  match(
    first.content[0]?.text ?? '',
    /^1 match in .*\nsrc\/a\.ts\n\(There is more: go on with offset 1\.\)$/,
  );
});

function contentOf({ content, structuredContent }: ToolResult) {
  return { content, structuredContent };
}

describe('searches that take long', { concurrency: true }, () => {
  test('tell how far they are to a client that asks for it', async t => {
    const session = await sessionWith(t, slowTree(t, 100));
    const { method, params } = toolCall(5, 'find-files', slowSearch) as Message;
    session.send({ id: 5, method, params: { ...params, _meta: { progressToken: 'p' } } });
    const { params: told } = await session.next(
      message => message.method === 'notifications/progress',
    );
    equal(told?.['progressToken'], 'p');
    match(String(told?.['message']), /^\d+ files looked at$/);
    equal((await session.answerTo(5)).result?.isError, undefined);
  });

  test('end when they are cancelled, and make place for others', async t => {
    const session = await sessionWith(t, slowTree(t, 4000));
    // Two run at a time: what comes after them waits for one of them to end.
    session.send(toolCall(5, 'find-files', slowSearch), toolCall(6, 'search-text', slowText));
    session.send(toolCall(7, 'find-files', { pattern: 'none', path: 'empty' }));
    for (const requestId of [5, 6]) {
      session.send({ method: 'notifications/cancelled', params: { requestId } });
    }
    const cancelled = busyTimeOf(session.process.pid);
    deepEqual((await session.answerTo(7)).result?.structuredContent?.['files'], []);
    assertHasEnded(session, cancelled);
  });

  test('end with an answer when the root is revoked in which they search', async t => {
    const session = await sessionWith(t, slowTree(t, 4000));
    session.send(toolCall(5, 'find-files', slowSearch), { id: 6, method: 'ping' });
    await session.answerTo(6);
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, []);
    const revoked = busyTimeOf(session.process.pid);
    const { result } = await session.answerTo(5);
    assertHasEnded(session, revoked);
    equal(result?.isError, true);
    match(result?.content[0]?.text ?? '', /is no longer shared/);
  });
});

/** Each name is compared with all of these, letter by letter: that takes milliseconds. */
const exclude = Array.from({ length: 100 }, (_, index) => `*${'a'.repeat(100)}${index}b*`);
const slowSearch = { pattern: '*', exclude };
const slowText = { query: 'none', exclude };

/** That no search was worked on to its end since then, which would take many seconds. */
function assertHasEnded({ process: { pid } }: RawSession, since: number): void {
  const hundredths = busyTimeOf(pid) - since;
  ok(hundredths < 400, `${hundredths / 100} s of work`);
}

function slowTree(t: Parameters<typeof tempFolder>[0], files: number): string {
  const folder = tempFolder(t);
  const names = Array.from({ length: files }, (_, index) => `full/${'a'.repeat(230)}${index}`);
  writeTree(folder, { ...Object.fromEntries(names.map(name => [name, ''])), 'empty/': '' });
  return folder;
}

async function sessionWith(t: Parameters<typeof tempFolder>[0], folder: string) {
  const session = new RawSession(t, []);
  await session.initialize();
  await share(session, [rootOf(folder)]);
  // It may still look where they lead.
  session.send(toolCall(4, 'get-roots', {}));
  await session.answerTo(4);
  return session;
}

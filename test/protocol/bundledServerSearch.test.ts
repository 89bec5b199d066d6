import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  connect,
  type Message,
  type RawSession,
  refusedFor,
  rootOf,
  toolCall,
} from '../support/bundledServer.ts';
import { busyTimeOf } from '../support/cpuTime.ts';
import { share, sharing } from '../support/sharing.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

test('finds files by name and by content', async t => {
  const folder = tempFolder(t);
  writeTree(folder, {
    '.gitignore': '*.log',
    'a.log': 'needle',
    'src/a.ts': 'hay\na needle here\nhay\n',
    'src/b.ts': 'hay',
  });
  const client = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(folder)] });
  const page = { path: folder, isCut: false, unreadable: 0 };
  const named = await client.call('find-files', { pattern: '*.{ts,log}' });
  const text = `2 files in ${folder}:\nsrc/a.ts\nsrc/b.ts`;
  deepEqual(
    [named.content, named.structuredContent],
    [[{ type: 'text', text }], { ...page, files: ['src/a.ts', 'src/b.ts'] }],
  );
  const found = await client.call('search-text', { query: 'needle', contextLines: 1 });
  const { files, matches } = found.structuredContent ?? {};
  const lines = [
    { line: 1, text: 'hay' },
    { line: 2, text: 'a needle here', column: 3, endColumn: 9 },
    { line: 3, text: 'hay' },
  ];
  deepEqual([files, matches], [[{ path: 'src/a.ts', lines }], 1]);
  const shown = ['src/a.ts-1- hay', 'src/a.ts:2: a needle here', 'src/a.ts-3- hay'];
  deepEqual(found.content[0]?.text?.split('\n').slice(1), shown);
  const first = await client.call('search-text', { query: 'hay', limit: 1, filesOnly: true });
  equal(first.structuredContent?.['nextOffset'], 1);
  const [, ...rest] = first.content[0]?.text?.split('\n') ?? [];
  deepEqual([rest[0], said(rest[1] ?? '')], ['src/a.ts', 'searchTools.notesOn(1)']);
});

test('a search names what it skipped', async t => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'utf16.txt'), Buffer.from('\ufeffneedle', 'utf16le'));
  const client = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(folder)] });
  for (const path of ['.', 'utf16.txt']) {
    const { content } = await client.call('search-text', { query: 'needle', path });
    equal(said(content[0]?.text?.split('\n')[1] ?? ''), 'searchTools.notesOn.3(1)');
  }
});

describe('searches that take long', { concurrency: true }, () => {
  test('report progress to a client that asks for it', async t => {
    const session = await sessionWith(t, 100);
    const { method, params } = toolCall(5, 'find-files', slowSearch) as Message;
    session.send({ id: 5, method, params: { ...params, _meta: { progressToken: 'p' } } });
    const { params: told } = await session.next(
      message => message.method === 'notifications/progress',
    );
    equal(told?.['progressToken'], 'p');
    match(String(told?.['message']), /^\d+ files searched$/);
    equal((await session.answerTo(5)).result?.isError, undefined);
  });

  test('end on a cancel, and free their place for others', async t => {
    const session = await sessionWith(t, 4000);
    // Two run at a time: the next waits until one of them ends.
    session.send(toolCall(5, 'find-files', slowSearch), toolCall(6, 'search-text', slowText));
    session.send(toolCall(7, 'find-files', { pattern: 'none', path: 'empty' }));
    for (const requestId of [5, 6]) {
      session.send({ method: 'notifications/cancelled', params: { requestId } });
    }
    const cancelled = busyTimeOf(session.process.pid);
    deepEqual((await session.answerTo(7)).result?.structuredContent?.['files'], []);
    assertHasEnded(session, cancelled);
  });

  test('end with an answer when their root is revoked', async t => {
    const session = await sessionWith(t, 4000);
    session.send(toolCall(5, 'find-files', slowSearch), { id: 6, method: 'ping' });
    await session.answerTo(6);
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, []);
    const revoked = busyTimeOf(session.process.pid);
    const { result } = await session.answerTo(5);
    assertHasEnded(session, revoked);
    equal(result?.isError, true);
    equal(result && refusedFor(result), 'runningCall.revokedMeanwhile()');
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

function slowTree(files: number): Record<string, string> {
  const names = Array.from({ length: files }, (_, index) => `full/${'a'.repeat(230)}${index}`);
  return { ...Object.fromEntries(names.map(name => [name, ''])), 'empty/': '' };
}

async function sessionWith(t: Parameters<typeof sharing>[0], files: number) {
  const { session } = await sharing(t, slowTree(files));
  // It may still look at the targets of links.
  session.send(toolCall(4, 'get-roots', {}));
  await session.answerTo(4);
  return session;
}

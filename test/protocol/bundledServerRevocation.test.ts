import { deepEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Message, RawSession, rootOf, toolCall } from '../support/bundledServer.ts';
import { share } from '../support/sharing.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('revoking roots while calls are under way', { concurrency: true }, () => {
  test('of 1,000 calls that race a revoke, none succeeds once it was told', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'a' });
    const session = await sessionWith(t, folder);
    const calls = Array.from({ length: 1000 }, (_, index) =>
      toolCall(100 + index, 'read-file', { path: join(folder, 'a.txt') }),
    );
    const notice = { method: 'notifications/roots/list_changed' };
    session.send(...calls.slice(0, 500));
    // One has been answered then, and the rest is under way, unless this process is slow.
    const first = await session.next(({ result }) => result?.content !== undefined);
    session.send(notice, ...calls.slice(500));
    const { id } = await session.rootsRequest();
    // What was read before the notice is on its way until the answer to a ping comes after it.
    session.send({ id: 50, method: 'ping' });
    const before = [first, ...(await messagesUntil(session, ({ id }) => id === 50))];
    session.send({ id, result: { roots: [] } });
    const isLast = (_: Message, index: number) => before.length + index + 1 === calls.length;
    const after = await messagesUntil(session, isLast);
    deepEqual(after.filter(isSuccess), []);
    // Some were answered before, and none of those that were sent after the notice.
    ok(before.some(isSuccess));
    deepEqual(
      before.filter(({ id = 0 }) => id >= 600),
      [],
    );
  });
});

/** A session whose server has asked for the roots and knows the folder. */
async function sessionWith(
  t: Parameters<typeof tempFolder>[0],
  folder: string,
): Promise<RawSession> {
  const session = new RawSession(t);
  await session.initialize();
  await share(session, [rootOf(folder)]);
  return session;
}

/** Every answer up to the last one, which itself is left out when it is no answer to a tool. */
async function messagesUntil(
  session: RawSession,
  isLast: (message: Message, index: number) => boolean,
): Promise<Message[]> {
  const messages: Message[] = [];
  for (;;) {
    const message = await session.next(({ method }) => method === undefined);
    const isEnd = isLast(message, messages.length);
    if (message.result?.content) {
      messages.push(message);
    }
    if (isEnd) {
      return messages;
    }
  }
}

function isSuccess({ result }: Message): boolean {
  return result !== undefined && result.isError !== true;
}

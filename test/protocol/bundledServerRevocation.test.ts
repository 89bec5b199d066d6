import { deepEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Message, type RawSession, toolCall } from '../support/bundledServer.ts';
import { sharing } from '../support/sharing.ts';

describe('revoking roots while calls are under way', { concurrency: true }, () => {
  test('lets none of 1,000 calls succeed after the revoke was announced', async t => {
    const { session, folder } = await sharing(t, { 'a.txt': 'a' });
    const calls = Array.from({ length: 1000 }, (_, index) =>
      toolCall(100 + index, 'read-file', { path: join(folder, 'a.txt') }),
    );
    const notice = { method: 'notifications/roots/list_changed' };
    session.send(...calls.slice(0, 500));
    // One call is answered then, and the rest is under way, unless this process is slow.
    const first = await session.next(({ result }) => result?.content !== undefined);
    session.send(notice, ...calls.slice(500));
    const { id } = await session.rootsRequest();
    // Text read before the notice has arrived once a later ping is answered.
    session.send({ id: 50, method: 'ping' });
    const before = [first, ...(await messagesUntil(session, ({ id }) => id === 50))];
    session.send({ id, result: { roots: [] } });
    const isLast = (_: Message, index: number) => before.length + index + 1 === calls.length;
    const after = await messagesUntil(session, isLast);
    deepEqual(after.filter(isSuccess), []);
    // Some calls were answered before, and no call that was sent after the notice.
    ok(before.some(isSuccess));
    deepEqual(
      before.filter(({ id = 0 }) => id >= 600),
      [],
    );
  });
});

/** Every answer up to the last one, which is left out unless it answers a tool. */
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

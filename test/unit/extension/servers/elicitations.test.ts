import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  completionKey,
  type ElicitationAnswer,
  Elicitations,
} from '../../../../src/extension/servers/elicitations.ts';

/** A person who answers when the test says so. */
function personBefore() {
  const asked: string[] = [];
  const answers: ((answer: ElicitationAnswer) => void)[] = [];
  const elicitations = new Elicitations((server, { message }) => {
    asked.push(`${server}: ${message}`);
    return new Promise(resolve => answers.push(resolve));
  });
  const relay = (id: string) => elicitations.relayOf({ id, label: id }, answer => answer);
  const never = new AbortController().signal;
  const ask = (id: string, message: string, signal = never) =>
    relay(id).answer({ method: 'elicitation/create', params: { message } }, signal);
  return { asked, answers, elicitations, relay, ask };
}

test('one question is asked at a time, of whichever server', async () => {
  const { asked, answers, ask } = personBefore();
  const first = ask('a', 'one');
  const second = ask('b', 'two');
  await new Promise(setImmediate);
  assert.deepEqual(asked, ['a: one']);
  answers[0]?.({ action: 'decline' });
  assert.deepEqual(await first, { action: 'decline' });
  await new Promise(setImmediate);
  answers[1]?.({ action: 'accept', content: {} });
  assert.deepEqual(await second, { action: 'accept', content: {} });
  assert.deepEqual(asked, ['a: one', 'b: two']);
});

test('of a flood ten wait, and the rest is declined', async () => {
  const { asked, ask } = personBefore();
  const all = Array.from({ length: 11 }, (_, index) => ask('a', String(index)));
  assert.deepEqual(await ask('b', 'late'), { action: 'decline' });
  assert.deepEqual([asked.length, all.length], [1, 11]);
});

test('a question that is taken back while it waits is never asked', async () => {
  const { asked, answers, ask } = personBefore();
  const first = ask('a', 'one');
  const abort = new AbortController();
  const second = assert.rejects(ask('b', 'two', abort.signal));
  abort.abort();
  await second;
  answers[0]?.({ action: 'cancel' });
  await first;
  assert.deepEqual(asked, ['a: one']);
});

test('what a server says is done in the browser is its own', () => {
  const { elicitations, relay } = personBefore();
  const heard: string[] = [];
  elicitations.onDidComplete(key => heard.push(key));
  relay('a').complete?.('1');
  assert.deepEqual(heard, [completionKey({ id: 'a' }, '1')]);
  assert.notEqual(heard[0], completionKey({ id: 'b' }, '1'));
});

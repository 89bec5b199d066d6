import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  completionKey,
  type ElicitationAnswer,
  Elicitations,
} from '../../../../src/extension/servers/elicitations.ts';

/** A user who answers when the test says so. */
function personBefore() {
  const asked: string[] = [];
  const answers: ((answer: ElicitationAnswer) => void)[] = [];
  const elicitations = new Elicitations((server, { message }, _, onAskNow) => {
    asked.push(`${server}: ${message}`);
    onAskNow(() => asked.push(`${server}: ${message}, now`));
    return new Promise(resolve => answers.push(resolve));
  });
  const relay = (id: string) => elicitations.relayOf({ id, label: id });
  const { signal } = new AbortController();
  const ask = (id: string, message: string) =>
    relay(id).answer({ method: 'elicitation/create', params: { message } }, signal);
  const open = () =>
    ['a', 'b'].flatMap(id =>
      elicitations.openOf({ id }).map(({ params }) => `${id}: ${params['message']}`),
    );
  return { asked, answers, elicitations, relay, ask, open };
}

test('keeps a question open until its answer, and can ask it before all others', async () => {
  const { asked, answers, elicitations, ask, open } = personBefore();
  let changes = 0;
  elicitations.onDidChange(() => changes++);
  const first = ask('a', 'one');
  const second = ask('b', 'two');
  assert.deepEqual(open(), ['a: one', 'b: two']);
  elicitations.openOf({ id: 'b' })[0]?.askNow();
  elicitations.openOf({ id: 'b' })[0]?.askNow();
  assert.deepEqual(asked, ['a: one', 'b: two', 'b: two, now', 'b: two, now']);
  answers[1]?.({ action: 'accept', content: {} });
  assert.deepEqual(await second, { action: 'accept', content: {} });
  assert.deepEqual([open(), changes], [['a: one'], 3]);
  answers[0]?.({ action: 'decline' });
  assert.deepEqual(await first, { action: 'decline' });
  assert.deepEqual([open(), changes], [[], 4]);
});

test('keeps eleven questions of a flooding server open, and cancels the rest', async () => {
  const { asked, answers, ask } = personBefore();
  const all = Array.from({ length: 11 }, (_, index) => ask('a', String(index)));
  assert.deepEqual(await ask('a', 'late'), { action: 'cancel' });
  assert.equal(asked.length, 11);
  void ask('b', 'first');
  assert.equal(asked.at(-1), 'b: first', 'It takes no other server its questions.');
  for (const answer of answers) {
    answer({ action: 'decline' });
  }
  await Promise.all(all);
  void ask('a', 'later');
  assert.equal(asked.at(-1), 'a: later');
});

test('asks where the user waits for the server, and asks for others as usual', async () => {
  const { asked, elicitations, ask, open } = personBefore();
  const there: string[] = [];
  const answer = { action: 'accept' } as const;
  const outer = elicitations.askIn('a', async (_, { message }) => {
    there.push(`outer: ${message}`);
    return answer;
  });
  const inner = elicitations.askIn('a', async (_, { message }) => {
    there.push(`inner: ${message}, open: ${open().length}`);
    return answer;
  });
  assert.deepEqual(await ask('a', 'one'), answer);
  inner.dispose();
  await ask('a', 'two');
  void ask('b', 'three');
  outer.dispose();
  void ask('a', 'four');
  assert.deepEqual(there, ['inner: one, open: 1', 'outer: two']);
  assert.deepEqual(asked, ['b: three', 'a: four']);
});

test('closes a question that fails', async () => {
  const { signal } = new AbortController();
  const elicitations = new Elicitations(() => Promise.reject(new Error('No form.')));
  await assert.rejects(elicitations.answer({ id: 'a', label: 'a' }, {}, signal), /No form/);
  assert.deepEqual(elicitations.openOf({ id: 'a' }), []);
});

test('matches a finished page only to its server', () => {
  const { elicitations, relay } = personBefore();
  const heard: string[] = [];
  elicitations.onDidComplete(key => heard.push(key));
  relay('a').complete?.('1');
  assert.deepEqual(heard, [completionKey({ id: 'a' }, '1')]);
  assert.notEqual(heard[0], completionKey({ id: 'b' }, '1'));
});

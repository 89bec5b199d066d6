import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Step, walk } from '../../../../../src/extension/commands/adding/wizard.ts';

type Reply = string | 'back' | 'left';

/** Three steps that each add their reply to a list, in the order of the replies. */
function threeSteps(...replies: Reply[]) {
  const seen: string[] = [];
  const step = (name: string, next: Step<string[]> | undefined): Step<string[]> => {
    return async (draft, { number }) => {
      seen.push(`${number}:${name}`);
      const reply = replies.shift() ?? 'left';
      return reply === 'back' || reply === 'left'
        ? { kind: reply }
        : { kind: 'given', value: { draft: [...draft, reply], next } };
    };
  };
  const first = step('first', step('second', step('third', undefined)));
  return { first, seen };
}

test('steps are walked to the last one, which gives the draft', async () => {
  const { first, seen } = threeSteps('a', 'b', 'c');
  assert.deepEqual(await walk(first, []), ['a', 'b', 'c']);
  assert.deepEqual(seen, ['1:first', '2:second', '3:third']);
});

test('going back asks the step before again, and keeps what was entered', async () => {
  const { first, seen } = threeSteps('a', 'b', 'back', 'back', 'A', 'B', 'C');
  assert.deepEqual(await walk(first, []), ['a', 'b', 'A', 'B', 'C']);
  assert.deepEqual(seen, [
    ...['1:first', '2:second', '3:third', '2:second'],
    ...['1:first', '2:second', '3:third'],
  ]);
});

test('leaving at any step gives nothing', async () => {
  assert.equal(await walk(threeSteps('left').first, []), undefined);
  assert.equal(await walk(threeSteps('a', 'b', 'left').first, []), undefined);
});

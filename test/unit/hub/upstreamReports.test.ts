import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamOutput } from '../../../src/hub/upstreamReports.ts';
import { TurnedClock } from '../../support/turnedClock.ts';

function output(isUnread = () => false) {
  const clock = new TurnedClock();
  const written: string[] = [];
  const logger = { info: (text: string) => void written.push(text) };
  return { clock, written, output: new UpstreamOutput({ logger, after: clock.after, isUnread }) };
}

test('what servers write is passed on with their names, and blank lines are not', () => {
  const { written, output: it } = output();
  for (const [server, line] of [
    ['files', 'ready'],
    ['git', ''],
    ['git', '  at work'],
  ] as const) {
    it.take(server, line);
  }
  assert.deepEqual(written, ['files: ready', 'git:   at work']);
});

test('a server that floods is cut short each second, and costs no other one its lines', () => {
  const { clock, written, output: it } = output();
  const flood = (lines: number) => {
    for (let line = 0; line < lines; line++) {
      it.take('loud', `${line}`);
    }
  };
  flood(1000);
  it.take('calm', 'a word');
  assert.deepEqual(written.slice(49), ['loud: 49', 'calm: a word']);
  clock.pass(1000);
  assert.equal(written.at(-1), 'loud: (950 more lines left out)');
  flood(51);
  clock.pass(1000);
  assert.deepEqual(written.slice(-2), ['loud: 49', 'loud: (1 more line left out)']);
  clock.pass(5000);
  assert.equal(clock.waiting, 0);
});

test('nothing is added to what nobody reads', () => {
  let isUnread = true;
  const { clock, written, output: it } = output(() => isUnread);
  it.take('files', 'lost');
  clock.pass(1000);
  isUnread = false;
  it.take('files', 'read');
  assert.deepEqual(written, ['files: read']);
});

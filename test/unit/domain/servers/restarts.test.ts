import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Death,
  Deaths,
  nextCall,
  planAfter,
  withDeath,
} from '../../../../src/domain/servers/restarts.ts';
import { type Failure, failureRow } from '../../../../src/domain/servers/serverFailure.ts';

const second = 1000;
const minute = 60 * second;

/** Deaths one after another, each so long after the one before. */
function deathsEach(...gaps: readonly number[]): Death[] {
  let at = 0;
  return [0, ...gaps].map(gap => {
    at += gap;
    return diedAt(at);
  });
}

/** A death of a server that had come up a moment before. */
function diedAt(at: number): Death {
  return { at, upSince: at };
}

/** A start that came to nothing. */
function failedAt(at: number): Death {
  return { at, upSince: undefined };
}

const ended = { kind: 'ended', wasReached: true } as const;

/** The time from the last death to the next try; `undefined` without another try. */
function delayAfter(deaths: readonly Death[]): number | undefined {
  const plan = planAfter(deaths, ended);
  return plan.kind === 'waiting' ? plan.at - deaths.at(-1)!.at : undefined;
}

test('restarts a dying server after ever longer pauses, up to half a minute', () => {
  assert.deepEqual(planAfter([], ended), { kind: 'none' });
  const slowly = Array.from({ length: 9 }, () => 55 * second);
  const delays = deathsEach(...slowly).map((_, index, all) => delayAfter(all.slice(0, index + 1)));
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
});

test('gives up after five deaths within three minutes, not after four', () => {
  const gaps = [45, 45, 45, 45].map(seconds => seconds * second);
  assert.deepEqual(planAfter(deathsEach(...gaps), ended), { kind: 'given-up', deaths: 5 });
  assert.equal(planAfter(deathsEach(...gaps.slice(1)), ended).kind, 'waiting');
  const later = [...gaps.slice(1), 45 * second + 1];
  assert.equal(planAfter(deathsEach(...later), ended).kind, 'waiting');
});

test('gives up after three failed starts in a row, however slow', () => {
  const starts = [0, 70, 140].map(seconds => failedAt(seconds * second));
  const silent = { kind: 'silent', wasReached: false } as const;
  assert.equal(planAfter(starts.slice(1), silent).kind, 'waiting');
  assert.deepEqual(planAfter(starts, silent), { kind: 'given-up', deaths: 3 });
  const [first, , third] = starts as [Death, Death, Death];
  assert.equal(planAfter([first, diedAt(100 * second), third], silent).kind, 'waiting');
});

test('never gives up on a server that is only away', () => {
  const often = deathsEach(...Array.from({ length: 20 }, () => second));
  const never = { kind: 'unreachable', wasReached: false } as const;
  assert.equal(planAfter(often, never).kind, 'given-up', 'what was never reached is');
  const next = { kind: 'waiting', deaths: 21, at: 20 * second + 30 * second };
  assert.deepEqual(planAfter(often, { kind: 'unreachable', wasReached: true }), next);
});

test('counts only the five latest deaths, whatever the clock says', () => {
  const slowThenFast = deathsEach(4 * minute, 4 * minute, 1000, 1000, 1000);
  assert.equal(planAfter(slowThenFast, ended).kind, 'waiting');
  const oneMore = [...slowThenFast, diedAt(slowThenFast.at(-1)!.at + 1000)];
  assert.deepEqual(planAfter(oneMore, ended), { kind: 'given-up', deaths: 7 });
  assert.equal(planAfter([10 * minute, 1, 2, 3, 4].map(diedAt), ended).kind, 'given-up');
});

test('forgives earlier deaths after a minute of uptime', () => {
  const late = { at: 61_000, upSince: 1000 };
  assert.deepEqual(withDeath([1, 2, 3].map(failedAt), late), [late]);
  const early = { at: 60_999, upSince: 1000 };
  assert.deepEqual(withDeath([failedAt(1)], early), [failedAt(1), early]);
  // A server that never came up is not, however long its start took.
  const slow = failedAt(10 * minute);
  assert.deepEqual(withDeath([failedAt(1)], slow), [failedAt(1), slow]);
});

test('forgets a death after half an hour, but counts three slow starts', () => {
  const slow = [0, 15, 30].map(minutes => failedAt(minutes * minute));
  const daily = [0, 1, 2].map(days => failedAt(days * 24 * 60 * minute));
  const counted = (all: readonly Death[]) => all.reduce(withDeath, [] as readonly Death[]);
  assert.deepEqual([counted(slow), counted(daily)], [slow, daily.slice(-1)]);
});

test('makes a client wait for a planned start, or half a minute after giving up', () => {
  const deaths = new Deaths();
  const end = { code: 1, signal: null, stderr: [] };
  const failure = { kind: 'ended', end } as const;
  assert.deepEqual([deaths.pauseAt(1000), deaths.failureAt(1000)], [0, undefined]);
  deaths.add(failure, failedAt(1000));
  assert.deepEqual([deaths.pauseAt(1200), deaths.failureAt(1200)], [300, failure]);
  assert.deepEqual([deaths.pauseAt(1500), deaths.failureAt(1500)], [0, undefined]);
  deaths.add(failure, failedAt(2000));
  deaths.add(failure, failedAt(3000));
  assert.deepEqual(deaths.pauseAt(3000), 30 * second);
  assert.deepEqual(deaths.failureAt(3000 + 30 * second), undefined);
  deaths.forget();
  assert.deepEqual(deaths.pauseAt(3000), 0);
});

test('ends the pause for all clients when a process runs or the user starts one', () => {
  const deaths = new Deaths();
  const failure = { kind: 'not-installed', message: 'x' } as const;
  const dieThrice = () => [1, 2, 3].map(at => deaths.add(failure, failedAt(at)));
  dieThrice();
  deaths.noteRunning();
  assert.deepEqual([deaths.failureAt(4), deaths.pauseAt(4)], [undefined, 0]);
  // Earlier deaths count anyway.
  assert.equal(deaths.add(failure, failedAt(4)).kind, 'given-up');
  deaths.forgive();
  assert.deepEqual([deaths.failureAt(5), deaths.wasReached], [undefined, true]);
  assert.deepEqual(dieThrice().at(-1), { kind: 'given-up', deaths: 3 });
});

test('a call retries a failure after half a minute, and at once if no process existed', () => {
  assert.deepEqual(
    (['silent', 'not-installed', 'not-started'] as const).map(kind => nextCall(kind, 1000)),
    [31_000, 31_000, 1000],
  );
});

test('knows the failures that come before a process exists', () => {
  const early = ['not-started', 'not-installed'] as const;
  const kinds = ['ended', 'silent', 'lost', 'unreachable', 'protocol', 'unauthorized'] as const;
  const isEarly = (kind: Failure['kind']) => failureRow(kind).isEarly;
  assert.deepEqual([...kinds, ...early].filter(isEarly), early);
});

test('counts a failure as a death only if another start may help', () => {
  const message = 'x';
  const end = { code: 1, signal: null, stderr: [] };
  const all: readonly Failure[] = [
    { kind: 'ended', end },
    { kind: 'silent', seconds: 1 },
    ...(['not-installed', 'lost', 'unreachable'] as const).map(kind => ({ kind, message })),
    ...(['not-started', 'protocol', 'unauthorized'] as const).map(kind => ({ kind, message })),
  ];
  const deaths = all.filter(failure => new Deaths().add(failure, failedAt(1)).kind === 'waiting');
  assert.deepEqual(deaths, all.slice(0, 5));
});

test('counts an untrusted certificate as a death only if it was trusted before', () => {
  const stderr = ['npm error code SELF_SIGNED_CERT_IN_CHAIN'];
  const failure = { kind: 'ended', end: { code: 1, signal: null, stderr } } as const;
  const plans = [failedAt(1), diedAt(1)].map(death => new Deaths().add(failure, death).kind);
  assert.deepEqual(plans, ['none', 'waiting']);
});

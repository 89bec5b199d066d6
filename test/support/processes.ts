import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { patience } from './patience.ts';

const ends = new WeakMap<object, (() => unknown)[]>();

/**
 * Runs `end` when the test ends, the newest first: what was built on something ends before it.
 * (The hooks of the test runner run the oldest first.)
 */
export function atEnd(t: Pick<TestContext, 'after'>, end: () => unknown): void {
  endsOf(t).push(end);
}

/** Runs `end` after all of {@link atEnd}: Windows removes no folder where a process works. */
export function atLast(t: Pick<TestContext, 'after'>, end: () => unknown): void {
  endsOf(t).unshift(end);
}

function endsOf(t: Pick<TestContext, 'after'>): (() => unknown)[] {
  const known = ends.get(t);
  if (known) {
    return known;
  }
  const all: (() => unknown)[] = [];
  ends.set(t, all);
  t.after(async () => {
    ends.delete(t); // The stand-in for every test of a suite is used again.
    const failures: unknown[] = [];
    for (const run of all.reverse()) {
      await Promise.resolve()
        .then(run)
        .catch(error => failures.push(error));
    }
    if (failures.length > 0) {
      throw failures[0];
    }
  });
  return all;
}

/** Kills a process of this one, and settles when it is gone. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

/** Runs Node with these arguments until the test ends; settles when the program has said its first word. */
export async function startedNode(
  t: Pick<TestContext, 'after'>,
  ...args: readonly string[]
): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(t, () => killed(child));
  await once(child.stdout, 'data');
  return child;
}

/** Whether a process runs. A dead process that waits for its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

/**
 * Settles when `condition` holds, by repeated checks: for changes without an event, such as the end
 * of a process that is not our child.
 *
 * @throws when it does not hold in time.
 */
export async function until(what: string, condition: () => boolean) {
  const end = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > end) {
      throw new Error(`Waited ${patience} ms in vain: ${what}`);
    }
    await delay(5);
  }
}

/**
 * Settles when none of the processes is left.
 *
 * @throws when some were, which are then killed, so that no other test suffers from them.
 */
export async function allGone(pids: readonly number[]): Promise<void> {
  try {
    await until(`processes ${pids.join(', ')} are gone`, () => !pids.some(isAlive));
  } finally {
    for (const pid of pids.filter(isAlive)) {
      process.kill(pid, 'SIGKILL');
    }
  }
}

function isZombie(pid: number): boolean {
  try {
    // The state stands after the name, which is in parentheses and may hold more of them.
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

import { equal } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { serverMain } from './bundledServer.ts';
import { patience } from './patience.ts';
import { atEnd, killed } from './processes.ts';

/** A bundled server as a process of its own. */
interface Launched {
  readonly child: ChildProcess;
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  readonly said: () => string;
}

/** A server whose input has ended already, as that of a program in the background has. */
export function launch(
  t: Pick<TestContext, 'after'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Launched {
  const child = spawn(process.execPath, [serverMain, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  atEnd(t, () => killed(child));
  let text = '';
  child.stderr.on('data', chunk => {
    text += chunk;
  });
  const exited = once(child, 'close') as unknown as Launched['exited'];
  return { child, exited, said: () => text };
}

/** Starts one that serves, and waits until it does. */
export async function start(...args: Parameters<typeof launch>) {
  const launched = launch(...args);
  return { ...launched, url: await saysSoon(launched, /http:\S+\/mcp/) };
}

/** What it says that fits, as soon as it does. */
export async function saysSoon(
  { child, exited, said }: Launched,
  pattern: RegExp,
): Promise<string> {
  for (;;) {
    const found = pattern.exec(said());
    if (found) {
      return found[0];
    }
    const ended = exited.then(() => 'ended');
    const more = await within(
      Promise.race([once(child.stderr!, 'data'), ended]),
      patience,
      'silence',
    );
    equal(typeof more, 'object', `${more}: ${said()}`);
  }
}

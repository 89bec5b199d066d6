import { equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { startedBy } from '../../../../../src/domain/servers/startedBy.ts';
import { markedProcesses } from '../../../../../src/mcp/process/stdio/markedProcesses.ts';
import { atEnd, killed } from '../../../../support/processes.ts';
import { onlyOn } from '../../../../support/systems.ts';

test('recognizes a process by the mark in its environment', {
  skip: onlyOn('posix', 'Windows tells of no environment'),
}, async t => {
  equal(await isKnown(t, process.execPath, '-e', 'setTimeout(() => {}, 60_000)'), true);
});

// The help says so: if this fails on a newer macOS, the help can promise more.
test('macOS hides the environment of its system programs', {
  skip: onlyOn('macos', 'other systems show it to their user'),
}, async t => {
  equal(await isKnown(t, '/bin/sleep', '60'), false);
});

/** Whether a process of that program is found by its mark within five seconds. */
async function isKnown(t: TestContext, program: string, ...args: readonly string[]) {
  const mark = `test.${randomUUID()}`;
  const env = { ...process.env, [startedBy]: mark };
  const child = spawn(program, args, { env, stdio: 'ignore' });
  atEnd(t, () => killed(child));
  // The environment is missing during the exec.
  for (const end = Date.now() + 5000; Date.now() < end; ) {
    if (markedProcesses(mark).some(({ pid }) => pid === child.pid)) {
      return true;
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return false;
}

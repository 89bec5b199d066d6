import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { ProcessOwner } from '../../src/mcp/stdio/processOwner.ts';
import { type ProcessStart, ServerProcess } from '../../src/mcp/stdio/serverProcess.ts';
import { patience } from '../support/patience.ts';
import { allGone, atEnd, isAlive, until } from '../support/processes.ts';
import { programStart } from '../support/recordingServer.ts';
import { sessionsLine } from '../support/sessionsLine.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';
import { testOwner } from '../support/testOwner.ts';

/** A process that runs this JavaScript, and is gone at the end of the test. */
function processOf(
  t: TestContext,
  script: string,
  { owner = testOwner(t), ...change }: Partial<ProcessStart> & { owner?: ProcessOwner } = {},
) {
  const start = { ...programStart(tempFolder(t), '-e', script), ...change };
  const started = new ServerProcess(start, owner);
  atEnd(t, async () => {
    started.kill();
    await started.ended;
    await allGone([started.pid!]);
  });
  return started;
}

test('the last twenty lines of stderr are kept, whole, also one without a line end', async t => {
  const script = `
    for (let line = 1; line <= 30; line++) console.error('line ' + line);
    process.stderr.write('no line end');
    process.exitCode = 2;`;
  const { code, signal, stderr } = await processOf(t, script).ended;
  const last = Array.from({ length: 19 }, (_, index) => `line ${index + 12}`);
  assert.deepEqual(
    { code, signal, stderr },
    { code: 2, signal: null, stderr: [...last, 'no line end'] },
  );
});

test('a line of stderr that does not end is not kept, and what follows is', async t => {
  const script = `
    process.stderr.write('x'.repeat(100_000) + '\\n');
    process.stderr.write('after\\r\\n');`;
  assert.deepEqual((await processOf(t, script).ended).stderr, ['after']);
});

test('a process gets the environment and the folder it was given, a mark, and no more', async t => {
  const cwd = tempFolder(t);
  const script = 'console.error(JSON.stringify([process.cwd(), process.env]))';
  const env = { PATH: process.env['PATH'] ?? '', NAMED: 'yes' };
  const { stderr } = await processOf(t, script, { cwd, env }).ended;
  const [seenFolder, { STARTED_BY_MCP_ROOTS: mark, ...seen }] = JSON.parse(stderr[0]!);
  const given = Object.entries(seen).filter(([name]) => !isOfWindows(name));
  assert.deepEqual([seenFolder, Object.fromEntries(given)], [cwd, env]);
  assert.match(mark, /^editor\.[\w-]{36}\.[\w-]{36}$/);
});

/** Whether Windows, or Wine, gives a variable to every process: each program finds its system by them. */
function isOfWindows(name: string): boolean {
  const names =
    /^(?:HOME(?:DRIVE|PATH)|LOGONSERVER|SYSTEM(?:DRIVE|ROOT)|TEMP|USER(?:DOMAIN|NAME|PROFILE)|WINDIR|WINE\w+)$/i;
  return process.platform === 'win32' && names.test(name);
}

test('a program in the working directory does not answer to a name', {
  skip: onlyOn('posix', 'windowsCommand has its own tests'),
}, async t => {
  const cwd = tempFolder(t);
  for (const name of ['sh', 'other']) {
    writeFileSync(join(cwd, name), '#!/bin/sh\necho planted >&2\n', { mode: 0o755 });
  }
  const env = { PATH: '.::/usr/bin:/bin' };
  const args = ['-c', 'echo "$0" >&2'];
  assert.deepEqual((await processOf(t, '', { command: 'sh', args, cwd, env }).ended).stderr, [
    'sh',
  ]);
  const planted = { command: 'other', args: [], cwd, env };
  assert.throws(() => new ServerProcess(planted, testOwner(t)), /"other" was not found on PATH/);
});

test('a process that ended by itself is told from one that was asked to', async t => {
  const byItself = processOf(t, '');
  await byItself.ended;
  const asked = processOf(t, "process.stdin.on('end', () => process.exit(0)).resume()");
  await asked.stop({ end: 5000, terminate: 5000 });
  assert.deepEqual([byItself.hasEndedByItself, asked.hasEndedByItself], [true, false]);
});

test('a process that ignores everything is gone after both times, and not before the first', {
  skip: onlyOn('posix', 'Windows has no signals'),
}, async t => {
  const script = "process.on('SIGTERM', () => console.error('no')); setInterval(() => {}, 1000);";
  const stubborn = processOf(t, `${script} console.error('ready');`);
  const lines: string[] = [];
  stubborn.onDidWriteStderr(line => lines.push(line));
  await once(stubborn.child.stderr, 'data');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stop = stubborn.stop({ end: 20, terminate: 200 });
  t.mock.timers.tick(20);
  // It gets the second time only once it has had the signal, however long that is on its way.
  await until('the signal', () => lines.length === 2);
  t.mock.timers.tick(200);
  const { code, signal } = await stop;
  assert.deepEqual([lines, code, signal], [['ready', 'no'], null, 'SIGKILL']);
});

const line = 'process.argv[1]';
const sessions = `require('node:child_process').execFileSync('/bin/sh', ['-c', ${line}]);`;

/** A process that has started three others with sessions of their own, and goes on with the script. */
async function withSessions(t: TestContext, rest: string, owner?: ProcessOwner) {
  const folder = tempFolder(t);
  const left = () => readdirSync(folder).map(name => Number.parseInt(name, 10));
  atEnd(t, () => allGone(left()));
  const { args } = programStart(folder, '-e', sessions + rest, sessionsLine(folder));
  const started = processOf(t, '', { args, ...(owner && { owner }) });
  await until('all are there', () => left().length === 3);
  return { started, left: left() };
}

describe('what has left the process group and ignores signals is gone', {
  skip: onlyOn('linux', 'the line that leaves it is for Linux'),
}, () => {
  const forever = 'setInterval(() => {}, 60_000);';
  const willing = "process.stdin.on('end', () => process.exit(0)).resume();";
  const stubborn = `process.on('SIGTERM', () => {}); ${forever}`;
  const ends = {
    'a process that ends in peace': [willing, { end: patience, terminate: patience }],
    'a process that has to be told': [forever, { end: 20, terminate: patience }],
    'a process that has to be killed': [stubborn, { end: 20, terminate: 50 }],
  } as const;
  for (const [what, [script, grace]] of Object.entries(ends)) {
    test(`once ${what} is stopped`, async t => {
      const { started, left } = await withSessions(t, script);
      await started.stop(grace);
      assert.deepEqual(left.filter(isAlive), []);
    });
  }

  test('once a process has ended by itself', async t => {
    const { started, left } = await withSessions(
      t,
      "process.stdin.on('data', () => process.exit(3));",
    );
    started.child.stdin.write('now');
    assert.equal((await started.ended).code, 3);
    assert.deepEqual(left.filter(isAlive), []);
  });

  test('once a process was killed by somebody', async t => {
    const { started, left } = await withSessions(t, forever);
    process.kill(started.pid!, 'SIGKILL');
    assert.equal((await started.ended).signal, 'SIGKILL');
    assert.deepEqual(left.filter(isAlive), []);
  });

  test('when it is killed at once, and nobody waits', async t => {
    const { started, left } = await withSessions(t, forever);
    started.kill();
    await allGone([started.pid!, ...left]);
  });

  test('and what another one has started stays', async t => {
    const owner = testOwner(t);
    const [one, other] = [
      await withSessions(t, forever, owner),
      await withSessions(t, forever, owner),
    ];
    await one.started.stop({ end: 20, terminate: patience });
    assert.deepEqual([one.left.filter(isAlive), other.left.filter(isAlive)], [[], other.left]);
  });
});

test('what has emptied its environment ends with the group that it is in', {
  skip: onlyOn('posix', 'Windows has no groups'),
}, async t => {
  const script = `
    const { pid } = require('node:child_process').spawn('sleep', ['1000'], { env: {}, stdio: 'ignore' });
    console.error(pid);
    process.stdin.on('data', () => process.exit());`;
  const started = processOf(t, script);
  const lines: string[] = [];
  started.onDidWriteStderr(text => lines.push(text));
  await until('it is there', () => lines.length === 1);
  assert.equal(isAlive(Number(lines[0])), true);
  started.child.stdin.write('now');
  await started.ended;
  await allGone(lines.map(Number));
});

test('secrets are in no line of stderr, and not in the last ones', async t => {
  const started = processOf(t, "console.error('key: s3cret', process.env.KEY)", {
    env: { PATH: process.env['PATH'] ?? '', KEY: 's3cret' },
    secrets: ['s3cret'],
  });
  const lines: string[] = [];
  started.onDidWriteStderr(line => lines.push(line));
  const { stderr } = await started.ended;
  assert.deepEqual([lines, stderr], [['key: ••• •••'], ['key: ••• •••']]);
});

test('a process that is gone can be stopped and killed again', async t => {
  const gone = processOf(t, '');
  const end = await gone.ended;
  gone.kill();
  assert.equal(await gone.stop({ end: 5000, terminate: 5000 }), end);
});

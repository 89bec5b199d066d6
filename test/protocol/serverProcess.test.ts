import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { ProcessOwner } from '../../src/mcp/process/stdio/processOwner.ts';
import { type ProcessStart, ServerProcess } from '../../src/mcp/process/stdio/serverProcess.ts';
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

const lines = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`);

for (const [what, script, expected] of [
  [
    'its last twenty lines are kept, whole, also one without a line end',
    `for (let line = 1; line <= 30; line++) console.error('line ' + line);
     process.stderr.write('no line end');`,
    [...lines(12, 30), 'no line end'],
  ],
  [
    'a line that does not end is not kept, and what follows is',
    `process.stderr.write('x'.repeat(100_000) + '\\n');
     process.stderr.write('after\\r\\n');`,
    ['after'],
  ],
  ['it has no secret', "console.error('key: s3cret', process.env.KEY)", ['key: ••• •••']],
] as const) {
  test(`from the stderr of a process, ${what}`, async t => {
    const env = { PATH: process.env['PATH'] ?? '', KEY: 's3cret' };
    const started = processOf(t, `${script}; process.exitCode = 2`, { env, secrets: ['s3cret'] });
    const told: string[] = [];
    started.onDidWriteStderr(line => told.push(line));
    assert.deepEqual(await started.ended, { code: 2, signal: null, stderr: expected });
    assert.deepEqual(told.slice(-20), expected);
  });
}

test('a process gets only its environment, its folder and a mark', async t => {
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

test('a bare name never starts a program in the working directory', {
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

test('tells a process that ended on its own from one that was stopped', async t => {
  const byItself = processOf(t, '');
  await byItself.ended;
  const asked = processOf(t, "process.stdin.on('end', () => process.exit(0)).resume()");
  await asked.stop({ end: 5000, terminate: 5000 });
  assert.deepEqual([byItself.hasEndedByItself, asked.hasEndedByItself], [true, false]);
});

test('a stubborn process is gone after both grace times, and not before the first', {
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

describe('a process that left the group and ignores signals is gone', {
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

  test('once a process has ended', async t => {
    const { started, left } = await withSessions(
      t,
      "process.stdin.on('data', () => process.exit(3));",
    );
    started.child.stdin.write('now');
    assert.equal((await started.ended).code, 3);
    assert.deepEqual(left.filter(isAlive), []);
  });

  test('once another program has killed a process', async t => {
    const { started, left } = await withSessions(t, forever);
    process.kill(started.pid!, 'SIGKILL');
    assert.equal((await started.ended).signal, 'SIGKILL');
    assert.deepEqual(left.filter(isAlive), []);
  });

  test('when it is killed at once without a wait', async t => {
    const { started, left } = await withSessions(t, forever);
    started.kill();
    await allGone([started.pid!, ...left]);
  });

  test('and processes of another process stay', async t => {
    const owner = testOwner(t);
    const [one, other] = [
      await withSessions(t, forever, owner),
      await withSessions(t, forever, owner),
    ];
    await one.started.stop({ end: 20, terminate: patience });
    assert.deepEqual([one.left.filter(isAlive), other.left.filter(isAlive)], [[], other.left]);
  });
});

test('a process with an empty environment ends with its group', {
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

test('a stopped process can be stopped and killed again', async t => {
  const gone = processOf(t, '');
  const end = await gone.ended;
  gone.kill();
  assert.equal(await gone.stop({ end: 5000, terminate: 5000 }), end);
});

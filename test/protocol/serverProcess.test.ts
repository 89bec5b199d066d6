import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type ProcessStart, ServerProcess } from '../../src/mcp/stdio/serverProcess.ts';
import { allGone, atEnd, until } from '../support/processes.ts';
import { programStart } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';

/** A process that runs this JavaScript, and is gone at the end of the test. */
function processOf(t: TestContext, script: string, change: Partial<ProcessStart> = {}) {
  const started = new ServerProcess({ ...programStart(tempFolder(t), '-e', script), ...change });
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

test('a process gets the environment and the folder it was given, and no other', async t => {
  const cwd = tempFolder(t);
  const script = 'console.error(JSON.stringify([process.cwd(), process.env]))';
  const env = { PATH: process.env['PATH'] ?? '', NAMED: 'yes' };
  const { stderr } = await processOf(t, script, { cwd, env }).ended;
  assert.deepEqual(JSON.parse(stderr[0]!), [cwd, env]);
});

test('a process that ended by itself is told from one that was asked to', async t => {
  const byItself = processOf(t, '');
  await byItself.ended;
  const asked = processOf(t, "process.stdin.on('end', () => process.exit(0)).resume()");
  await asked.stop({ end: 5000, terminate: 5000 });
  assert.deepEqual([byItself.hasEndedByItself, asked.hasEndedByItself], [true, false]);
});

test('a process that ignores everything is gone after both times, and not before the first', {
  skip: process.platform === 'win32' && 'Windows has no signals',
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

// Starts a process with a group and a session of its own, which starts another one, and tells both.
const leavesSession = `
  const { spawn } = require('node:child_process');
  const last = 'console.log(process.pid); setInterval(() => {}, 60000);';
  const next = \`console.log(process.pid);
    require('node:child_process').spawn(process.execPath, ['-e', \${JSON.stringify(last)}],
      { detached: true, stdio: 'inherit' });
    setInterval(() => {}, 60000);\`;
  spawn(process.execPath, ['-e', next], { detached: true, stdio: ['ignore', 2, 2] }).unref();`;

async function withSessionLeft(t: TestContext, rest: string) {
  const started = processOf(t, leavesSession + rest);
  const left: number[] = [];
  started.onDidWriteStderr(line => left.push(Number(line)));
  await until('both are there', () => left.length === 2);
  return { started, left };
}

test('what has left the process group and the session ends with the process all the same', {
  skip: process.platform !== 'linux' && 'only Linux tells what a process has started',
}, async t => {
  const times = { end: 5000, terminate: 5000 };
  const polite = await withSessionLeft(
    t,
    "process.stdin.on('end', () => process.exit(0)).resume()",
  );
  await polite.started.stop(times);
  await allGone(polite.left);
  const slow = await withSessionLeft(t, 'setInterval(() => {}, 60000)');
  await slow.started.stop({ ...times, end: 20 });
  await allGone(slow.left);
  const stubborn = await withSessionLeft(
    t,
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 60000)",
  );
  await stubborn.started.stop({ end: 20, terminate: 50 });
  await allGone(stubborn.left);
  const killed = await withSessionLeft(t, 'setInterval(() => {}, 60000)');
  killed.started.kill();
  await allGone(killed.left);
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

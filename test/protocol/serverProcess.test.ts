import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type ProcessStart, ServerProcess } from '../../src/mcp/serverProcess.ts';
import { allGone, atEnd } from '../support/processes.ts';
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
  const { code, signal } = await stubborn.stop({ end: 20, terminate: 200 });
  assert.deepEqual([lines, code, signal], [['ready', 'no'], null, 'SIGKILL']);
});

test('a process that is gone can be stopped and killed again', async t => {
  const gone = processOf(t, '');
  const end = await gone.ended;
  gone.kill();
  assert.equal(await gone.stop({ end: 5000, terminate: 5000 }), end);
});

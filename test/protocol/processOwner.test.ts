import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ProcessOwner, reaperScript } from '../../src/mcp/stdio/processOwner.ts';
import { allGone, atEnd, isAlive, killed, until } from '../support/processes.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { testOwner } from '../support/testOwner.ts';

const skip = onlyOn('posix', 'the system does it there');

test('groups that are gone are forgotten, and a reaper that was lost is replaced', {
  skip,
}, async t => {
  const warnings: string[] = [];
  const owner = new ProcessOwner('hub', { warn: message => void warnings.push(String(message)) });
  owner.newMark();
  const [kept, forgotten, late] = [sleeper(t), sleeper(t), sleeper(t)];
  for (const { pid } of [kept, forgotten]) {
    owner.watch(Number(pid));
  }
  owner.forget(Number(forgotten.pid));
  const first = owner.reaperPid;
  process.kill(Number(first), 'SIGTERM');
  const lost: number[] = [];
  // The first ones are replaced at once, and the last one with the next start.
  for (let pid = first; pid !== undefined; pid = owner.reaperPid) {
    lost.push(pid);
    process.kill(pid, 'SIGKILL');
    await until('its end is noticed', () => owner.reaperPid !== pid);
  }
  assert.equal(new Set(lost).size, 4);
  assert.match(String(warnings), /for want of a reaper/);
  owner.newMark();
  owner.watch(Number(late.pid));
  const second = Number(owner.reaperPid);
  assert.notEqual(second, first);
  owner.forget(Number(late.pid));
  owner.dispose();
  assert.equal(isAlive(second), true);
  owner.forget(Number(kept.pid));
  await allGone([second]);
  assert.deepEqual(
    [kept, forgotten, late].map(({ pid }) => isAlive(Number(pid))),
    [true, true, true],
  );
});

test('a reaper is there from the first start on, and not before', { skip }, t => {
  const owner = testOwner(t);
  assert.equal(owner.reaperPid, undefined);
  owner.newMark();
  assert.equal(isAlive(Number(owner.reaperPid)), true);
});

test('the reaper ends what carries the mark of its owner, and what it was told of', {
  skip,
}, async t => {
  const [owner, other] = [testOwner(t), testOwner(t)];
  const marked = [sleeper(t, owner.newMark()), sleeper(t, owner.newMark())];
  const [watched, others] = [sleeper(t), sleeper(t, other.newMark())];
  owner.watch(Number(watched.pid));
  owner['reaper']?.stdin.end();
  await allGone([...marked, watched].map(({ pid }) => Number(pid)));
  assert.equal(isAlive(Number(others.pid)), true);
});

test('a reaper that is told no mark ends, and nothing else does', { skip }, async t => {
  const stays = sleeper(t, testOwner(t).newMark());
  for (const said of ['', '\n', 'STARTED_BY', 'STARTED_BY_MCP_ROOTS=\n']) {
    const reaper = spawn('/bin/sh', ['-c', reaperScript], { stdio: ['pipe', 'ignore', 'ignore'] });
    reaper.stdin.end(said);
    await allGone([Number(reaper.pid)]);
  }
  assert.equal(isAlive(Number(stays.pid)), true);
});

test('what begins after the first look for it is found by a later one', { skip }, async t => {
  const folder = tempFolder(t);
  // Its seconds last as long as the test wants: a line each, which this waits for.
  writeTree(folder, { sleep: `#!/bin/sh\n: > ${folder}/waits\nread -r line < ${folder}/line\n` });
  chmodSync(join(folder, 'sleep'), 0o755);
  assert.equal(spawnSync('mkfifo', [join(folder, 'line')]).status, 0);
  // Open from here on, in both directions: nobody who reads from it comes to an end of it.
  const line = await open(join(folder, 'line'), 'r+');
  atEnd(t, () => line.close());
  const reaper = spawn('/bin/sh', ['-c', reaperScript], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  atEnd(t, () => killed(reaper));
  const second = async () => {
    await until('it waits', () => existsSync(join(folder, 'waits')));
    rmSync(join(folder, 'waits'));
    return () => line.write('\n');
  };
  const mark = testOwner(t).newMark();
  const beginning = mark.slice(0, mark.lastIndexOf('.') + 1);
  reaper.stdin.end(`STARTED_BY_MCP_ROOTS=${beginning}\n`);
  const endFirst = await second();
  // It found nothing, which may be what is just being started.
  const early = sleeper(t, mark);
  await endFirst();
  const endSecond = await second();
  assert.equal(isAlive(Number(early.pid)), true);
  await endSecond();
  const endThird = await second();
  await allGone([Number(early.pid)]);
  const late = sleeper(t, mark);
  await endThird();
  const endFourth = await second();
  await allGone([Number(late.pid)]);
  await endFourth();
  await allGone([Number(reaper.pid)]);
});

function sleeper(t: TestContext, mark?: string) {
  const env = { ...process.env, ...(mark && { STARTED_BY_MCP_ROOTS: mark }) };
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true, env });
  atEnd(t, () => killed(child));
  return child;
}

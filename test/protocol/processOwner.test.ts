import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ProcessOwner, reaperScript } from '../../src/mcp/process/stdio/processOwner.ts';
import { allGone, atEnd, isAlive, killed, until } from '../support/processes.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { testOwner } from '../support/testOwner.ts';

const skip = onlyOn('posix', 'the system does it there');

test('forgets groups that are gone, and replaces a lost reaper', {
  skip,
}, async t => {
  const warnings: string[] = [];
  const owner = new ProcessOwner('hub', { warn: message => void warnings.push(String(message)) });
  assert.equal(owner.reaperPid, undefined);
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
  assert.match(String(warnings), /\(the reaper\) failed/);
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

test('the reaper ends processes with the mark of its owner, and those it was given', {
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

test('a reaper without a mark ends only itself', { skip }, async t => {
  const stays = sleeper(t, testOwner(t).newMark());
  for (const said of ['', '\n', 'STARTED_BY', 'STARTED_BY_MCP_ROOTS=\n']) {
    const reaper = spawn('/bin/sh', ['-c', reaperScript], { stdio: ['pipe', 'ignore', 'ignore'] });
    reaper.stdin.end(said);
    await allGone([Number(reaper.pid)]);
  }
  assert.equal(isAlive(Number(stays.pid)), true);
});

test('finds processes that begin after its first look', { skip }, async t => {
  const folder = tempFolder(t);
  // The test controls the length of its seconds: each one waits for a line.
  writeTree(folder, { sleep: `#!/bin/sh\n: > ${folder}/waits\nread -r line < ${folder}/line\n` });
  chmodSync(join(folder, 'sleep'), 0o755);
  assert.equal(spawnSync('mkfifo', [join(folder, 'line')]).status, 0);
  // Open in both directions from here on, so that no reader reaches its end.
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
  // It found nothing, because the process may just be starting.
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

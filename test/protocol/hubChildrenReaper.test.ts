import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Reaper } from '../../src/server/hub/reaper.ts';
import { reaperScript } from '../../src/server/hub/reaperScript.ts';
import { hubMark } from '../../src/server/hubMark.ts';
import { allGone, atEnd, isAlive, killed, until } from '../support/processes.ts';
import { type RecordingServer, rawServer } from '../support/recordingServer.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const skip = process.platform === 'win32' ? 'the system does it there' : false;
const program = fileURLToPath(new URL('../support/hubParent.ts', import.meta.url));

/** A hub in a process group of its own, and all processes that belong to it once its servers run. */
async function startHub(t: TestContext, servers: readonly RecordingServer[], running: number) {
  const root = pathToFileURL(tempFolder(t)).href;
  const launches = servers.map(({ start: { command, args } }) => ({ command, args }));
  const args = [program, JSON.stringify({ root, launches, running })];
  const hub = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  atEnd(t, () => killed(hub));
  await once(hub.stdout, 'data');
  const pids = () => servers.flatMap(server => [...server.pids(), ...server.grandchildren()]);
  await until('every server was started', () => servers.every(({ pids }) => pids().length > 0));
  return { hub, pids };
}

for (const whom of ['hub', 'process group of the hub'] as const) {
  test(`every process is gone when the ${whom} is killed`, { skip }, async t => {
    const servers = [
      rawServer(t, { isStubborn: true, leavesGrandchild: true }),
      rawServer(t, { isDeaf: true }),
      // Stuck in its start.
      rawServer(t, { isMute: true, isStubborn: true }),
    ];
    const { hub, pids } = await startHub(t, servers, 2);
    const all = pids();
    assert.deepEqual([all.length >= 4, all.every(isAlive)], [true, true]);
    const reaper = childrenOf(hub.pid).find(pid => !all.includes(pid));
    process.kill(whom === 'hub' ? Number(hub.pid) : -Number(hub.pid), 'SIGKILL');
    await allGone(all);
    if (process.platform === 'linux') {
      assert.ok(reaper);
      await allGone([reaper]);
    }
  });
}

test('a hub that ends in peace leaves no process, and no reaper either', { skip }, async t => {
  const server = rawServer(t, { leavesGrandchild: true });
  const { hub, pids } = await startHub(t, [server], 1);
  const children = childrenOf(hub.pid);
  hub.stdin.end();
  const [code] = await once(hub, 'exit');
  assert.equal(code, 0);
  await allGone([...pids(), ...children]);
});

test('groups that are gone are forgotten, and a reaper that was lost is replaced', {
  skip,
}, async t => {
  const warnings: string[] = [];
  const reaper = new Reaper({ warn: message => void warnings.push(message) });
  const [kept, forgotten, late] = [sleeper(t), sleeper(t), sleeper(t)];
  for (const { pid } of [kept, forgotten]) {
    reaper.watch(Number(pid));
  }
  reaper.forget(Number(forgotten.pid));
  const first = reaper.pid;
  process.kill(Number(first), 'SIGTERM');
  process.kill(Number(first), 'SIGKILL');
  await until('its end is noticed', () => reaper.pid === undefined);
  assert.match(String(warnings), /for want of a reaper/);
  reaper.watch(Number(late.pid));
  const second = Number(reaper.pid);
  assert.notEqual(second, first);
  reaper.forget(Number(late.pid));
  reaper.dispose();
  assert.equal(isAlive(second), true);
  reaper.forget(Number(kept.pid));
  await allGone([second]);
  assert.deepEqual(
    [kept, forgotten, late].map(({ pid }) => isAlive(Number(pid))),
    [true, true, true],
  );
});

test('what was just being started when the hub went is known by its mark', { skip }, async t => {
  const reaper = new Reaper({ warn() {} });
  const [expected, arrived] = [reaper.expect(), reaper.expect()];
  const [found, kept, watched] = [
    sleeper(t, expected?.variable),
    sleeper(t, arrived?.variable),
    sleeper(t),
  ];
  arrived?.dispose();
  reaper.watch(Number(watched.pid));
  const { pid } = reaper;
  reaper['process']?.stdin.end();
  await allGone([Number(found.pid), Number(watched.pid), Number(pid)]);
  assert.equal(isAlive(Number(kept.pid)), true);
});

test('what begins after the first look for it is found by a later one', { skip }, async t => {
  const folder = tempFolder(t);
  // Its seconds last as long as the test wants: a line each, which this waits for.
  writeTree(folder, { sleep: `#!/bin/sh\n: > ${folder}/waits\nread -r line < ${folder}/line\n` });
  chmodSync(join(folder, 'sleep'), 0o755);
  assert.equal(spawnSync('mkfifo', [join(folder, 'line')]).status, 0);
  const reaper = spawn('/bin/sh', ['-c', reaperScript], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  atEnd(t, () => killed(reaper));
  const second = async () => {
    await until('it waits', () => existsSync(join(folder, 'waits')));
    rmSync(join(folder, 'waits'));
    return () => writeFile(join(folder, 'line'), '\n');
  };
  const mark = randomUUID();
  const early = sleeper(t, { [hubMark]: mark });
  reaper.stdin.end(`?${mark}\n`);
  const endFirst = await second();
  await allGone([Number(early.pid)]);
  const late = sleeper(t, { [hubMark]: mark });
  await endFirst();
  const endSecond = await second();
  assert.equal(isAlive(Number(late.pid)), true);
  await endSecond();
  await allGone([Number(late.pid), Number(reaper.pid)]);
});

function sleeper(t: TestContext, variable: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...variable };
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true, env });
  atEnd(t, () => killed(child));
  return child;
}

function childrenOf(pid: number | undefined): readonly number[] {
  if (process.platform !== 'linux') {
    return [];
  }
  return readdirSync(`/proc/${pid}/task`).flatMap(thread =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

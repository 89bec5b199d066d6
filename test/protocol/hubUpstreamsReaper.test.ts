import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { allGone, atEnd, isAlive, killed, until } from '../support/processes.ts';
import { type RecordingServer, rawServer } from '../support/recordingServer.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

const skip = onlyOn('posix', 'the system does it there');
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

test('every process is gone when the process group of the hub is killed', { skip }, async t => {
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
  process.kill(-Number(hub.pid), 'SIGKILL');
  await allGone(all);
  if (process.platform === 'linux') {
    assert.ok(reaper);
    await allGone([reaper]);
  }
});

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

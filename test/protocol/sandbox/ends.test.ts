import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isSoak } from '../../support/effort.ts';
import { startHub } from '../../support/hub.ts';
import { untilItHasTools } from '../../support/hubListing.ts';
import { packaged } from '../../support/hubServers.ts';
import { allGone, atEnd, killed, until } from '../../support/processes.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const { skip } = await sandboxHere();
const parent = join(import.meta.dirname, '../../support/sandbox/sandboxParent.ts');

/** A server that starts processes in separate sessions; one of them resists its end. */
const script = `exec 3>&- 4>&-
setsid -f sleep 1000 </dev/null >/dev/null 2>&1
setsid -f sh -c 'trap "" HUP INT TERM; while :; do sleep 5; done' </dev/null >/dev/null 2>&1
exec "$@"`;
const launch = (folder: string) => ({
  command: '/bin/sh',
  args: [
    ...['-c', script, 'sh', process.execPath],
    ...[packaged('@modelcontextprotocol/server-filesystem'), folder],
  ],
});
/** Needs that its command line does not show. */
const read = [
  join(import.meta.dirname, '../../../node_modules'),
  dirname(dirname(process.execPath)),
];

const ends = ['stops', 'is killed'] as const;

describe('a sandboxed server leaves nothing', { skip, concurrency: true }, () => {
  for (const end of isSoak ? ends : (['is killed'] as const)) {
    it(`when its hub without a root ${end}`, async t => {
      const scene = prepared(t);
      const hub = await startHub(t, {
        era: 'legacy',
        roots: [],
        starter: ['env', `TMPDIR=${scene.temporary}`],
        config: { mcpServers: { a: { ...launch('/tmp'), sandbox: { read, network: false } } } },
      });
      await untilItHasTools(hub, 'a');
      await leavesNothing(hub.pid, scene, async () => {
        if (end === 'stops') {
          await hub.close();
        } else {
          process.kill(hub.pid, 'SIGKILL');
        }
      });
    });
  }

  for (const end of isSoak ? ends : (['stops'] as const)) {
    it(`when its window ${end}`, async t => {
      const scene = prepared(t);
      const argument = JSON.stringify({ root: scene.root, launch: launch(scene.root), read });
      const child = startParent(t, scene, argument);
      const [said] = await once(child.stdout, 'data');
      assert.equal(String(said), 'running\n');
      await leavesNothing(Number(child.pid), scene, async () => {
        if (end === 'stops') {
          child.stdin.end();
        } else {
          child.kill('SIGKILL');
        }
      });
    });
  }
});

it('a trial of the sandbox leaves nothing, whenever it is killed', { skip }, async t => {
  const kills = isSoak ? 12 : 3;
  const scene = prepared(t);
  for (let kill = 0; kill < kills; kill += 1) {
    const child = startParent(t, scene, JSON.stringify({ root: scene.root, read: [] }));
    await new Promise(resolve => {
      // As soon as anything of it is there, and then later and later.
      const watcher = watch(scene.temporary, () => {
        watcher.close();
        setTimeout(resolve, (kill * 240) / kills);
      });
    });
    const family = [Number(child.pid), ...descendantsOf(Number(child.pid))];
    child.kill('SIGKILL');
    await allGone(family);
    await until('its files are gone', () => readdirSync(scene.temporary).length === 0);
  }
  assert.deepEqual(filesIn(scene.top), scene.before.files);
});

/** A root, and what is there before anything is started: every process of it has `top` in its command line. */
function prepared(t: TestContext) {
  const top = tempFolder(t);
  writeTree(top, { 'root/sub/a.txt': 'a', 'temporary/': '' });
  const before = { files: filesIn(top), mounts: mounts() };
  return { top, root: join(top, 'root'), temporary: join(top, 'temporary'), before };
}

type Scene = ReturnType<typeof prepared>;

function startParent(t: TestContext, { temporary }: Scene, argument: string) {
  const child = spawn(process.execPath, [parent, argument], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(t, () => killed(child));
  return child;
}

/** @param pid the parent of all processes of the scene. */
async function leavesNothing(pid: number, { top, before }: Scene, end: () => Promise<void>) {
  const family = [pid, ...descendantsOf(pid)];
  const mark = family.map(markOf).find(found => found !== undefined);
  assert.ok(mark);
  // Two of bubblewrap, the server, and two that it started: all of them are seen here.
  assert.ok(processesWith(mark).length >= 5, `${processesWith(mark).length} processes`);
  await end();
  await allGone(family);
  await until('no process has the mark', () => processesWith(mark).length === 0);
  await until('no process names the folder', () => processesWith(top).length === 0);
  assert.deepEqual(filesIn(top), before.files);
  assert.deepEqual(
    mounts().filter(mount => !before.mounts.includes(mount)),
    [],
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

function mounts(): string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
}

function descendantsOf(pid: number): number[] {
  const children = ofProcess(pid, 'task', folder =>
    readdirSync(folder).flatMap(thread =>
      readFileSync(join(folder, thread, 'children'), 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    ),
  );
  return (children ?? []).flatMap(child => [child, ...descendantsOf(child)]);
}

/** The common beginning of the marks of all processes that a process started. */
function markOf(pid: number): string | undefined {
  const environment = ofProcess(pid, 'environ', file => readFileSync(file, 'utf8')) ?? '';
  return /STARTED_BY_MCP_ROOTS=(\w+\.[\w-]+\.)/.exec(environment)?.[1];
}

/** All others on this machine with these words in their command line or environment. */
function processesWith(words: string): number[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && pid !== process.pid);
  return pids.filter(pid =>
    ['cmdline', 'environ'].some(name =>
      ofProcess(pid, name, file => readFileSync(file).includes(words)),
    ),
  );
}

/** The text read there; `undefined` if the process is gone or belongs to another user. */
function ofProcess<T>(pid: number, name: string, look: (path: string) => T): T | undefined {
  try {
    return look(`/proc/${pid}/${name}`);
  } catch {
    return undefined;
  }
}

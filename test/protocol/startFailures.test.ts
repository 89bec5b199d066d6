import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Era } from '../../src/domain/exposure.ts';
import { wordsInEnglish } from '../../src/domain/sentence.ts';
import type { ProtocolChoice } from '../../src/domain/servers/serverDefinition.ts';
import type { ConnectionState } from '../../src/mcp/link/link.ts';
import { isAlive, until } from '../support/processes.ts';
import { callText, recordingConnection, root, testTimes } from '../support/recordingConnection.ts';
import {
  modernServer,
  programStart,
  type RecordingServer,
  rawServer,
} from '../support/recordingServer.ts';
import { skipClosedStdio } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

const web = root('web');

/** The failure a connection stands in. */
function failureOf(state: ConnectionState) {
  assert.equal(state.kind, 'failed');
  return state.kind === 'failed' ? state.failure : undefined;
}

test('an impossible start is a state with a reason', async t => {
  const folder = tempFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, 'not a program');
  const start = programStart(folder, '--version');
  const starts = {
    'a command that is not there': { ...start, command: 'no-such-command-of-any-server' },
    'an empty command': { ...start, command: '' },
    'a NUL in an argument': { ...start, args: ['a\0b'] },
    'too long an argument': { ...start, args: ['x'.repeat(3_000_000)] },
    'a working directory that is a file': { ...start, cwd: file },
    'a working directory that is not there': { ...start, cwd: join(folder, 'gone') },
    'a file that is no program': { ...start, command: file },
  };
  for (const [what, wrong] of Object.entries(starts)) {
    const { connection } = recordingConnection(t);
    const failure = failureOf(await connection.start(wrong, [web]));
    assert.ok(failure?.kind === 'not-started', what);
    const said = wordsInEnglish(failure.message);
    assert.notEqual(said, '', what);
    // The words of Node are for its programmers.
    assert.doesNotMatch(said, /\bspawn\b|argument|properties|Received/, what);
  }
});

test('a server that dies at its start is a state with exit code and last words', async t => {
  const server = rawServer(t, { dies: 'at-start' });
  const { connection, stderr } = recordingConnection(t);
  const state = await connection.start(server.start, [web]);
  const lines = ['reading the configuration', 'no such option: --fast'];
  assert.deepEqual(failureOf(state), {
    kind: 'ended',
    end: { code: 3, signal: null, stderr: lines },
  });
  // Once for the probe, which it might not have borne, and once without.
  assert.equal(server.pids().length, 2);
  assert.deepEqual(stderr, [...lines, ...lines]);
});

test('a server that closes its output at its start is a state with its last words', {
  skip: skipClosedStdio,
}, async t => {
  const { connection } = recordingConnection(t);
  const script = "console.error('no more'); fs.closeSync(1); process.stdin.resume();";
  const start = programStart(tempFolder(t), '-e', script);
  assert.deepEqual(failureOf(await connection.start(start, [web])), {
    kind: 'ended',
    end: { code: 0, signal: null, stderr: ['no more'] },
    hadClosedOutput: true,
  });
});

const exiting = (t: TestContext) => rawServer(t, { probe: 'exit' });
const silent = (t: TestContext) => rawServer(t, { probe: 'silence' });
const ofBothEras = (t: TestContext) => rawServer(t, { probe: 'modern' });

/** Servers, how each is tried, and its era, its processes, and those after a second start. */
const eras: Readonly<
  Record<
    string,
    readonly [
      made: (t: TestContext) => RecordingServer,
      // No process is there within a millisecond.
      how: { readonly probe?: number; readonly choice?: ProtocolChoice },
      found: readonly [era: Era, processes: number, later: number],
    ]
  >
> = {
  'exits on the probe': [exiting, {}, ['legacy', 2, 3]],
  'would exit on the probe, and is said to be legacy': [
    exiting,
    { choice: 'legacy' },
    ['legacy', 1, 2],
  ],
  'does not answer the probe': [silent, { probe: 50 }, ['legacy', 1, 2]],
  'is modern, and slow to start': [modernServer, { probe: 1 }, ['modern', 2, 3]],
  'is modern, slow to start, and said to be modern': [
    modernServer,
    { probe: 1, choice: '2026-07-28' },
    ['modern', 1, 2],
  ],
  'is of both eras, and slow to start': [ofBothEras, { probe: 1 }, ['legacy', 1, 2]],
};

for (const [what, [made, { probe = testTimes.probe, choice }, found]] of Object.entries(eras)) {
  test(`finds the era of a server that ${what}, and remembers it`, async t => {
    const server = made(t);
    const { connection, answered } = recordingConnection(t, { probe });
    const state = await connection.start(server.start, [web], choice);
    const processes = server.pids().length;
    if (found[0] === 'legacy') {
      assert.deepEqual((await answered(1)).roots, [web]);
    }
    await connection.stop();
    assert.equal((await connection.start(server.start, [web], choice)).kind, 'running');
    const era = state.kind === 'running' && state.era;
    assert.deepEqual([era, processes, server.pids().length], found);
  });
}

test('a server gets only the chosen revision, for one start', async t => {
  const [legacy, modern] = [rawServer(t), modernServer(t)];
  const { connection } = recordingConnection(t);
  const state = await connection.start(legacy.start, [web], '2026-07-28');
  assert.equal(failureOf(state)?.kind, 'protocol');
  assert.equal(legacy.pids().length, 1);
  assert.equal(legacy.count('initialize'), 0);
  assert.doesNotMatch(legacy.bytes(), /file:/);
  assert.equal((await connection.start(modern.start, [web], 'legacy')).kind, 'failed');
  const next = await connection.start(modern.start, [web]);
  assert.equal(next.kind === 'running' && next.era, 'modern');
});

test('forgets an era that led to a failure', async t => {
  const legacy = rawServer(t, { probe: 'exit' });
  const broken = rawServer(t, { dies: 'at-start' });
  const modern = rawServer(t, { probe: 'modern' });
  const { connection } = recordingConnection(t);
  await connection.start(legacy.start, [web]);
  await connection.stop();
  await connection.start(broken.start, [web]);
  const state = await connection.start(modern.start, [web]);
  assert.deepEqual([state.kind, state.kind === 'running' && state.era], ['running', 'modern']);
});

test('a program that may download first has more time for the handshake', async t => {
  const server = rawServer(t, { isMute: true });
  const { connection } = recordingConnection(t, { download: 300 });
  const state = await connection.start({ ...server.start, mayDownload: true }, [web]);
  assert.deepEqual(failureOf(state), { kind: 'silent', seconds: 0.3 });
});

test('a server that never answers is ended, and its state names the time it had', async t => {
  const server = rawServer(t, { isMute: true });
  const { connection } = recordingConnection(t, { probe: 50, handshake: 1000 });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const start = connection.start(server.start, [web]);
  await until('the probe', () => server.count('server/discover') === 1);
  t.mock.timers.tick(50);
  await until('the handshake', () => server.count('initialize') === 1);
  t.mock.timers.tick(950);
  t.mock.timers.reset();
  assert.deepEqual(failureOf(await start), { kind: 'silent', seconds: 1 });
  assert.deepEqual(server.pids().map(isAlive), [false]);
});

test('an unknown revision is reported as the cause, not the end that follows', async t => {
  const server = rawServer(t, { version: '2099-01-01' });
  const { connection } = recordingConnection(t);
  const state = await connection.start(server.start, [web]);
  const failure = failureOf(state);
  assert.ok(failure?.kind === 'protocol');
  assert.match(wordsInEnglish(failure.message), /2099-01-01$/);
  assert.equal(server.pids().length, 1);
});

test('a program that is not a server is a state with exit code and size of output', async t => {
  const { connection, traffic } = recordingConnection(t);
  const state = await connection.start(programStart(tempFolder(t), '--version'), [web]);
  const end = { code: 0, signal: null, stderr: [] };
  assert.deepEqual(failureOf(state), { kind: 'ended', end, rubbishLines: 1 });
  const length = process.version.length;
  assert.deepEqual(
    traffic.filter(({ kind }) => kind === 'rubbish'),
    [
      { kind: 'rubbish', length },
      { kind: 'rubbish', length },
    ],
  );
});

test('a server that dies in a call fails the call, and its state has the reason', async t => {
  const server = rawServer(t);
  const { connection, states } = recordingConnection(t);
  await connection.start(server.start, [web]);
  await assert.rejects(callText(connection, 'die'));
  const end = { code: 7, signal: null, stderr: ['panic: index out of range'] };
  assert.deepEqual(states.at(-1), { kind: 'failed', failure: { kind: 'ended', end } });
  await assert.rejects(callText(connection, 'ask'), { name: 'HumanError' });
  await assert.rejects(connection.listTools(), { name: 'HumanError' });
  // Another process may have its process id by now.
  const kill = t.mock.method(process, 'kill');
  connection.kill();
  assert.equal(kill.mock.callCount(), 0);
  kill.mock.restore();
  assert.equal(connection.state.kind, 'stopped');
});

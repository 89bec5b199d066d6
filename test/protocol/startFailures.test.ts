import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sentence, wordsInEnglish } from '../../src/domain/sentence.ts';
import type { ConnectionState } from '../../src/mcp/link.ts';
import { isAlive, until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { modernServer, programStart, rawServer } from '../support/recordingServer.ts';
import { skipClosedStdio } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

const web = root('web');

/** The failure a connection stands in. */
function failureOf(state: ConnectionState) {
  assert.equal(state.kind, 'failed');
  return state.kind === 'failed' ? state.failure : undefined;
}

test('a command that is not there is a state with a reason', async t => {
  const { connection, states } = recordingConnection(t);
  const command = 'no-such-command-of-any-server';
  const start = { ...programStart(tempFolder(t), ''), command };
  const state = await connection.start(start, [web]);
  const failure = {
    kind: 'not-started',
    message: sentence('"{0}" was not found on PATH', command),
    lack: { program: command },
  } as const;
  assert.deepEqual(state, { kind: 'failed', failure });
  assert.deepEqual(states, [{ kind: 'starting' }, { kind: 'failed', failure }]);
});

test('what no process can be started with is a state with a reason, too', async t => {
  const folder = tempFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, 'not a program');
  const start = programStart(folder, '--version');
  const starts = {
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

test('a server that dies at its start is a state with its exit code and last words', async t => {
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

test('a server that closes its output at its start, and stays, is a state with its last words', {
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

test('a server that exits on the probe is started again without one, and once from then on', async t => {
  const server = rawServer(t, { probe: 'exit' });
  const { connection, answered, states } = recordingConnection(t);
  await connection.start(server.start, [web]);
  assert.deepEqual((await answered(1)).roots, [web]);
  assert.equal(server.pids().length, 2);
  assert.equal(server.count('server/discover'), 1);
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['starting', 'running'],
  );
  await connection.stop();
  await connection.start(server.start, [web]);
  await answered(2);
  assert.equal(server.pids().length, 3);
  assert.equal(server.count('server/discover'), 1);
});

test('an era that led to a failure is not remembered', async t => {
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

test('a server that does not answer the probe is taken for legacy', async t => {
  const server = rawServer(t, { probe: 'silence' });
  const { connection, answered } = recordingConnection(t, { probe: 50 });
  const state = await connection.start(server.start, [web]);
  assert.deepEqual([state.kind, state.kind === 'running' && state.era], ['running', 'legacy']);
  assert.deepEqual((await answered(1)).roots, [web]);
  assert.equal(server.pids().length, 1);
});

test('a modern server that is slow to start is started once more, and once from then on', async t => {
  const server = modernServer(t);
  // No process is there so soon.
  const { connection } = recordingConnection(t, { probe: 1 });
  const state = await connection.start(server.start, [web]);
  assert.deepEqual([state.kind, state.kind === 'running' && state.era], ['running', 'modern']);
  assert.equal(server.pids().length, 2);
  assert.equal(server.count('initialize'), 1);
  await connection.stop();
  assert.equal((await connection.start(server.start, [web])).kind, 'running');
  assert.equal(server.pids().length, 3);
  assert.equal(server.count('initialize'), 1);
});

test('where the revision is chosen, silence says nothing, however long it takes to start', async t => {
  const server = modernServer(t);
  const { connection } = recordingConnection(t, { probe: 1 });
  const state = await connection.start(server.start, [web], '2026-07-28');
  assert.deepEqual([state.kind, state.kind === 'running' && state.era], ['running', 'modern']);
  assert.equal(server.pids().length, 1);
});

test('a server of both eras that is slow to start is a legacy one, in the same process', async t => {
  const server = rawServer(t, { probe: 'modern' });
  const { connection, answered } = recordingConnection(t, { probe: 1 });
  const state = await connection.start(server.start, [web]);
  assert.deepEqual([state.kind, state.kind === 'running' && state.era], ['running', 'legacy']);
  assert.deepEqual((await answered(1)).roots, [web]);
  assert.equal(server.pids().length, 1);
});

test('a program that may download first has its own time for the handshake', async t => {
  const server = rawServer(t, { isMute: true });
  const { connection } = recordingConnection(t, { download: 300 });
  const state = await connection.start({ ...server.start, mayDownload: true }, [web]);
  assert.deepEqual(failureOf(state), { kind: 'silent', seconds: 0.3 });
});

test('a server that never answers is a state with the time it had, and is ended', async t => {
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

test('a server that prints something else instead is told of with how much that was', async t => {
  const program = "console.log('Ready.\\nListening on port 80'); setInterval(() => {}, 1000);";
  const { connection, traffic } = recordingConnection(t, {
    ...{ probe: 50, handshake: 1000 },
    stop: { end: 50, terminate: 3000 },
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const start = connection.start(programStart(tempFolder(t), '-e', program), [web]);
  await until('both lines', () => traffic.filter(({ kind }) => kind === 'rubbish').length === 2);
  t.mock.timers.tick(1000);
  t.mock.timers.reset();
  const failure = failureOf(await start);
  assert.deepEqual(failure, { kind: 'silent', seconds: 1, rubbishLines: 2 });
});

test('a revision that nobody speaks is told as that, not as the end it leads to', async t => {
  const server = rawServer(t, { version: '2099-01-01' });
  const { connection } = recordingConnection(t);
  const state = await connection.start(server.start, [web]);
  assert.deepEqual(failureOf(state), {
    kind: 'protocol',
    message: "Server's protocol version is not supported: 2099-01-01",
  });
  assert.equal(server.pids().length, 1);
});

test('a program that is no server at all is a state with its exit code and how much it printed', async t => {
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

test('a server that dies in a call fails the call, is a state with the reason, and is not killed', async t => {
  const server = rawServer(t);
  const { connection, states } = recordingConnection(t);
  await connection.start(server.start, [web]);
  await assert.rejects(callText(connection, 'die'));
  const end = { code: 7, signal: null, stderr: ['panic: index out of range'] };
  assert.deepEqual(states.at(-1), { kind: 'failed', failure: { kind: 'ended', end } });
  await assert.rejects(callText(connection, 'ask'), {
    name: 'HumanError',
    message: 'The server is not running. Start it first.',
  });
  await assert.rejects(connection.listTools(), { name: 'HumanError' });
  // Its process id may be that of another by now.
  const kill = t.mock.method(process, 'kill');
  connection.kill();
  assert.equal(kill.mock.callCount(), 0);
  kill.mock.restore();
  assert.equal(connection.state.kind, 'stopped');
});

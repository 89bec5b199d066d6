import { deepEqual, equal, match } from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { defaultTerms } from '../../src/domain/servers/serverDefinition.ts';
import { askUntil } from '../support/askUntil.ts';
import { type FakeHome, fakeHome } from '../support/fakeGateway.ts';
import {
  ConnectedClient,
  called,
  came,
  gatewayScene,
  openGatewayServers,
  outcome,
  StandInServer,
} from '../support/gatewayServers.ts';
import type { WindowProcess } from '../support/gatewayServersWindow.ts';
import { allGone, killed, startedNode, until } from '../support/processes.ts';
import { type RecordingServer, rawServer } from '../support/recordingServer.ts';

const lost = 'error: connector.withoutOutcome(connector.wentAway(files))';

function client(t: TestContext, { home }: { readonly home: FakeHome }): ConnectedClient {
  return new ConnectedClient(t, home, 'codex', '--workspace', home.workspace);
}

/** Opens the window in a separate process. */
function openWindow(
  t: TestContext,
  { home, workspace }: FakeHome,
  { start }: RecordingServer,
): Promise<ChildProcess> {
  const program = join(import.meta.dirname, '../support/gatewayServersWindow.ts');
  const given: WindowProcess = { home, workspace, start, clients: ['codex'] };
  return startedNode(t, program, JSON.stringify(given));
}

describe('the end', { concurrency: 4 }, () => {
  test('before a process exists shares no roots', async t => {
    const handed = async (command: string, args: readonly string[]) => {
      const home = fakeHome(t);
      const start = { command, args, cwd: home.workspace, env: {} };
      const terms = { ...defaultTerms, rootsAs: ['args'] as const };
      const server = new StandInServer('files', start, 'a1', terms);
      server.now({ [home.workspace]: 'allowed' });
      const gateway = await openGatewayServers(t, home, server);
      await gateway.allow('codex', server);
      const one = client(t, { home });
      const id = one.beginHandshake();
      return { gateway, server, answered: () => one.response(id) };
    };
    const missing = await handed('/no/such/program', []);
    await missing.answered();
    deepEqual(missing.gateway.exposures, []);
    const silent = await handed(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
    await until('it is handed the folder', () => silent.gateway.exposures.length === 1);
    const [exposure] = silent.gateway.exposures;
    deepEqual([exposure?.trigger.kind, exposure?.client], ['launch', 'codex']);
    equal(silent.gateway.sessionsOf(silent.server)[0]?.state, 'starting');
  });

  test('of a server fails its calls and starts another one', async t => {
    const { home, record, gateway, server } = await gatewayScene(t, rawServer(t), 'codex');
    const one = await came(t, { home });
    const other = await came(t, { home });
    match(await called(other), /^\[/);
    const hanging = called(one, 'hang');
    await until('it hangs', () => record.count('tools/call') === 2);
    equal(await called(one, 'die'), lost);
    equal(await hanging, lost);
    match(await called(one), /^\[/);
    match(await called(other), /^\[/);
    equal(record.pids().length, 3);
    equal(gateway.sessionsOf(server).length, 2);
  });

  test('of a server that dies repeatedly is reported in a sentence', async t => {
    const { record, ...all } = await gatewayScene(t, rawServer(t), 'codex');
    const one = await came(t, all);
    for (let deaths = 1; deaths <= 4; deaths++) {
      equal(await called(one, 'die'), lost);
    }
    const told = /^error: .*files.*(ended|panic)/;
    match(await called(one), told);
    // It waits ever longer before another start, and then no more.
    await askUntil(
      () => called(one),
      text => !told.test(text),
    );
    await called(one, 'die');
    match(await called(one), told);
    equal(record.pids().length, 5);
  });

  test('of access during the wait for the next process ends the client', async t => {
    const { record, server, ...all } = await gatewayScene(t, rawServer(t), 'codex');
    const one = await came(t, all);
    for (let deaths = 1; deaths <= 3; deaths++) {
      equal(await called(one, 'die'), lost);
    }
    // The next process has a pause of two seconds. On a slow machine that is over too soon: then it
    // waits for its definition.
    server.target = () => new Promise(() => {});
    const away = called(one);
    await until('the connector has come again', () => all.gateway.accepted === 4);
    server.now({ [all.home.workspace]: 'denied' });
    match(await away, /^error: serverUsable\.reasons\.refused/);
    equal(record.pids().length, 3);
  });

  test('of a server before its first answer is reported in a sentence', async t => {
    const { start } = rawServer(t);
    const all = await gatewayScene(t, rawServer(t, { dies: 'at-start' }), 'codex');
    const one = client(t, all);
    match(outcome(await one.initialize()), /^error: .*files.*no such option/);
    const missing = new StandInServer('files', { ...all.server.start, command: '/no/such' }, 'b2');
    all.gateway.replace(all.server, missing.now({ [all.home.workspace]: 'allowed' }));
    match(outcome(await one.initialize()), /^error: .*files.*[/\\]no[/\\]+such/);
    const well = new StandInServer('files', start, 'c3').now({ [all.home.workspace]: 'allowed' });
    all.gateway.replace(missing, well);
    await all.gateway.allow('codex', well);
    await one.initialize();
    match(await called(one), /^\[/);
  });

  test('of a client ends a stubborn server and its children', async t => {
    const options = { isStubborn: true, leavesGrandchild: true };
    const { record, ...all } = await gatewayScene(t, rawServer(t, options), 'codex');
    const [leaving, dying] = [await came(t, all), await came(t, all)];
    match(await called(leaving), /^\[/);
    dying.request('tools/call', { name: 'hang' });
    await leaving.leave();
    await killed(dying.connector.process);
    await until('no session is left', () => all.gateway.sessionsOf(all.server).length === 0);
    await allGone([...record.pids(), ...record.grandchildren()]);
    equal(record.pids().length, 2);
  });

  test('of a client cancels the start of its server', async t => {
    const { record, server, ...all } = await gatewayScene(t, rawServer(t), 'codex');
    let prepare: () => void = () => {};
    const prepared = new Promise<void>(resolve => {
      prepare = resolve;
    });
    server.target = () => prepared.then(() => server.start);
    const one = client(t, all);
    one.beginHandshake();
    await until('there is a session', () => all.gateway.sessionsOf(server).length > 0);
    await one.leave();
    await until('no session is left', () => all.gateway.sessionsOf(server).length === 0);
    prepare();
    match(await called(await came(t, all)), /^\[/);
    equal(record.pids().length, 1);
  });

  test('of a window admits no further client', async t => {
    const { record, server, ...all } = await gatewayScene(t, rawServer(t), 'codex');
    const one = client(t, all);
    void one.request('initialize', {});
    let looks = 0;
    all.gateway.beforeLook = async () => {
      looks += 1;
      await all.gateway.sessions.endAll();
    };
    // Twice for each time that it comes.
    await until('it has come again', () => looks > 2);
    equal(all.gateway.sessionsOf(server).length, 0);
    // A client without a handshake begins with a call, which no server had.
    const modern = client(t, all);
    modern.era = 'modern';
    modern.request('tools/call', { name: 'answers' });
    const before = looks;
    await until('it has come again, too', () => looks > before + 8);
    deepEqual(modern.received, []);
    deepEqual(record.pids(), []);
  });

  test('of a window that closes fails only the calls that the server had', async t => {
    const { record, ...all } = await gatewayScene(t, rawServer(t), 'codex');
    const one = await came(t, all);
    match(await called(one), /^\[/);
    const hanging = called(one, 'hang');
    await until('it hangs', () => record.count('tools/call') === 2);
    // Nobody has answered yet whether it may.
    await all.gateway.records.setAnswer('client', all.server, undefined, 'codex');
    const asked = called(one);
    await until('the user is asked', () => all.gateway.questions.length === 1);
    await all.gateway.end();
    equal(await hanging, lost);
    await allGone(record.pids());
    const away = called(one);
    const next = await openGatewayServers(t, all.home, all.server);
    await next.allow('codex', all.server);
    match(await asked, /^\[/);
    match(await away, /^\[/);
    equal(record.pids().length, 2);
  });

  test('of a killed window leaves no process, and the next window goes on', async t => {
    const home = fakeHome(t);
    const record = rawServer(t, { isStubborn: true });
    const window = await openWindow(t, home, record);
    const one = await came(t, { home });
    match(await called(one), /^\[/);
    const hanging = called(one, 'hang');
    await until('it hangs', () => record.count('tools/call') === 2);
    const first = record.pids();
    await killed(window);
    equal(await hanging, lost);
    const away = called(one);
    await openWindow(t, home, record);
    match(await away, /^\[/);
    await allGone(first);
    equal(record.pids().length, 2);
    deepEqual(
      one.received.flatMap(({ method }) => method ?? []),
      [],
    );
  });
});

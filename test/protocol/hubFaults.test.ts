import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { isSoak } from '../support/effort.ts';
import { type Hub, startHub } from '../support/hub.ts';
import {
  configOf,
  echoServer,
  type HubServer,
  plainServer,
  wrongServer,
} from '../support/hubServers.ts';
import { patience } from '../support/patience.ts';
import { isAlive, until } from '../support/processes.ts';
import { hubCall, rawHub } from '../support/rawHub.ts';
import { tempFolder } from '../support/temp.ts';

test('a cancelled call leaves no error for another call with its id', async t => {
  const wrong = wrongServer(t);
  const session = await rawHub(t, { config: configOf({ wrong }), roots: [tempFolder(t)] });
  session.send(hubCall(7, 'wrong', 'hang'));
  await until('the call', () => wrong.heard().length === 1);
  session.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
  await until('its end', () => wrong.recorded.count('notifications/cancelled') === 1);
  session.send({ id: 7, method: 'prompts/get', params: { name: 'none' } });
  const { error } = await session.answerTo(7);
  equal(error?.code, -32601);
});

describe('servers behind the hub that are not well', { concurrency: 2 }, () => {
  // One of each kind: `faults.test.ts` tests the effect of the others on another connection.
  test('do not disturb another server, and can be called again after a crash', async t => {
    const servers = {
      crash: wrongServer(t),
      hang: wrongServer(t),
      'flood-notifications': wrongServer(t),
      'ends at its start': plainServer(t, { dies: 'at-start' }),
      'never says a word': plainServer(t, { isMute: true }),
      well: echoServer(t),
    };
    const config = configOf(servers);
    const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
    const failing = Object.keys(servers)
      .filter(name => name !== 'well')
      .map(name => hub.call(name, name).then(String, String));
    await answersAll(hub, 20);
    for (const at of [0, 2, 3]) {
      ok((await within(failing[at]!, patience, 'silence')) !== 'silence', `${at} is silent`);
    }
    await answersAll(hub, 20);
    equal(servers.well.recorded.pids().length, 1);
    equal(servers.well.heard().length, 40);
    await until('the crash is over', () => !isAlive(servers.crash.recorded.pids()[0]!));
    const { content } = await hub.call('crash', 'echo');
    equal(content[0]?.text, 'well');
    equal(servers.crash.recorded.pids().length, 2);
    deepEqual(
      (await hub.listServers()).servers.map(({ name }) => name),
      Object.keys(servers),
    );
    await hub.close();
    await Promise.all(failing);
  });
});

const isWindows = process.platform === 'win32';
/** Only there it is known how to start a session in one line. */
const leavesSessions = process.platform === 'linux';

describe('the hub leaves no process', { concurrency: 2 }, () => {
  const endings = {
    'its input ends': ({ stdin }) => stdin?.end(),
    'it is terminated': child => child.kill('SIGTERM'),
    'its terminal is gone': child => child.kill('SIGHUP'),
    // With its process group, which Windows has not.
    'it is killed': ({ pid }) => process.kill(isWindows ? Number(pid) : -Number(pid), 'SIGKILL'),
  } as const satisfies Record<
    string,
    (child: Awaited<ReturnType<typeof rawHub>>['process']) => unknown
  >;
  const ends = Object.entries(endings);
  for (const [what, end] of isSoak ? ends : [ends[0]!, ends[3]!]) {
    test(`when ${what}, not even a stubborn one`, async t => {
      const servers = {
        well: echoServer(t),
        deaf: plainServer(t, { isDeaf: true }),
        stubborn: plainServer(t, { isStubborn: true }),
        parent: plainServer(t, { isStubborn: true, leavesGrandchild: true }),
        leaving: plainServer(t, { leavesSessions }),
        dead: plainServer(t, { leavesSessions }),
        wrong: wrongServer(t),
      };
      const session = await runningHub(t, servers);
      session.send(hubCall(200, 'wrong', 'flood-notifications'), hubCall(201, 'parent', 'hang'));
      await session.answerTo(200);
      const pidsOf = (all: readonly HubServer[]) =>
        all.flatMap(({ recorded }) => [...recorded.pids(), ...recorded.grandchildren()]);
      const { dead, ...others } = servers;
      const sessions = leavesSessions ? 3 : 0;
      await until(
        'all are there',
        () => pidsOf(Object.values(servers)).length === 8 + 2 * sessions,
      );
      session.send(hubCall(202, 'dead', 'die'));
      await session.answerTo(202);
      deepEqual(pidsOf([dead]).filter(isAlive), []);
      const pids = pidsOf(Object.values(others));
      equal(pids.filter(isAlive).length, 7 + sessions);
      end(session.process);
      await session.exited;
      await until('all processes are gone', () => !pids.some(isAlive));
    });
  }
});

/** A hub after each server has answered a call. */
async function runningHub(t: TestContext, servers: Readonly<Record<string, HubServer>>) {
  const session = await rawHub(t, { config: configOf(servers), roots: [tempFolder(t)] });
  for (const [at, name] of Object.keys(servers).entries()) {
    const tool = name === 'well' || name === 'wrong' ? 'echo' : 'answers';
    session.send(hubCall(100 + at, name, tool));
    const { result, error } = await session.answerTo(100 + at);
    equal(result?.isError ?? error, undefined, `${name}: ${JSON.stringify(result ?? error)}`);
  }
  return session;
}

/** The well server answers so many calls, each in its time. */
async function answersAll(hub: Hub, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const answer = await within(hub.call('well', 'echo', { number }), patience, 'silence' as const);
    ok(answer !== 'silence', `Call ${number} was not answered.`);
    equal(answer.content[0]?.text, JSON.stringify({ number }));
  }
}

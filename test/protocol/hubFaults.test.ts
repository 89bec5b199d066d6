import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { type Hub, startHub } from '../support/hub.ts';
import {
  configOf,
  echoServer,
  filesystemServer,
  type HubServer,
  plainServer,
  wrongServer,
} from '../support/hubServers.ts';
import { patience } from '../support/patience.ts';
import { isAlive, until } from '../support/processes.ts';
import { hubCall, rawHub } from '../support/rawHub.ts';
import { tempFolder } from '../support/temp.ts';

test('a call that was called off leaves no error behind for another one under its id', async t => {
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

describe('a server behind the hub that is not well', { concurrency: 2 }, () => {
  // One of each kind: `faults.test.ts` has what every other one does to a connection beside it.
  for (const fault of ['crash', 'hang', 'flood-notifications']) {
    test(`does not disturb another one: ${fault}`, async t => {
      const wrong = wrongServer(t);
      const well = echoServer(t);
      const hub = await startHub(t, {
        era: 'legacy',
        config: configOf({ wrong, well }),
        roots: [tempFolder(t)],
      });
      await hub.call('wrong', 'echo');
      await hub.call('well', 'echo');
      const failing = hub.call('wrong', fault).then(
        () => 'answered',
        () => 'rejected',
      );
      await answersAll(hub, 20);
      if (fault !== 'hang') {
        ok(['answered', 'rejected'].includes(await within(failing, patience, 'silence')));
        await answersAll(hub, 20);
      }
      equal(well.recorded.pids().length, 1);
      equal(well.heard().length, fault === 'hang' ? 21 : 41);
    });
  }

  test('can be called again after its crash', async t => {
    const wrong = wrongServer(t);
    const config = configOf({ wrong });
    const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
    await hub.call('wrong', 'echo');
    await hub.call('wrong', 'crash').catch(() => {});
    await until('the crash is over', () => !wrong.recorded.pids().some(isAlive));
    const { content } = await hub.call('wrong', 'echo');
    equal(content[0]?.text, 'well');
    equal(wrong.recorded.pids().length, 2);
  });

  test('is ended and told of when it closes its output, and can be called again', async t => {
    const wrong = wrongServer(t);
    const config = configOf({ wrong });
    const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
    await hub.call('wrong', 'echo');
    const { isError } = await hub.call('wrong', 'close-output-and-stay');
    equal(isError, true);
    equal(wrong.recorded.pids().filter(isAlive).length, 0);
    const { servers } = await hub.listServers();
    match(JSON.stringify(servers), /closed its output and went on running/);
    const { content } = await hub.call('wrong', 'echo');
    equal(content[0]?.text, 'well');
  });

  const neverUp = {
    'ends at its start': { dies: 'at-start' },
    'never says a word': { isMute: true },
  } as const;
  for (const [what, options] of Object.entries(neverUp)) {
    test(`does not disturb another one when it ${what}`, async t => {
      const config = configOf({ wrong: plainServer(t, options), well: echoServer(t) });
      const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
      const failing = hub.call('wrong', 'answers').catch(() => {});
      await answersAll(hub, 20);
      const { servers } = await hub.listServers();
      deepEqual(
        servers.map(({ name }) => name),
        ['wrong', 'well'],
      );
      await hub.close();
      await failing;
    });
  }
});

/** Only there it is known how to start a session in one line. */
const leavesSessions = process.platform === 'linux';

describe('every process of the hub is gone', { concurrency: 2 }, () => {
  const endings = {
    'its input ends': ({ stdin }) => stdin?.end(),
    'it is terminated': child => child.kill('SIGTERM'),
    'its terminal is gone': child => child.kill('SIGHUP'),
    'it is killed': child => child.kill('SIGKILL'),
  } as const satisfies Record<
    string,
    (child: Awaited<ReturnType<typeof rawHub>>['process']) => unknown
  >;
  for (const [what, end] of Object.entries(endings)) {
    test(`when ${what}, also those that do not want to`, async t => {
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

  for (const what of ['its input ends', 'it is killed'] as const) {
    test(`when ${what} while they start`, async t => {
      const servers = {
        mute: plainServer(t, { isMute: true, isStubborn: true }),
        files: filesystemServer(t),
        stubborn: plainServer(t, { isStubborn: true }),
      };
      const roots = [tempFolder(t)];
      const session = await rawHub(t, { config: configOf(servers), roots });
      session.send(...Object.keys(servers).map((name, at) => hubCall(100 + at, name, 'answers')));
      const { mute, stubborn } = servers;
      const pids = () => [mute, stubborn].flatMap(({ recorded }) => recorded.pids());
      await until('they start', () => pids().length === 2);
      endings[what](session.process);
      await session.exited;
      await until('all processes are gone', () => !pids().some(isAlive));
    });
  }

  test('when its client of the SDK closes it', async t => {
    const servers = { well: echoServer(t), stubborn: plainServer(t, { isStubborn: true }) };
    const hub = await startHub(t, {
      era: 'modern',
      config: configOf(servers),
      roots: [tempFolder(t)],
    });
    await hub.call('well', 'echo');
    await hub.call('stubborn', 'answers');
    const pids = Object.values(servers).flatMap(({ recorded }) => recorded.pids());
    deepEqual(pids.map(isAlive), [true, true]);
    await hub.close();
    await until('all processes are gone', () => ![hub.pid, ...pids].some(isAlive));
  });
});

/** A hub whose servers have all answered a call. */
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

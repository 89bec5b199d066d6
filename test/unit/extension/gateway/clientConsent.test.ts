import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toDisposable } from '../../../../src/base/disposable.ts';
import type { Activity } from '../../../../src/domain/activity.ts';
import type { Verdict } from '../../../../src/domain/gate/asked.ts';
import { judgeUse } from '../../../../src/domain/gate/gate.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import {
  type AskingClient,
  type AskingSession,
  ClientConsent,
} from '../../../../src/extension/gateway/clientConsent.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { recordsIn } from '../../../support/memory.ts';
import { publishable } from '../../../support/publishing.ts';
import { said } from '../../../support/texts.ts';
import { turnsOfTheLoop } from '../../../support/turns.ts';

/** A user and a clock that the test controls. */
function aWindow() {
  const [files, git] = ['files', 'git'].map(label => {
    return { ...publishable(label), isRetired: false };
  }) as unknown as [Server & { isRetired: boolean }, Server];
  const asked: Question[] = [];
  const timers = new Set<() => void>();
  const sessions = new Map<AskingSession, Server>();
  const activity: Activity[] = [];
  const waits: number[] = [];
  const records = recordsIn();
  const consent = new ClientConsent(
    {
      records,
      editor: 'The Editor',
      activity: { add: entry => void activity.push(entry) },
      ask: held => {
        const [client] = held();
        const names = held().map(({ name }) => name);
        return new Promise(over => asked.push({ client: client!, names, held, over }));
      },
    },
    () => sessions,
    (milliseconds, run) => {
      waits.push(milliseconds);
      timers.add(run);
      return toDisposable(() => timers.delete(run));
    },
  );
  const connect = (server: Server = files, name = 'codex'): AskingSession => {
    const client = { name, version: '1' };
    const one = { client, cwd: '/proj', isWaiting: false };
    sessions.set(one, server);
    return one;
  };
  const { signal } = new AbortController();
  /** The key of the refusal, or `asks`; `undefined`: it is admitted. */
  const admit = async (one: AskingSession) => {
    const server = sessions.get(one)!;
    const judged = () => judgeUse({ server, client: consent.factsOn(one.client.name, server) });
    if (judged().kind === 'asks') {
      await consent.ask(one, server, signal);
    }
    const verdict = judged();
    const refusal = textOf(verdict);
    return verdict.kind === 'asks' ? verdict.kind : refusal && said(refusal);
  };
  /** Has a session wait for its answer. */
  const hold = async (one: AskingSession) => {
    const answered = admit(one);
    await turnsOfTheLoop();
    return { answered };
  };
  /** As long goes by as a call is held at most. */
  const pass = () => {
    for (const run of [...timers]) {
      run();
    }
  };
  const shown = { files, git, consent, records, asked, activity, waits, timers, sessions };
  return { ...shown, connect, admit, hold, pass };
}

/** A question on the screen. */
interface Question {
  /** The first client that it names. */
  readonly client: AskingClient;
  readonly names: readonly string[];
  readonly held: () => readonly AskingClient[];
  /** Says whether it was answered, or closed by the user, or hidden by the editor. */
  readonly over: (isAnswered: boolean) => void;
}

async function answerAll(client: AskingClient, ...allowed: readonly Server[]): Promise<void> {
  for (const server of client.servers()) {
    await client.answer(server, allowed.includes(server), 'session');
  }
}

async function allow({ client, over }: Question, ...allowed: readonly Server[]): Promise<void> {
  await answerAll(client, ...allowed);
  over(true);
}

const unsaid = 'asks';

describe('a client that the user has not answered about', () => {
  it('gets a note after 45 seconds, keeps waiting, and may go on later', async () => {
    const { consent, files, asked, activity, waits, timers, connect, pass, hold } = aWindow();
    const one = connect();
    const { answered: first } = await hold(one);
    const { client, held } = asked[0]!;
    deepEqual([asked.length, one.isWaiting, waits], [1, true, [45_000]]);
    equal(held().length, 1);
    pass();
    equal(await first, unsaid);
    equal(one.isWaiting, true, 'It waits on: the row and the status say so.');
    deepEqual([client.servers(), held()], [[files], []]);

    const { answered: second } = await hold(one);
    deepEqual([asked.length, held().length], [1, 1], 'There is one question for all calls.');
    await allow(asked[0]!, files);
    equal(await second, undefined);
    deepEqual([timers.size, held()], [0, []]);
    deepEqual(
      activity.map(({ kind, ...entry }) => [kind, 'decision' in entry && entry.decision]),
      [['answered', 'allowed']],
    );
    equal(consent.verdictOn('codex', files), true);
  });

  it('gets the question again with its next call if the editor has hidden it', async () => {
    const { asked, connect, pass, hold } = aWindow();
    const one = connect();
    const { answered: first } = await hold(one);
    pass();
    await first;
    asked[0]!.over(false);
    await turnsOfTheLoop();
    const { answered: second } = await hold(one);
    equal(asked.length, 2);
    pass();
    equal(await second, unsaid);
  });

  it('gets no second question in a session after a closed one, but the user can ask for it', async () => {
    const { consent, asked, connect, admit, hold } = aWindow();
    const one = connect();
    const { answered: first } = await hold(one);
    asked[0]!.over(false);
    equal(await first, unsaid);
    equal(await admit(one), unsaid);
    equal(asked.length, 1);
    const [client] = consent.waitingFor();
    await answerAll(client!);
    equal(await admit(one), 'clientAllowed.refusalOf.2(codex, files)');
  });

  it('needs no question when it is gone or answered, or the server has changed', async () => {
    const { consent, records, files, asked, sessions, connect, hold } = aWindow();
    const one = connect();
    const { answered: first } = await hold(one);
    const { client } = asked[0]!;
    sessions.delete(one);
    deepEqual([client.servers(), consent.waitingFor().length], [[], 0]);
    equal(client.isOpen(files), true, 'it is remembered when it comes again');
    connect().isWaiting = true;
    deepEqual(client.servers(), [files], 'another session of it waits');
    files.isRetired = true;
    deepEqual([client.servers(), client.isOpen(files)], [[], false]);
    files.isRetired = false;
    await records.setAnswer('client', files, true, 'codex', 'session');
    equal(await first, undefined, 'The answer came by its row.');
    equal(client.isOpen(files), false);
    await client.answer(files, false, 'session');
    equal(records.answer('client', files, 'codex'), true, 'One that comes too late is not kept.');
  });
});

describe('a client that wants several servers', () => {
  it('gets one question on all its servers, and unticked servers are refused', async () => {
    const { consent, files, git, asked, activity, connect, hold } = aWindow();
    const [one, other] = [connect(files), connect(git)];
    connect(git, 'gemini');
    const { answered: first } = await hold(one);
    deepEqual(asked[0]!.client.servers(), [files, git], 'It will call both.');
    const { answered: second } = await hold(other);
    deepEqual(
      [asked.length, consent.waitingFor().map(({ name, servers }) => [name, servers()])],
      [1, [['codex', [files, git]]]],
    );
    await allow(asked[0]!, git);
    deepEqual(await Promise.all([first, second]), [
      'clientAllowed.refusalOf.2(codex, files)',
      undefined,
    ]);
    const decisions = activity.map(entry => 'decision' in entry && entry.decision);
    deepEqual(decisions, ['denied', 'allowed']);
    deepEqual(consent.waitingFor(), []);
  });

  it('adds later servers to the question, or asks about them next', async () => {
    const { files, git, asked, connect, hold } = aWindow();
    const { answered: first } = await hold(connect(files));
    const { client, over } = asked[0]!;
    const { answered: second } = await hold(connect(git));
    deepEqual([asked.length, client.servers()], [1, [files, git]]);
    await client.answer(files, true, 'session');
    over(true);
    equal(await first, undefined);
    await turnsOfTheLoop();
    deepEqual(asked[1]?.client.servers(), [git]);
    await allow(asked[1]!, git);
    equal(await second, undefined);
  });

  it('waits once for each called server, not for all that it wants', () => {
    const { consent, files, git, connect } = aWindow();
    for (const one of [connect(files), connect(files)]) {
      one.isWaiting = true;
    }
    connect(git);
    connect(files, 'claude-code');
    const waiting = [files, git].map(server => consent.waitingFor(server).map(({ name }) => name));
    deepEqual(waiting, [['codex'], []]);
  });

  it('gets no second question on any server after a closed one', async () => {
    const { files, git, asked, connect, admit, hold } = aWindow();
    const [one, other] = [connect(files), connect(git)];
    const { answered: first } = await hold(one);
    asked[0]!.over(false);
    equal(await first, unsaid);
    equal(await admit(other), unsaid);
    equal(asked.length, 1);
  });
});

describe('clients that wait at the same time', () => {
  it('share one question, which names the client with the latest call first', async () => {
    const { files, git, asked, connect, admit, hold } = aWindow();
    const names = Array.from({ length: 12 }, (_, index) => `made-up-${index}`);
    const { answered: first } = await hold(connect(files, 'made-up-0'));
    const others = names.slice(1).map(name => admit(connect(files, name)));
    const { answered: real } = await hold(connect(git, 'claude-code'));
    equal(asked.length, 1);
    const held = asked[0]!.held();
    deepEqual(
      held.map(({ name }) => name),
      ['claude-code', ...names.toReversed()],
      'What it is about by now is asked next.',
    );
    for (const client of held) {
      await answerAll(client, git);
    }
    asked[0]!.over(true);
    deepEqual(
      await Promise.all([first, ...others]),
      names.map(name => `clientAllowed.refusalOf.2(${name}, files)`),
    );
    equal(await real, undefined);
    equal(asked.length, 1);
  });

  it('get a new question when they came after an answered or closed one', async () => {
    const { files, asked, connect, hold } = aWindow();
    const { answered: first } = await hold(connect(files, 'made-up'));
    const { answered: real } = await hold(connect(files));
    asked[0]!.over(false);
    equal(await first, unsaid);
    await turnsOfTheLoop();
    deepEqual(asked[1]?.names, ['codex'], 'closing is no answer');
    await allow(asked[1]!, files);
    equal(await real, undefined);
    equal(asked.length, 2);
  });
});

function textOf(verdict: Verdict): string | undefined {
  return verdict.kind === 'refused' ? inEnglish(verdict.why) : undefined;
}

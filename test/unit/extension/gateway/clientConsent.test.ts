import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toDisposable } from '../../../../src/base/disposable.ts';
import type { Activity } from '../../../../src/domain/activity.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import {
  type AskingClient,
  type AskingSession,
  ClientConsent,
} from '../../../../src/extension/gateway/clientConsent.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { recordsIn } from '../../../support/memory.ts';
import { turnsOfTheLoop } from '../../../support/turns.ts';

/** A user who answers, and a clock that goes on, when the test says so. */
function aWindow() {
  const [files, git] = ['files', 'git'].map(label => {
    return { definition: { id: label, label }, identity: 'a1', isRetired: false };
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
      ask: held => new Promise(over => asked.push(new Question(held, over))),
      text: inEnglish,
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
  return {
    files,
    git,
    consent,
    records,
    asked,
    activity,
    waits,
    timers,
    sessions,
    connect,
    admit: async (one: AskingSession) => consent.admit(one, sessions.get(one)!, signal),
    /** As long goes by as a call is held at most. */
    pass() {
      for (const run of [...timers]) {
        run();
      }
    },
  };
}

/** A question on the screen. */
class Question {
  /** The clients that it names. */
  readonly clients: readonly AskingClient[];
  readonly held: () => readonly AskingClient[];
  /** Says whether it was answered, or closed by the user, or hidden by the editor. */
  readonly over: (isAnswered: boolean) => void;

  constructor(held: () => readonly AskingClient[], over: (isAnswered: boolean) => void) {
    this.clients = held();
    this.held = held;
    this.over = over;
  }

  get client(): AskingClient {
    return this.clients[0]!;
  }

  get names(): readonly string[] {
    return this.clients.map(({ name }) => name);
  }
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

const unsaid =
  'The user has not said yet whether "codex" may use "files". Ask them to answer in the view of MCP Roots, then try again.';

describe('a client that the user has not answered about', () => {
  it('is told so after 45 seconds, while it goes on to wait, and may then', async () => {
    const { consent, files, asked, activity, waits, timers, connect, admit, pass } = aWindow();
    const one = connect();
    const first = admit(one);
    await turnsOfTheLoop();
    const { client, held } = asked[0]!;
    deepEqual([asked.length, one.isWaiting, waits], [1, true, [45_000]]);
    equal(held().length, 1);
    pass();
    equal(await first, unsaid);
    equal(one.isWaiting, true, 'It waits on: the row and the status say so.');
    deepEqual([client.servers(), held()], [[files], []]);

    const second = admit(one);
    await turnsOfTheLoop();
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

  it('is asked about again by its next call, when the editor has hidden the question', async () => {
    const { asked, connect, admit, pass } = aWindow();
    const one = connect();
    const first = admit(one);
    await turnsOfTheLoop();
    pass();
    await first;
    asked[0]!.over(false);
    await turnsOfTheLoop();
    const second = admit(one);
    await turnsOfTheLoop();
    equal(asked.length, 2);
    pass();
    equal(await second, unsaid);
  });

  it('is not asked about again in a session whose question was closed, but can be at once', async () => {
    const { consent, asked, connect, admit } = aWindow();
    const one = connect();
    const first = admit(one);
    await turnsOfTheLoop();
    asked[0]!.over(false);
    equal(await first, unsaid);
    equal(await admit(one), unsaid);
    equal(asked.length, 1);
    const [client] = consent.waitingFor();
    await answerAll(client!);
    equal(await admit(one), 'The user does not allow "codex" to use "files".');
  });

  it('is not to be asked about any more when it is gone, or was answered, or the server changed', async () => {
    const { consent, records, files, asked, sessions, connect, admit } = aWindow();
    const one = connect();
    const first = admit(one);
    await turnsOfTheLoop();
    const { client } = asked[0]!;
    sessions.delete(one);
    deepEqual([client.servers(), consent.waitingFor().length], [[], 0]);
    equal(client.isOpen(files), true, 'What it was asked is remembered when it comes again.');
    connect().isWaiting = true;
    deepEqual(client.servers(), [files], 'Another session of it waits for the same answer.');
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
  it('has one question on all that it is connected to, and what is not ticked is refused', async () => {
    const { consent, files, git, asked, activity, connect, admit } = aWindow();
    const [one, other] = [connect(files), connect(git)];
    connect(git, 'gemini');
    const first = admit(one);
    await turnsOfTheLoop();
    deepEqual(asked[0]!.client.servers(), [files, git], 'It will call both.');
    const second = admit(other);
    await turnsOfTheLoop();
    deepEqual(
      [asked.length, consent.waitingFor().map(({ name, servers }) => [name, servers()])],
      [1, [['codex', [files, git]]]],
    );
    await allow(asked[0]!, git);
    deepEqual(await Promise.all([first, second]), [
      'The user does not allow "codex" to use "files".',
      undefined,
    ]);
    deepEqual(
      activity.map(entry => 'decision' in entry && entry.decision),
      ['denied', 'allowed'],
    );
    deepEqual(consent.waitingFor(), []);
  });

  it('has those that come later join, or be asked about next where they came too late', async () => {
    const { files, git, asked, connect, admit } = aWindow();
    const first = admit(connect(files));
    await turnsOfTheLoop();
    const { client, over } = asked[0]!;
    const second = admit(connect(git));
    await turnsOfTheLoop();
    deepEqual([asked.length, client.servers()], [1, [files, git]]);
    await client.answer(files, true, 'session');
    over(true);
    equal(await first, undefined);
    await turnsOfTheLoop();
    deepEqual(asked[1]?.client.servers(), [git]);
    await allow(asked[1]!, git);
    equal(await second, undefined);
  });

  it('waits once for each that it has called, not for all that it wants', () => {
    const { consent, files, git, connect } = aWindow();
    for (const one of [connect(files), connect(files)]) {
      one.isWaiting = true;
    }
    connect(git);
    connect(files, 'claude-code');
    deepEqual(
      [files, git].map(server => consent.waitingFor(server).map(({ name }) => name)),
      [['codex'], []],
    );
  });

  it('is asked about none of them again when the question is closed', async () => {
    const { files, git, asked, connect, admit } = aWindow();
    const [one, other] = [connect(files), connect(git)];
    const first = admit(one);
    await turnsOfTheLoop();
    asked[0]!.over(false);
    equal(await first, unsaid);
    equal(await admit(other), unsaid.replace('files', 'git'));
    equal(asked.length, 1);
  });
});

describe('clients that wait at the same time', () => {
  it('have one question for all, which names that with the latest call first', async () => {
    const { files, git, asked, connect, admit } = aWindow();
    const names = Array.from({ length: 12 }, (_, index) => `made-up-${index}`);
    const first = admit(connect(files, 'made-up-0'));
    await turnsOfTheLoop();
    const others = names.slice(1).map(name => admit(connect(files, name)));
    const real = admit(connect(git, 'claude-code'));
    await turnsOfTheLoop();
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
    const refusals = await Promise.all([first, ...others]);
    deepEqual(
      refusals,
      names.map(name => `The user does not allow "${name}" to use "files".`),
    );
    equal(await real, undefined);
    equal(asked.length, 1);
  });

  it('are asked about anew when they came after the question that was answered or closed', async () => {
    const { files, asked, connect, admit } = aWindow();
    const first = admit(connect(files, 'made-up'));
    await turnsOfTheLoop();
    const real = admit(connect(files));
    await turnsOfTheLoop();
    asked[0]!.over(false);
    equal(await first, unsaid.replace('codex', 'made-up'));
    await turnsOfTheLoop();
    deepEqual(asked[1]?.names, ['codex'], 'A question that was closed is left, not answered.');
    await allow(asked[1]!, files);
    equal(await real, undefined);
    equal(asked.length, 2);
  });
});

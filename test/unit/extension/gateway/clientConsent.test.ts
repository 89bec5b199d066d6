import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toDisposable } from '../../../../src/base/disposable.ts';
import type { Activity } from '../../../../src/domain/activity.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { ServerChoices } from '../../../../src/extension/consent/serverChoices.ts';
import { ClientAnswers } from '../../../../src/extension/gateway/clientAnswers.ts';
import {
  type AskingSession,
  ClientConsent,
} from '../../../../src/extension/gateway/clientConsent.ts';
import type { Answered, AskingClient } from '../../../../src/extension/gateway/clientQuestion.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { Memory } from '../../../support/memory.ts';

const once: Answered = { isAllowed: true, scope: 'session' };
const never: Answered = { isAllowed: false, scope: 'workspace' };
const { signal } = new AbortController();

/** A user who answers, and a clock that goes on, when the test says so. */
function aWindow() {
  const server = { definition: { id: 'files', label: 'files' }, identity: 'a1', isRetired: false };
  const asked: { client: AskingClient; answer: (answer: Answered) => void }[] = [];
  const timers = new Set<() => void>();
  const sessions: AskingSession[] = [];
  const activity: Activity[] = [];
  const waits: number[] = [];
  const answers = new ClientAnswers(new Memory());
  const ask = (client: AskingClient) =>
    new Promise<Answered>(answer => asked.push({ client, answer }));
  const consent = new ClientConsent(
    {
      answers,
      offers: new ServerChoices(new Memory(), 'offers'),
      editor: 'The Editor',
      activity: { add: entry => void activity.push(entry) },
      ask,
      askNow: ask,
      text: inEnglish,
    },
    () => sessions,
    (milliseconds, run) => {
      waits.push(milliseconds);
      timers.add(run);
      return toDisposable(() => timers.delete(run));
    },
  );
  const session = (name = 'codex'): AskingSession => {
    const client = { name, version: '1' };
    const one = { client, cwd: '/proj', isWaiting: false, usedAs: new Set<string>() };
    sessions.push(one);
    return one;
  };
  const wanted = server as unknown as Server;
  return {
    server,
    wanted,
    consent,
    answers,
    asked,
    activity,
    waits,
    timers,
    session,
    admit: async (one: AskingSession) => consent.admit(one, wanted, signal),
    /** As long goes by as a call is held at most. */
    pass() {
      for (const run of [...timers]) {
        run();
      }
    },
  };
}

const turns = () => new Promise(setImmediate);
const unsaid = /^The user has not said yet whether "codex" may use "files"\. Ask them to answer/;

describe('a client that the user has not answered about', () => {
  it('is told so after 45 seconds, while the question goes on to wait, and may then', async () => {
    const { consent, wanted, asked, activity, waits, timers, session, admit, pass } = aWindow();
    const one = session();
    const first = admit(one);
    await turns();
    deepEqual([asked.length, one.isWaiting, waits], [1, true, [45_000]]);
    pass();
    equal(unsaid.test((await first) ?? ''), true);
    equal(one.isWaiting, true, 'It waits on: the row and the status say so.');
    deepEqual(
      [asked[0]?.client.isOpen(), asked[0]?.client.isWaiting()],
      [true, true],
      'The question is one to be asked still.',
    );

    const second = admit(one);
    await turns();
    equal(asked.length, 1, 'There is one question, however often it calls.');
    asked[0]?.answer(once);
    equal(await second, undefined);
    deepEqual([[...one.usedAs], timers.size], [['codex'], 0]);
    deepEqual(
      activity.map(({ kind, ...entry }) => [kind, 'decision' in entry && entry.decision]),
      [['answered', 'allowed']],
    );
    equal(consent.verdictOn('codex', wanted), true);
  });

  it('is not asked about again in a session whose question was left, but can be at once', async () => {
    const { consent, wanted, asked, session, admit } = aWindow();
    const one = session();
    const first = admit(one);
    await turns();
    asked[0]?.answer(undefined);
    equal(unsaid.test((await first) ?? ''), true);
    equal(unsaid.test((await admit(one)) ?? ''), true);
    equal(asked.length, 1);
    const now = consent.askNow(one, wanted);
    asked[1]?.answer(never);
    await now;
    equal(await admit(one), 'The user does not allow "codex" to use "files".');
  });

  it('is not to be asked about any more when it is gone, or was answered, or the server changed', async () => {
    const { answers, server, wanted, asked, session, admit } = aWindow();
    const one = session();
    const first = admit(one);
    await turns();
    const { isOpen, isWaiting } = asked[0]!.client;
    one.isWaiting = false;
    deepEqual([isOpen(), isWaiting()], [true, false]);
    const other = session();
    other.isWaiting = true;
    equal(isWaiting(), true, 'Another session of the same client waits for the same answer.');
    server.isRetired = true;
    equal(isOpen(), false);
    server.isRetired = false;
    await answers.set('codex', wanted, true, 'session');
    equal(await first, undefined, 'The answer came by its row.');
    equal(isOpen(), false);
    asked[0]?.answer(never);
    await turns();
    equal(answers.of('codex', wanted), true, 'One that comes too late is not kept.');
  });
});

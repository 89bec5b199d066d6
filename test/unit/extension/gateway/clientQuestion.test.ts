import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { seenFor } from '../../../../src/domain/shown.ts';
import type { AskingClient } from '../../../../src/extension/gateway/clientConsent.ts';
import { askAboutClients } from '../../../../src/extension/gateway/clientQuestion.ts';
import type { Question, Screen } from '../../../../src/extension/screen.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { accessOf, allowed, folder, shownServer } from '../../../support/shownServer.ts';

const files = shownServer({ access: accessOf(allowed(folder('api'))) });

/** A client that waits for the server, and what it was answered. */
function waiting(name: string, answers: unknown[]): AskingClient {
  return {
    name,
    cwd: '/proj',
    servers: () => [files],
    isOpen: () => true,
    answer: async (server, ...answer) => void answers.push([name, server === files, ...answer]),
  };
}

/** The question about clients as it is put now. */
async function questionOn(held: () => readonly AskingClient[]): Promise<Question<boolean>> {
  let question: Question<boolean> | undefined;
  const show = async (compose: () => Question<boolean>) => {
    question = compose();
  };
  await askAboutClients({ show } as unknown as Screen, held);
  return question!;
}

test('the question on a client says that its name and its folder are its own claims', async () => {
  const held = [waiting('codex', [])];
  const { text, buttons, isAwaited, isOutdated } = await questionOn(() => held);
  equal(
    text,
    'Allow "codex" to use "files", which sees "api"? The client itself says that it has this name and runs in /proj.',
  );
  deepEqual(
    buttons.map(({ title }) => title),
    ['In This Workspace', 'Until the Window Closes', "Don't Allow"],
  );
  deepEqual([isAwaited?.(), isOutdated?.()], [true, false]);
  held.push(waiting('other', []));
  equal(isOutdated?.(), true, 'Another client waits, which it does not name.');
  held.length = 0;
  deepEqual([isAwaited?.(), isOutdated?.()], [false, false]);
});

test('the question on several clients leads to a list in which none is ticked, and a no to those unseen has no button', async t => {
  const answers: unknown[] = [];
  const held = ['codex', 'a', 'b', 'c', 'd'].map(name => waiting(name, answers));
  const { text, buttons } = await questionOn(() => held);
  equal(
    text,
    'Which servers may these clients use? They named themselves: "codex", "a", "b" and 2 more.',
  );
  deepEqual(
    buttons.map(({ title }) => title),
    ['In This Workspace…', 'Until the Window Closes…'],
  );
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const picked: unknown[] = [];
  t.mock.method(vscode.window, 'showQuickPick', async (items: readonly { picked: boolean }[]) => {
    picked.push(...items.map(one => one.picked));
    t.mock.timers.tick(seenFor);
    return items.slice(0, 1);
  });
  equal(await buttons[1]?.follow(), true);
  deepEqual(
    picked,
    held.map(() => false),
  );
  deepEqual(answers, [
    ['codex', true, true, 'session'],
    ...['a', 'b', 'c', 'd'].map(name => [name, true, false, 'session']),
  ]);
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { seenFor } from '../../../../src/domain/shown.ts';
import { askAboutClients } from '../../../../src/extension/consent/clientQuestion.ts';
import type { AskingClient } from '../../../../src/extension/gateway/clientConsent.ts';
import type { Question, Screen } from '../../../../src/extension/screen.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { accessOf, allowed, folder, shownServer } from '../../../support/shownServer.ts';
import { said } from '../../../support/texts.ts';

const files = shownServer({ access: accessOf(allowed(folder('api'))) });

/** A client that waits for the server, and its answers. */
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
  const show = async (compose: () => Promise<Question<boolean>>) => {
    question = await compose();
  };
  await askAboutClients({ show } as unknown as Screen, held);
  return question!;
}

test('the question on a client says that name and folder are the client’s claims', async t => {
  const { mock } = t.mock.method(vscode.commands, 'executeCommand');
  const held = [waiting('codex', [])];
  const { text, buttons, isAwaited, isOutdated } = await questionOn(() => held);
  // The list of notifications may be open, and one more come up out of its sight.
  deepEqual(mock.calls.at(-1)?.arguments, ['notifications.hideList']);
  equal(
    said(text),
    'clientQuestion.questionOn.6(codex, clientQuestion.questionOn.7(files, "api"), /proj)',
  );
  const titles = buttons.map(({ title }) => title);
  deepEqual(titles, ['In This Workspace', 'Until the Window Closes', "Don't Allow"]);
  deepEqual([isAwaited?.(), isOutdated?.()], [true, false]);
  held.push(waiting('other', []));
  equal(isOutdated?.(), true, 'Another client waits, which it does not name.');
  held.length = 0;
  deepEqual([isAwaited?.(), isOutdated?.()], [false, false]);
});

test('the question on several clients opens an unticked list, and has no button for a no', async t => {
  const answers: unknown[] = [];
  const held = ['codex', 'a', 'b', 'c', 'd'].map(name => waiting(name, answers));
  const { text, buttons } = await questionOn(() => held);
  equal(said(text), 'clientQuestion.questionOn.5(shownNames.firstOf("codex", "a", "b", 2))');
  const titles = buttons.map(({ title }) => title);
  deepEqual(titles, ['In This Workspace…', 'Until the Window Closes…']);
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

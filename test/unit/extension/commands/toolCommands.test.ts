import { deepEqual, rejects } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import * as vscode from 'vscode';
import { chooseTools, turnTools } from '../../../../src/extension/commands/toolCommands.ts';
import type { ToolChoice } from '../../../../src/extension/records/serverRecords.ts';
import { recorded, shownClient, shownServer } from '../../../support/shownServer.ts';

const inputSchema = { type: 'object' as const };
const tools = ['read', 'write', 'delete'].map(name => {
  return { name, inputSchema, annotations: { readOnlyHint: name === 'read' } };
});

/** A server that has these tools, and the user's choices so far. */
function choosing(facts: Parameters<typeof shownServer>[0] = {}) {
  const choices: (readonly [ToolChoice, client?: string])[] = [];
  const chooseTools = async (...choice: (typeof choices)[number]) => void choices.push(choice);
  return { server: shownServer({ ...recorded({ tools }), chooseTools, ...facts }), choices };
}

/** Has the user leave these picks, and gives the list that the user saw. */
function picking(t: TestContext, names: readonly string[] | undefined) {
  const shown: (readonly [string, picked?: boolean])[] = [];
  const pick = async (items: readonly { readonly label: string; readonly picked?: boolean }[]) => {
    shown.push(...items.map(({ label, picked }) => [label, picked] as const));
    return names && items.filter(({ label }) => names.includes(label));
  };
  t.mock.method(vscode.window, 'showQuickPick', pick as never);
  return shown;
}

test('turns on only the tools that say that they read', async () => {
  const { server, choices } = choosing();
  await turnTools(server, ({ annotations }) => annotations?.readOnlyHint === true);
  deepEqual(choices, [[{ on: ['read'], off: ['write', 'delete'] }]]);
});

test('lets the user choose for a client among the tools of all clients', async t => {
  const { server, choices } = choosing({ hiddenTools: new Set(['delete']) });
  const client = shownClient({ server, hiddenTools: new Set(['delete', 'write']) });
  const shown = picking(t, ['write']);
  await chooseTools(client);
  deepEqual(shown, [
    ['read', true],
    ['write', false],
  ]);
  deepEqual(choices, [[{ on: ['write'], off: ['read'] }, 'codex']]);
});

test('takes the tools of the client, and changes nothing when the user leaves', async t => {
  const { server, choices } = choosing({ record: undefined });
  const shown = picking(t, undefined);
  await chooseTools(shownClient({ server, session: { listedTools: [{ name: 'own' }] } }));
  deepEqual([shown, choices], [[['own', true]], []]);
  await rejects(chooseTools(shownClient({ server, name: '' })), /name/);
});

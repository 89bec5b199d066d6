import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { targetContext } from '../../../../src/extension/servers/windowTarget.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { turnsOfTheLoop } from '../../../support/turns.ts';

test('asks for the inputs of two servers one after the other', async t => {
  const boxes: { title: string | undefined; enter: (text: string) => void }[] = [];
  t.mock.method(
    vscode.window,
    'showInputBox',
    ({ title }: vscode.InputBoxOptions) =>
      new Promise<string>(enter => boxes.push({ title, enter })),
  );
  const owner = () => {
    throw new Error('Nothing is started.');
  };
  const { askForInput } = targetContext({} as vscode.ExtensionContext, owner);
  const { signal } = new AbortController();
  const answers = ['one', 'other'].map(serverLabel =>
    askForInput({ serverLabel, from: 'user', id: 'key', signal }),
  );
  await turnsOfTheLoop();
  const titles = () => boxes.map(({ title }) => title);
  deepEqual(titles(), ['"one" needs "key"']);
  boxes[0]?.enter('1');
  await turnsOfTheLoop();
  deepEqual(titles(), ['"one" needs "key"', '"other" needs "key"']);
  boxes[1]?.enter('2');
  deepEqual(await Promise.all(answers), ['1', '2']);
});

import assert, { deepEqual } from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import { seenFor, shown } from '../../../../src/domain/shown.ts';
import type { ServerKeeping } from '../../../../src/extension/commands/adding/writeServers.ts';
import { letRead } from '../../../../src/extension/commands/letRead.ts';
import { Screen } from '../../../../src/extension/screen.ts';
import type { ServerMemory } from '../../../../src/extension/servers/serverMemory.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { shownServer } from '../../../support/shownServer.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';
import { turnsOfTheLoop } from '../../../support/turns.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

test('to let a server read the whole home takes a second yes', { skip }, async t => {
  const home = homedir();
  const asked: string[] = [];
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(
    vscode.window,
    'showWarningMessage',
    async (text: string, _: object, yes: object) => {
      asked.push(text);
      t.mock.timers.tick(seenFor);
      return asked.length === 1 ? yes : undefined;
    },
  );
  const sandbox = { read: [], write: [], network: true };
  const definition = userServer('files', stdioLaunch({}), { ...defaultTerms, sandbox });
  // With nothing to keep it in: it must not come so far.
  const keeping = {} as ServerKeeping & ServerMemory;
  const activity = { add: () => assert.fail('Nothing was agreed to.') };
  const server = shownServer({ definition, missedPath: home });
  await letRead(server, keeping, {} as Servers, activity, new Screen(vscode));
  deepEqual(asked, [
    `Let "files" read ${home}?`,
    `"${home}" is very wide. Allow "files" to see it all the same?`,
  ]);
});

test('what a command asks waits for the dialog that stands, and takes no click before it could be read', {
  skip,
}, async t => {
  const asked: string[] = [];
  let click = (_?: unknown) => {};
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(vscode.window, 'showWarningMessage', (text: string, _: object, button: unknown) => {
    asked.push(text);
    return new Promise(resolve => (click = yes => resolve(yes === undefined ? yes : button)));
  });
  const screen = new Screen(vscode);
  const buttons = [{ title: shown('Yes'), follow: () => true }];
  const first = screen.ask({ text: shown('one'), buttons });
  const sandbox = { read: [], write: [], network: true };
  const definition = userServer('files', stdioLaunch({}), { ...defaultTerms, sandbox });
  const folder = tempFolder(t);
  const reading = letRead(
    shownServer({ definition, missedPath: folder }),
    {} as ServerKeeping & ServerMemory,
    {} as Servers,
    { add: () => assert.fail('Nothing was agreed to.') },
    screen,
  );
  await turnsOfTheLoop();
  deepEqual(asked, ['one']);
  t.mock.timers.tick(seenFor);
  click('Yes');
  deepEqual(await first, true);
  await turnsOfTheLoop();
  click('Let It Read This');
  await turnsOfTheLoop();
  const question = `Let "files" read ${folder}?`;
  deepEqual(asked, ['one', question, question], 'The second click of a double click is no yes.');
  click();
  await reading;
});

import assert, { deepEqual } from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import type { ServerKeeping } from '../../../../src/extension/commands/adding/writeServers.ts';
import { letRead } from '../../../../src/extension/commands/letRead.ts';
import { seenFor } from '../../../../src/extension/screen.ts';
import type { ServerMemory } from '../../../../src/extension/servers/serverMemory.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { shownServer } from '../../../support/shownServer.ts';
import { onlyOn } from '../../../support/systems.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

test('to let a server read the whole home takes a second yes', { skip }, async t => {
  const home = homedir();
  const asked: string[] = [];
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(vscode.window, 'showWarningMessage', async (text: string) => {
    asked.push(text);
    t.mock.timers.tick(seenFor);
    return asked.length === 1 ? text : undefined;
  });
  const sandbox = { read: [], write: [], network: true };
  const definition = userServer('files', stdioLaunch({}), { ...defaultTerms, sandbox });
  // With nothing to keep it in: it must not come so far.
  const keeping = {} as ServerKeeping & ServerMemory;
  const activity = { add: () => assert.fail('Nothing was agreed to.') };
  await letRead(shownServer({ definition, missedPath: home }), keeping, {} as Servers, activity);
  deepEqual(asked, [
    `Let "files" read ${home}?`,
    `"${home}" is very wide. Allow "files" to see it all the same?`,
  ]);
});

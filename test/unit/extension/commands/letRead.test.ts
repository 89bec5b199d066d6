import assert, { deepEqual } from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import type { Activity } from '../../../../src/domain/activity.ts';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import type { ServerKeeping } from '../../../../src/extension/adding/writeServers.ts';
import { letRead } from '../../../../src/extension/commands/letRead.ts';
import type { ServerMemory } from '../../../../src/extension/records/serverMemory.ts';
import type { Question, Screen } from '../../../../src/extension/screen.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { recordsIn } from '../../../support/memory.ts';
import { shownServer } from '../../../support/shownServer.ts';
import { onlyOn } from '../../../support/systems.ts';
import { said } from '../../../support/texts.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

/** A sandboxed server that could not read this path. */
function missing(path: string) {
  const sandbox = { read: [], write: [], network: true };
  const definition = userServer('files', stdioLaunch({}), { ...defaultTerms, sandbox });
  return shownServer({ definition, identity: 'a1', missedPath: path });
}

test('letting a server read the whole home needs a second yes', { skip }, async () => {
  const home = homedir();
  const asked: string[] = [];
  const screen = {
    ask: async ({ text, buttons: [yes] }: Question<boolean>) => {
      asked.push(text);
      return yes?.follow();
    },
    confirm: async (text: string) => {
      asked.push(text);
      return false;
    },
  } as unknown as Screen;
  // With nothing to keep it in: it must not come so far.
  const keeping = {} as ServerKeeping & ServerMemory;
  const activity = { add: () => assert.fail('Nothing was agreed to.') };
  await letRead(missing(home), keeping, {} as Servers, activity, screen);
  deepEqual(asked.map(said), [
    `letRead.questionOn.text(files, ${home})`,
    `secondYes.textOn(${home}, files)`,
  ]);
});

test('a refused path is not offered again', async () => {
  const records = recordsIn();
  const server = missing(homedir());
  const asked: Question<boolean>[] = [];
  const screen = {
    async ask(question: Question<boolean>) {
      asked.push(question);
      return question.buttons.find(({ title }) => title === 'Not This')?.follow();
    },
  } as unknown as Screen;
  const told: Activity[] = [];
  const activity = { add: (entry: Activity) => void told.push(entry) };
  const keeping = { records } as ServerKeeping & ServerMemory;
  await letRead(server, keeping, {} as Servers, activity, screen);
  assert.match(said(String(asked[0]?.detail).split('\n')[0] ?? ''), /^letRead\.questionOn/);
  const decisions = told.map(entry => entry.kind === 'answered' && entry.decision);
  deepEqual(decisions, ['denied']);
  deepEqual(records.answer('read', server, homedir()), false);
});

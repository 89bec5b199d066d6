import { deepEqual, equal, rejects } from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Activity } from '../../../../src/domain/activity.ts';
import { launchSubject } from '../../../../src/domain/consent/launchConsent.ts';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import { seenFor } from '../../../../src/domain/shown.ts';
import { Consent } from '../../../../src/extension/consent/consent.ts';
import { Screen } from '../../../../src/extension/screen.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { recordsIn } from '../../../support/memory.ts';
import { accessOf, allowed, exclusion, folder, shownServer } from '../../../support/shownServer.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

test('a start in a sandbox that shows the whole home needs a second yes', { skip }, async t => {
  const home = homedir();
  const link = join(tempFolder(t), 'link');
  await symlink(home, link);
  const asked: string[] = [];
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const start = async (terms: object, isConfirmed: boolean) => {
    t.mock.method(
      vscode.window,
      'showWarningMessage',
      async (text: string, _: object, yes: object) => {
        asked.push(text);
        t.mock.timers.tick(seenFor);
        return isConfirmed ? yes : undefined;
      },
    );
    const sandbox = { read: [], write: [], network: true, ...terms };
    const definition = userServer('files', stdioLaunch({}), { ...defaultTerms, sandbox });
    const records = recordsIn();
    const isLaunchAllowed = () =>
      records.of('grant').some(({ folder }) => folder === launchSubject);
    const server = Object.defineProperty(
      shownServer({
        definition,
        identity: 'a1',
        fields: {},
        access: accessOf(allowed(folder('api'))),
        sandboxNeeds: async () => [],
      }),
      'isLaunchAllowed',
      { get: isLaunchAllowed },
    );
    const dialogs = new Screen(vscode);
    const confirm = dialogs.confirm.bind(dialogs);
    const screen = { ask: async () => 'allow', confirm } as unknown as Screen;
    const mayStart = await new Consent(records, { add() {} }, screen).askBeforeStart(server);
    equal(mayStart, isLaunchAllowed());
    return mayStart;
  };
  deepEqual(
    [
      await start({ write: [join(home, 'notes')] }, false),
      await start({ write: [home] }, false),
      await start({ read: [dirname(home)] }, true),
      await start({ read: [link] }, false),
    ],
    [true, false, true, false],
  );
  deepEqual(
    asked,
    [home, dirname(home), link].map(
      path => `"${path}" is very wide. Allow "files" to see it all the same?`,
    ),
  );
});

test('an answer on further folders is none on a start that was never agreed to', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(vscode.window, 'showQuickPick', async ([first]: readonly unknown[]) => {
    asked += 1;
    // Enter is held down, at first.
    t.mock.timers.tick(asked > 1 ? seenFor : seenFor - 1);
    return first;
  });
  let asked = 0;
  const records = recordsIn();
  const server = shownServer({
    identity: 'a1',
    fields: {},
    access: accessOf(allowed(folder('api')), exclusion(folder('web'), 'undecided')),
    sandboxNeeds: async () => [],
  });
  const screen = { ask: async () => 'deny' } as unknown as Screen;
  const mayStart = await new Consent(records, { add() {} }, screen).askBeforeStart(server);
  const answers = records.of('grant').map(({ folder, decision }) => [folder, decision]);
  deepEqual([mayStart, answers, asked], [false, [[folder('web').uri, 'denied']], 2]);
});

const told: Activity[] = [];
const consent = new Consent(recordsIn(), { add: entry => void told.push(entry) }, {} as Screen);

test('a review without a folder to pick says what keeps every answer from helping', async () => {
  const [web, docs] = [folder('web'), folder('docs')];
  const why = [
    [accessOf(), /^No folder is open in the window/],
    [accessOf(exclusion(web, 'restricted')), /^In Restricted Mode no server starts/],
    [accessOf(exclusion(web, 'not-file')), /^The folders of the window are not on disk/],
    [accessOf(exclusion(web, 'missing'), exclusion(docs, 'forbidden')), /^No answer can change/],
  ] as const;
  for (const [access, message] of why) {
    await rejects(consent.review(shownServer({ access })), { message });
  }
});

test('the activity says of an allowed folder whether it is read only', async () => {
  const web = folder('web');
  const server = shownServer({ access: accessOf(exclusion(web, 'undecided')) });
  await consent.set(server, web, true, true);
  await consent.set(server, web, true, false);
  deepEqual(
    told.map(entry => entry.kind === 'answered' && [entry.decision, ...entry.folders]),
    [
      ['allowed-read-only', 'web'],
      ['allowed', 'web'],
    ],
  );
});

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
import type { Screen } from '../../../../src/extension/screen.ts';
import * as vscode from '../../../../src/extension/vscode.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { recordsIn } from '../../../support/memory.ts';
import { accessOf, allowed, exclusion, folder, shownServer } from '../../../support/shownServer.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';
import { said } from '../../../support/texts.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

test('a start in a sandbox with the whole home needs a second yes', { skip }, async t => {
  const home = homedir();
  const link = join(tempFolder(t), 'link');
  await symlink(home, link);
  const asked: string[] = [];
  const start = async (terms: object, isConfirmed: boolean) => {
    const confirm = async (text: string) => {
      asked.push(text);
      return isConfirmed;
    };
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
    asked.map(said),
    [home, dirname(home), link].map(path => `secondYes.textOn(${path}, files)`),
  );
});

test('an answer on further folders does not agree to a start', async t => {
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

test('a review without a folder to pick says why no answer would help', async () => {
  const [web, docs] = [folder('web'), folder('docs')];
  const why = [
    [accessOf(), /^No folder on disk is open/],
    [accessOf(exclusion(web, 'restricted')), /^In Restricted Mode no server starts/],
    [accessOf(exclusion(web, 'not-file')), /^No folder on disk is open/],
    [
      accessOf(exclusion(web, 'missing'), exclusion(docs, 'forbidden')),
      /^You can't allow or revoke/,
    ],
  ] as const;
  for (const [access, message] of why) {
    await rejects(consent.review(shownServer({ access })), { message });
  }
});

test('the activity says whether an allowed folder is read-only', async () => {
  const web = folder('web');
  const server = shownServer({ access: accessOf(exclusion(web, 'undecided')) });
  await consent.set(server, web, true, true);
  await consent.set(server, web, true, false);
  const answers = told.map(entry => entry.kind === 'answered' && [entry.decision, entry.folders]);
  deepEqual(answers, [
    ['allowed-read-only', ['web']],
    ['allowed', ['web']],
  ]);
});

test('another answer on an allowed folder holds as long, and a denial is not read-only', async () => {
  const web = folder('web');
  const records = recordsIn();
  const server = shownServer({ identity: 'a1', fields: {}, access: accessOf(allowed(web)) });
  const about = { serverId: server.definition.id, identity: 'a1', fields: {}, folder: web.uri };
  await records.setGrants([{ ...about, decision: 'allowed', scope: 'session' }]);
  const consent = new Consent(records, { add() {} }, {} as Screen);
  const kept = () =>
    records.of('grant').map(({ decision, scope, isReadOnly }) => [decision, scope, isReadOnly]);
  await consent.set(server, web, true, true);
  deepEqual(kept(), [['allowed', 'session', true]]);
  await consent.set(server, web, false);
  deepEqual(kept(), [['denied', 'workspace', undefined]]);
});

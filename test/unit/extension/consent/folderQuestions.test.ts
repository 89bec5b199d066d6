import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { addedMessage } from '../../../../src/extension/consent/folderQuestions.ts';
import type { Waiting } from '../../../../src/extension/consent/waitingFolders.ts';
import { stdioLaunch } from '../../../support/launches.ts';

/** The buttons of the message that folders of these names were added, for one server. */
function buttonsFor(names: readonly string[], sandbox?: object): string[] {
  const folders = names.map(name => ({ name, uri: `file:///${name}`, path: `/${name}` }));
  const definition = { label: 'files', launch: stdioLaunch({}), sandbox };
  const server = { definition, access: { folders: [] } };
  const waiting = { server, folders } as unknown as Waiting;
  return addedMessage([waiting], () => {}).buttons.map(({ title }) => title);
}

test('the message on an added folder has a list to choose from only where that offers more', () => {
  const all = ['Allow', 'Choose Folders…', "Don't Allow"];
  deepEqual(
    [buttonsFor(['docs']), buttonsFor(['docs', 'more']), buttonsFor(['docs'], {})],
    [['Allow', "Don't Allow"], all, all],
  );
});

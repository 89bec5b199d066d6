import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { addedMessage, seeQuestion } from '../../../../src/extension/consent/folderQuestions.ts';
import type { Waiting } from '../../../../src/extension/consent/openQuestions.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { accessOf, exclusion, folder, shownServer } from '../../../support/shownServer.ts';

/** The buttons of the message that folders of these names were added, for one server. */
function buttonsFor(names: readonly string[], sandbox?: object): string[] {
  const folders = names.map(name => ({ name, uri: `file:///${name}`, path: `/${name}` }));
  const definition = { label: 'files', launch: stdioLaunch({}), sandbox };
  const server = { definition, access: { folders: [] } };
  const waiting = { server, folders } as unknown as Waiting;
  return addedMessage([waiting], () => {}).buttons.map(({ title }) => title);
}

test('the message on an added folder has a list only if the list offers more', () => {
  const all = ['Allow', 'Choose Folders…', "Don't Allow"];
  deepEqual(
    [buttonsFor(['docs']), buttonsFor(['docs', 'more']), buttonsFor(['docs'], {})],
    [['Allow', "Don't Allow"], all, all],
  );
});

test('a question tells folders of the same name apart', () => {
  const [one, other] = ['one', 'other'].map(parent => ({
    ...folder('src'),
    ...{ path: `/proj/${parent}/src`, uri: `file:///proj/${parent}/src` },
  }));
  const access = accessOf(exclusion(one!, 'undecided'), exclusion(other!, 'denied'));
  const server = shownServer({ access });
  equal(seeQuestion({ server, folders: [one!] }), 'Allow "files" to see "src (one)"?');
});

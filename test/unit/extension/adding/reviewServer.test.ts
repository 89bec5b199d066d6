import { deepEqual } from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { sandboxText } from '../../../../src/extension/adding/reviewServer.ts';
import { onlyOn } from '../../../support/systems.ts';
import { said } from '../../../support/texts.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

test('the list of a server names what its sandbox shows besides the folders', { skip }, () => {
  const around = { folders: [{ name: 'api', path: '/projects/api' }], userHome: homedir() };
  const textOf = (sandbox: unknown) =>
    sandboxText({ name: 'files', entry: { command: 'files', sandbox } }, { around })
      .split(' · ')
      .map(said);
  deepEqual(
    [
      undefined,
      'off',
      'on',
      { network: false },
      { write: ['~'], read: ['/etc', '~/notes'] },
      { read: ['${workspaceFolder}', '/b', '/cc', '/ddd'] },
    ].map(textOf),
    [
      ['reviewServer.sandboxText.none()'],
      ['reviewServer.sandboxText.none()'],
      ['reviewServer.sandboxText.alone()'],
      ['reviewServer.sandboxText.alone()'],
      [
        'reviewServer.sandboxText.kept()',
        `startQuestion.reachTexts.write(startQuestion.reachedPath.home(${homedir()}))`,
        'startQuestion.reachTexts.read(/etc, ~/notes)',
      ],
      [
        'reviewServer.sandboxText.kept()',
        'startQuestion.reachTexts.read(shownNames.firstOf(/b, /cc, /ddd, 1))',
      ],
    ],
  );
});

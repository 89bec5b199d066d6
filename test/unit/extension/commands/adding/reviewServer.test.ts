import { deepEqual } from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { sandboxText } from '../../../../../src/extension/commands/adding/reviewServer.ts';
import { onlyOn } from '../../../../support/systems.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

test('the list of a server says what its sandbox shows besides its folders', { skip }, () => {
  const around = { folders: [{ name: 'api', path: '/projects/api' }], userHome: homedir() };
  const textOf = (sandbox: unknown) =>
    sandboxText({ name: 'files', entry: { command: 'files', sandbox } }, { around });
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
      'none: it runs with your rights',
      'none: it runs with your rights',
      'kept in its folders: it sees no other files of yours',
      'kept in its folders: it sees no other files of yours',
      `kept in its folders · It can also change: ALL OF YOUR HOME (${homedir()}) · It can also read: /etc, ~/notes`,
      'kept in its folders · It can also read: /b, /cc, /ddd and 1 more',
    ],
  );
});

import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import {
  descendantsAmong,
  processesIn,
  systemProgram,
} from '../../../../../src/mcp/process/stdio/windowsTree.ts';

test('finds all descendants of a process by their parents', () => {
  const listed = processesIn(
    ['0 0 1', '4 0 2', '10 4 10', '11 10 11', '12 11 12', '13 10 9', '14 4 11', '10 4'].join(
      '\r\n',
    ),
  );
  deepEqual(
    descendantsAmong(listed, 10).map(({ pid }) => pid),
    // Number 13 is older than its parent: 10 has taken over the number of the real parent.
    [11, 12],
  );
  deepEqual(descendantsAmong(listed, 99), []);
  deepEqual(descendantsAmong(processesIn('No such class'), 10), []);
});

test('gives a system program its full path', () => {
  match(systemProgram('taskkill.exe'), /^[A-Za-z]:\\.*\\System32\\taskkill\.exe$/);
});

import { deepEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import {
  descendantsAmong,
  processesIn,
  systemProgram,
} from '../../../../src/mcp/stdio/windowsTree.ts';

test('what a process has started is found by the parents, down to the last', () => {
  const listed = processesIn(
    ['0 0 1', '4 0 2', '10 4 10', '11 10 11', '12 11 12', '13 10 9', '14 4 11', '10 4'].join(
      '\r\n',
    ),
  );
  deepEqual(
    descendantsAmong(listed, 10).map(({ pid }) => pid),
    // Number 13 was made before its parent: it was another's child, whose number 10 has now.
    [11, 12],
  );
  deepEqual(descendantsAmong(listed, 99), []);
  deepEqual(descendantsAmong(processesIn('No such class'), 10), []);
});

test('a program of the system has a whole path', () => {
  match(systemProgram('taskkill.exe'), /^[A-Za-z]:\\.*\\System32\\taskkill\.exe$/);
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { missingPaths } from '../../../../src/domain/sandbox/missingPaths.ts';

const home = '/home/me';
const found = (text: string) => missingPaths(text, home);

test('the path is found in the words of each language', () => {
  for (const text of [
    "Error: ENOENT: no such file or directory, open '/home/me/.config/gh/hosts.yml'",
    "FileNotFoundError: [Errno 2] No such file or directory: '/home/me/.config/gh/hosts.yml'",
    "PermissionError: [Errno 13] Permission denied: '/home/me/.config/gh/hosts.yml'",
    'cat: /home/me/.config/gh/hosts.yml: No such file or directory',
    'open /home/me/.config/gh/hosts.yml: no such file or directory',
    'Config file not found: ~/.config/gh/hosts.yml.',
    'No such file or directory @ rb_sysopen - /home/me/.config/gh/hosts.yml (Errno::ENOENT)',
    'touch: cannot touch "/home/me/.config/gh/hosts.yml": Read-only file system',
  ]) {
    deepEqual(found(text), ['/home/me/.config/gh/hosts.yml'], text);
  }
});

test('a name with blanks is found in quotes', () => {
  deepEqual(found("ENOENT, open '/home/me/My Files/a'"), ['/home/me/My Files/a']);
});

test('nothing is found where nothing is said to be missing', () => {
  for (const text of [
    'Listening on /run/user/1000/socket',
    'GET /users/1 404 Not Acceptable',
    "see https://example.com/docs\nENOENT: open 'relative/file'",
    '',
  ]) {
    deepEqual(found(text), [], text);
  }
});

test('a path is named once, in its shortest form, and ten at most', () => {
  deepEqual(found('ENOENT /a/b/../c /a/c'), ['/a/c']);
  const many = Array.from({ length: 20 }, (_, index) => `ENOENT /a/${index}`).join('\n');
  deepEqual(found(many).length, 10);
});

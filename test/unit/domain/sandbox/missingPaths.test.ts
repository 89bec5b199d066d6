import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { missingPaths, saysNoBrowser } from '../../../../src/domain/sandbox/missingPaths.ts';

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

test('a browser that could not be started is known by the words of Chromium and its drivers', () => {
  for (const text of [
    // As Chromium 156, Debian's script for it, @playwright/mcp 0.0.83 and chrome-devtools-mcp 1.11 say it.
    'FATAL:chrome/browser/process_singleton_posix.cc:297] Check failed: . socket() failed: Address family not supported by protocol (97)',
    '[pid=17][err] /usr/bin/chromium: 77: .: cannot open /etc/chromium.d/*: No such file',
    'FATAL:zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu 23.10+',
    'Running as root without --no-sandbox is not supported. See https://crbug.com/638180.',
    'Error: async initializeServer: Target page, context or browser has been closed\nBrowser logs:\nChromium sandboxing failed!',
    'Chromium distribution \'chrome\' is not found at /opt/google/chrome/chrome\nRun "npx playwright install chrome"',
    'async initializeServer: listen EAFNOSUPPORT: address family not supported /tmp/pw-7505d64a/browser/browser-cb8b8f.sock',
    "browserType.launch: Executable doesn't exist at /home/me/.cache/ms-playwright/chromium-1/chrome",
    "Could not find Google Chrome executable for channel 'stable' at:\n - /opt/google/chrome/chrome.",
    'Protocol error (Target.setDiscoverTargets): Target closed',
    'Failed to launch the browser process: Code: 1',
  ]) {
    ok(saysNoBrowser(text), text);
  }
  for (const text of [
    'listen EAFNOSUPPORT: address family not supported :::8080',
    'page.goto: net::ERR_NAME_NOT_RESOLVED at https://example.org/',
    'Target page, context or browser has been closed',
    "Error: ENOENT: no such file or directory, open '/home/me/chrome.json'",
  ]) {
    ok(!saysNoBrowser(text), text);
  }
});

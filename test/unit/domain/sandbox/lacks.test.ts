import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { lackedPaths, lackIn } from '../../../../src/domain/sandbox/lacks.ts';

const home = '/home/me';
const found = (text: string) => lackedPaths(text, home);

test('finds the path in the messages of each language', () => {
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

test('finds a name with spaces in quotes', () => {
  deepEqual(found("ENOENT, open '/home/me/My Files/a'"), ['/home/me/My Files/a']);
});

test('finds nothing in a message without a missing path', () => {
  for (const text of [
    'Listening on /run/user/1000/socket',
    'GET /users/1 404 Not Acceptable',
    "see https://example.com/docs\nENOENT: open 'relative/file'",
    '',
  ]) {
    deepEqual(found(text), [], text);
  }
});

test('names a path once, in its shortest form, and at most ten', () => {
  deepEqual(found('ENOENT /a/b/../c /a/c'), ['/a/c']);
  const many = Array.from({ length: 20 }, (_, index) => `ENOENT /a/${index}`).join('\n');
  deepEqual(found(many).length, 10);
});

test('recognizes a failed browser by messages of Chromium and its drivers', () => {
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
    equal(lackIn(text, true), 'browser', text);
  }
  for (const text of [
    'listen EAFNOSUPPORT: address family not supported :::8080',
    'page.goto: net::ERR_NAME_NOT_RESOLVED at https://example.org/',
    'Target page, context or browser has been closed',
    "Error: ENOENT: no such file or directory, open '/home/me/chrome.json'",
  ]) {
    equal(lackIn(text, true), undefined, text);
  }
});

test('recognizes a denied unix socket by the messages of programs', () => {
  for (const text of [
    'Error: listen EAFNOSUPPORT: address family not supported /tmp/daemon.sock',
    'Error: connect EAFNOSUPPORT /run/user/1000/gnupg/S.gpg-agent',
    'Error: connect EAFNOSUPPORT @/tmp/.X11-unix/X0',
    'OSError: [Errno 97] Address family not supported by protocol',
    'dial unix /run/user/1000/podman/podman.sock: socket: address family not supported by protocol',
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    'Failed to connect to bus: Address family not supported by protocol',
    '20:05:11 cannot create socket: Address family not supported by protocol',
  ]) {
    equal(lackIn(text, false), 'sockets', text);
    equal(lackIn(text, true), undefined, text);
  }
  for (const text of [
    'listen EAFNOSUPPORT: address family not supported :::8080',
    'connect EAFNOSUPPORT 2001:db8::1:443 - Local (undefined:undefined)',
    'dial tcp [2001:db8::1]:443: socket: address family not supported by protocol',
    'connect ENOENT /run/user/1000/bus',
  ]) {
    equal(lackIn(text, false), undefined, text);
  }
});

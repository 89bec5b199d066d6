import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverEnvironment } from '../../src/mcp/stdio/environment.ts';

// Pins: what a server gets of our environment is said here, not imported. To change one is to
// hand every server more of the user's secrets, or less than programs need to run.
const posixNames = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const windowsNames = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];
const foreignNames = [
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'LD_PRELOAD',
  'NODE_OPTIONS',
  'NODE_PATH',
  'PYTHONPATH',
  'SSH_AUTH_SOCK',
  'ELECTRON_RUN_AS_NODE',
  'VSCODE_IPC_HOOK',
  'path',
];

function environmentOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, `value of ${name}`]));
}

const everything = environmentOf([...posixNames, ...windowsNames, ...foreignNames]);

test('on POSIX a server gets these six variables of ours and no other', () => {
  const expected = environmentOf(posixNames);
  assert.deepEqual(serverEnvironment(everything, {}, 'linux'), expected);
  assert.deepEqual(serverEnvironment(everything, {}, 'darwin'), expected);
});

test('on Windows a server gets these variables of ours and no other, however they are spelled', () => {
  const { path, ...ours } = everything;
  assert.equal(path, 'value of path');
  assert.deepEqual(serverEnvironment(ours, {}, 'win32'), environmentOf(windowsNames));
  assert.deepEqual(
    serverEnvironment({ Path: 'C:\\bin', SystemRoot: 'C:\\W', Home: 'x' }, {}, 'win32'),
    {
      Path: 'C:\\bin',
      SystemRoot: 'C:\\W',
    },
  );
});

test('what the definition names is added and wins', () => {
  assert.deepEqual(serverEnvironment({ PATH: '/bin', X: '1' }, { PATH: '/own', Y: '2' }, 'linux'), {
    PATH: '/own',
    Y: '2',
  });
});

test('on Windows the definition wins also over another spelling of the same variable', () => {
  assert.deepEqual(serverEnvironment({ PATH: 'C:\\bin' }, { Path: 'C:\\own' }, 'win32'), {
    Path: 'C:\\own',
  });
});

test('an exported shell function is code and is not handed on', () => {
  assert.deepEqual(serverEnvironment({ SHELL: '() { :; }; echo', TERM: 'xterm' }, {}, 'linux'), {
    TERM: 'xterm',
  });
});

test('a variable without a value is left out', () => {
  assert.deepEqual(serverEnvironment({ HOME: undefined, USER: '' }, {}, 'linux'), { USER: '' });
});

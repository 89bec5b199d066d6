import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  serverEnvironment,
  withheldProxies,
} from '../../../../../src/mcp/process/stdio/environment.ts';
import { foundAsExpected } from '../../../../support/cases.ts';

// Pins: this test names the environment of a server, and does not import it. A change gives every
// server more of the user's secrets, or less than programs need.
const posixNames = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const windowsNames = [
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT'],
  ...['PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ...['PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
  ...['WINDIR'],
];
// On every platform, and each in small letters, too.
const networkNames = [
  ...['ALL_PROXY', 'CURL_CA_BUNDLE', 'HTTPS_PROXY', 'HTTP_PROXY', 'NODE_EXTRA_CA_CERTS'],
  ...['NO_PROXY', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_DIR', 'SSL_CERT_FILE'],
].flatMap(name => [name, name.toLowerCase()]);
const foreignNames = [
  ...['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'LD_PRELOAD', 'NODE_OPTIONS', 'NODE_PATH'],
  ...['PYTHONPATH', 'SSH_AUTH_SOCK', 'ELECTRON_RUN_AS_NODE', 'VSCODE_IPC_HOOK', 'path'],
];

function environmentOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, `value-of-${name}`]));
}

const everything = environmentOf([
  ...posixNames,
  ...windowsNames,
  ...networkNames,
  ...foreignNames,
]);

test('a server on POSIX gets exactly these variables of the editor', () => {
  const expected = environmentOf([...posixNames, ...networkNames]);
  assert.deepEqual(serverEnvironment(everything, {}, 'linux'), expected);
  assert.deepEqual(serverEnvironment(everything, {}, 'darwin'), expected);
});

test('a server on Windows gets exactly these variables of the editor in any spelling', () => {
  const { path, ...ours } = everything;
  assert.equal(path, 'value-of-path');
  const expected = environmentOf([...windowsNames, ...networkNames]);
  assert.deepEqual(serverEnvironment(ours, {}, 'win32'), expected);
  const spelled = { Path: 'C:\\bin', SystemRoot: 'C:\\W' };
  assert.deepEqual(serverEnvironment({ ...spelled, Home: 'x' }, {}, 'win32'), spelled);
});

test('the definition wins, and shell functions and empty variables are left out', () => {
  const given = serverEnvironment;
  foundAsExpected({
    added: [
      given({ PATH: '/bin', X: '1' }, { PATH: '/own', Y: '2' }, 'linux'),
      { PATH: '/own', Y: '2' },
    ],
    'spelled in another way': [given({ PATH: 'a' }, { Path: 'b' }, 'win32'), { Path: 'b' }],
    // A function is code.
    exported: [given({ SHELL: '() { :; }; echo', TERM: 'xterm' }, {}, 'linux'), { TERM: 'xterm' }],
    'without a value': [given({ HOME: undefined, USER: '' }, {}, 'linux'), { USER: '' }],
  });
});

test('a proxy is passed on only if it is a plain address', () => {
  const plain = [
    ...['http://proxy.example:3128', 'https://proxy.example/', 'socks5h://[fd00::1]:1080'],
    ...['proxy.example:3128', 'proxy', ' http://bücher.example:80 ', ''],
  ];
  const more = [
    ...['http://user:password@proxy.example:3128', 'user:password@proxy.example:3128'],
    ...['user:@proxy', 'http://a-token@proxy.example', 'http://user%3Apassword%40proxy.example'],
    ...['http://user:pass/word@proxy.example', 'http://user:pass@word@proxy.example'],
    ...['http://proxy.example/?password=x', 'http://proxy.example:80#user:password'],
    ...['http:user:password@proxy', 'user:password', 'two words'],
  ];
  for (const name of ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY']) {
    const isHandedOn = (value: string) =>
      serverEnvironment({ [name]: value }, {}, 'linux')[name] === value;
    const isSaid = (value: string) => withheldProxies({ [name]: value }, {}, 'linux')[0] === name;
    assert.deepEqual([plain.filter(isHandedOn), plain.filter(isSaid)], [plain, []]);
    assert.deepEqual([more.filter(isHandedOn), more.filter(isSaid)], [[], more]);
  }
});

test('a definition that names a proxy in any letter case replaces the editor’s proxy', () => {
  const own = { HTTPS_PROXY: 'http://user:password@old', https_proxy: 'http://old' };
  const named = { https_proxy: 'http://user:password@new' };
  assert.deepEqual(serverEnvironment(own, named, 'linux'), named);
  assert.deepEqual(withheldProxies(own, named, 'linux'), []);
});

test('reports a withheld proxy once, and only if a server would get it', () => {
  const secret = 'http://user:password@proxy';
  const own = { HTTP_PROXY: secret, http_proxy: secret, all_proxy: secret, FTP_PROXY: secret };
  assert.deepEqual(withheldProxies(own, {}, 'linux'), ['http_proxy', 'all_proxy']);
});

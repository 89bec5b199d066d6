import { deepEqual, equal } from 'node:assert/strict';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import { options, parseCommandLine } from '../../../src/server/commandLine.ts';
import { said } from '../../support/texts.ts';

const byDefault = {
  roots: [],
  withoutRoots: 'deny',
  allowWrite: false,
  http: undefined,
  token: undefined,
  rootsTimeout: 10_000,
  hub: undefined,
};
const hub = { config: 'servers.json', audit: undefined, exposeTools: false };

test('each option has an environment variable', () => {
  const said = {
    roots: ['/a', 'b'],
    withoutRoots: 'allow',
    allowWrite: true,
    http: { host: '::1', port: 8080 },
    token: 'secret',
    rootsTimeout: 2500,
    hub: undefined,
  };
  const args = [
    ...['--root', '/a', '--root=b', '--without-roots', 'allow', '--allow-write'],
    ...['--http', '[::1]:8080', '--token-env', 'TOKEN'],
    ...['--roots-timeout', '2.5'],
  ];
  deepEqual(requestOf(args, { TOKEN: 'secret' }), said);
  const env = {
    MCP_ROOTS_ROOT: ['/a', 'b'].join(delimiter),
    MCP_ROOTS_WITHOUT_ROOTS: 'allow',
    MCP_ROOTS_ALLOW_WRITE: 'yes',
    MCP_ROOTS_HTTP: '[::1]:8080',
    MCP_ROOTS_TOKEN_ENV: 'TOKEN',
    MCP_ROOTS_ROOTS_TIMEOUT: '2.5',
    TOKEN: 'secret',
  };
  deepEqual(requestOf([], env), said);
  const whole = { config: 'servers.json', audit: '/proj/audit.jsonl', exposeTools: true };
  const hubArgs = ['--config', 'servers.json', '--audit', '/proj/audit.jsonl', '--expose', 'tools'];
  const hubEnv = {
    MCP_ROOTS_CONFIG: 'servers.json',
    MCP_ROOTS_AUDIT: '/proj/audit.jsonl',
    MCP_ROOTS_EXPOSE: 'tools',
  };
  deepEqual([requestOf(hubArgs).hub, requestOf([], hubEnv).hub], [whole, whole]);
});

test('ignores the window that the terminals of the editor name', () => {
  deepEqual(requestOf([], { MCP_ROOTS_WINDOW: 'w1' }), byDefault);
});

test('prefers an argument to its variable, ignores an empty one, and can switch off', () => {
  deepEqual(requestOf([]), byDefault);
  const env = { MCP_ROOTS_ROOT: '/env', MCP_ROOTS_ROOTS_TIMEOUT: '1', MCP_ROOTS_ALLOW_WRITE: '0' };
  const request = requestOf(['--root', '/args', '--roots-timeout', '2', '--allow-write'], env);
  deepEqual(request, { ...byDefault, roots: ['/args'], rootsTimeout: 2000, allowWrite: true });
  const none = { MCP_ROOTS_ROOT: '', MCP_ROOTS_HTTP: '', MCP_ROOTS_ALLOW_WRITE: 'no' };
  deepEqual(requestOf([], none), byDefault);
});

test('serves HTTP on this machine only unless a host is named', () => {
  deepEqual(requestOf(['--http', '3000']).http, { host: '127.0.0.1', port: 3000 });
  deepEqual(requestOf(['--http', '0.0.0.0:3000']).http, { host: '0.0.0.0', port: 3000 });
});

test('becomes a hub with a configuration, also after the word hub or from the editor', () => {
  deepEqual(requestOf(['--config=servers.json']), { ...byDefault, hub });
  deepEqual(requestOf(['hub', '--config', 'servers.json']).hub, hub);
  deepEqual(requestOf(['hub'], { MCP_ROOTS_CONFIG: 'servers.json' }).hub, hub);
  equal(parseCommandLine(['hub', '--help'], {}).kind, 'print');
  const byEditor = { STARTED_BY_MCP_ROOTS: 'editor.c9a6.1f' };
  deepEqual(requestOf(['--config', 'servers.json'], byEditor).hub, hub);
});

test('refuses to be a hub behind another hub', () => {
  const env = { STARTED_BY_MCP_ROOTS: 'hub.c9a6.1f' };
  deepEqual(requestOf(['--root', '/a'], env), { ...byDefault, roots: ['/a'] });
  for (const [args, config] of [
    [['--config', 'servers.json'], {}],
    [[], { MCP_ROOTS_CONFIG: 'servers.json' }],
  ] as const) {
    const parsed = parseCommandLine(args, { ...env, ...config });
    equal(parsed.kind === 'refuse' && said(parsed.message), 'commandLine.hubInHub()');
  }
});

/** Each is refused, and the option or variable that is wrong is named. */
const refusals: readonly (readonly [args: readonly string[], wrong: string, env?: object])[] = [
  [['--rot', 'x'], '--rot'],
  [['-q'], '-q'],
  [['folder'], '"folder"'],
  [['--root', '/a', 'hub'], '"hub"'],
  [['hub'], '--config'],
  [['--help=no'], '--help'],
  [['--root'], '--root'],
  [['--without-roots', 'yes'], '--without-roots'],
  [['--token-env', 'A', '--token-env', 'B'], '--token-env'],
  [['--http', '70000'], '--http'],
  [['--http', '::1:80'], '--http'],
  [['--roots-timeout'], '--roots-timeout'],
  [[], 'MCP_ROOTS_ALLOW_WRITE', { MCP_ROOTS_ALLOW_WRITE: 'maybe' }],
  [[], 'MCP_ROOTS_ROOTS', { MCP_ROOTS_ROOTS: '/a' }],
  [[], 'MCP_ROOTS_HUB', { MCP_ROOTS_HUB: '1' }],
  [[], 'MCP_ROOTS_HELP', { MCP_ROOTS_HELP: '1' }],
  [['--config'], '--config'],
  [['--config', 'a', '--config', 'b'], '--config'],
  [['--config', 'a', '--audit='], '--audit'],
  [['--config', 'a', '--expose', 'all'], '--expose'],
  [['--config', 'a'], 'MCP_ROOTS_HTTP', { MCP_ROOTS_HTTP: '3000' }],
  [['--audit', 'a'], '--audit'],
  [['--expose', 'tools'], '--expose', { MCP_ROOTS_CONFIG: '' }],
  [[], 'MCP_ROOTS_AUDIT', { MCP_ROOTS_AUDIT: 'a' }],
  [['--http', '0', '--token-env', 'TOKEN'], 'TOKEN'],
  [['--token-env', 'TOKEN'], '--token-env', { TOKEN: 'x' }],
];
for (const [args, wrong, env = {}] of refusals) {
  test(`refuses ${[...args, ...Object.keys(env)].join(' ')}`, () => {
    const parsed = parseCommandLine(args, env as NodeJS.ProcessEnv);
    const message = parsed.kind === 'refuse' ? parsed.message : parsed.kind;
    equal(message.split(' Run with --help')[0]?.includes(wrong), true, message);
  });
}

test('keeps the token out of refusals with any spelling of its variable', () => {
  const args = ['--http', '0', '--token-env', 'MCP_ROOTS_TOKEN'];
  equal(requestOf(args, { MCP_ROOTS_TOKEN: 'secret' }).token, 'secret');
  const refused = parseCommandLine([], { MCP_ROOTS_TOKEN: 'secret' });
  equal(JSON.stringify(refused).includes('secret'), false);
});

test('the help names every option', () => {
  const help = parseCommandLine(['--help'], {});
  const text = help.kind === 'print' ? help.text : '';
  const untold = Object.keys(options).filter(name => !text.includes(`--${name}`));
  deepEqual(untold, []);
});

function requestOf(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const parsed = parseCommandLine(args, env);
  if (parsed.kind !== 'serve') {
    throw new Error(JSON.stringify(parsed));
  }
  return parsed.request;
}

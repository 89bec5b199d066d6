import { deepEqual, equal, match } from 'node:assert/strict';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import { options, parseCommandLine } from '../../../src/server/commandLine.ts';

const byDefault = {
  roots: [],
  withoutRoots: 'deny',
  allowWrite: false,
  http: undefined,
  token: undefined,
  rootsTimeout: 10_000,
  hub: undefined,
};

test('nothing said means the careful defaults', () => {
  deepEqual(requestOf([]), byDefault);
});

test('each option of the arguments has a twin in the environment', () => {
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
  const hub = { config: 'servers.json', audit: '/proj/audit.jsonl', exposeTools: true };
  const hubArgs = ['--config', 'servers.json', '--audit', '/proj/audit.jsonl', '--expose', 'tools'];
  deepEqual(requestOf(hubArgs).hub, hub);
  const hubEnv = {
    MCP_ROOTS_CONFIG: 'servers.json',
    MCP_ROOTS_AUDIT: '/proj/audit.jsonl',
    MCP_ROOTS_EXPOSE: 'tools',
  };
  deepEqual(requestOf([], hubEnv).hub, hub);
});

test('what is said in the arguments wins over the environment', () => {
  const env = { MCP_ROOTS_ROOT: '/env', MCP_ROOTS_ROOTS_TIMEOUT: '1', MCP_ROOTS_ALLOW_WRITE: '0' };
  const request = requestOf(['--root', '/args', '--roots-timeout', '2', '--allow-write'], env);
  deepEqual(request, { ...byDefault, roots: ['/args'], rootsTimeout: 2000, allowWrite: true });
});

test('an empty variable says nothing, and a switch can be off', () => {
  const env = { MCP_ROOTS_ROOT: '', MCP_ROOTS_HTTP: '', MCP_ROOTS_ALLOW_WRITE: 'no' };
  deepEqual(requestOf([], env), byDefault);
});

test('HTTP is served on this machine alone unless a host is named', () => {
  deepEqual(requestOf(['--http', '3000']).http, { host: '127.0.0.1', port: 3000 });
  deepEqual(requestOf(['--http', '0.0.0.0:3000']).http, { host: '0.0.0.0', port: 3000 });
});

test('a configuration alone makes a hub that writes nothing down and exposes no tools', () => {
  const hub = { config: '../servers.json', audit: undefined, exposeTools: false };
  deepEqual(requestOf(['--config=../servers.json']), { ...byDefault, hub });
  const env = { MCP_ROOTS_CONFIG: '/env.json', MCP_ROOTS_AUDIT: 'audit.jsonl' };
  deepEqual(requestOf(['--config', '/args.json'], env).hub, {
    config: '/args.json',
    audit: 'audit.jsonl',
    exposeTools: false,
  });
});

test('who asks for a hub by that word gets one, if its servers are named', () => {
  const hub = { config: 'servers.json', audit: undefined, exposeTools: false };
  deepEqual(requestOf(['hub', '--config', 'servers.json']).hub, hub);
  deepEqual(requestOf(['hub'], { MCP_ROOTS_CONFIG: 'servers.json' }).hub, hub);
  equal(parseCommandLine(['hub', '--help'], {}).kind, 'print');
});

test('a server that a hub has started is none of its own', () => {
  const env = { STARTED_BY_MCP_ROOTS: 'hub.c9a6.1f' };
  deepEqual(requestOf(['--root', '/a'], env), { ...byDefault, roots: ['/a'] });
  for (const [args, config] of [
    [['--config', 'servers.json'], {}],
    [[], { MCP_ROOTS_CONFIG: 'servers.json' }],
  ] as const) {
    deepEqual(parseCommandLine(args, { ...env, ...config }), {
      kind: 'refuse',
      message:
        'A hub cannot run behind another hub: take it out of the servers that the other one starts.',
    });
  }
});

test('a server that the editor has started may be a hub', () => {
  const env = { STARTED_BY_MCP_ROOTS: 'editor.c9a6.1f' };
  const { hub } = requestOf(['--config', 'servers.json'], env);
  deepEqual(hub, { config: 'servers.json', audit: undefined, exposeTools: false });
});

const hubless = 'is for a hub, which needs --config with the file that names its servers.';
const refusals: readonly (readonly [args: readonly string[], env: object, message: string])[] = [
  [['--rot', 'x'], {}, 'Unknown option --rot.'],
  [['-q'], {}, 'Unknown option -q.'],
  [['folder'], {}, 'Unexpected argument "folder".'],
  [['--root', '/a', 'hub'], {}, 'Unexpected argument "hub".'],
  [['hub'], {}, 'A hub needs --config with the file that names its servers.'],
  [['--help=no'], {}, '--help takes no value.'],
  [['--root'], {}, '--root needs a value.'],
  [['--without-roots', 'yes'], {}, '--without-roots needs deny or allow as its value.'],
  [['--token-env', 'A', '--token-env', 'B'], {}, '--token-env is given more than once.'],
  [['--http', '70000'], {}, '--http needs a port from 0 to 65535, or a host, a colon and a port.'],
  [['--http', '::1:80'], {}, '--http needs a port from 0 to 65535, or a host, a colon and a port.'],
  [['--roots-timeout'], {}, '--roots-timeout needs a number of seconds from 0.001 to 3600.'],
  [[], { MCP_ROOTS_ALLOW_WRITE: 'maybe' }, 'MCP_ROOTS_ALLOW_WRITE is a switch: it is 1 or 0.'],
  [[], { MCP_ROOTS_ROOTS: '/a' }, 'The environment has the unknown variable MCP_ROOTS_ROOTS.'],
  [[], { MCP_ROOTS_HUB: '1' }, 'The environment has the unknown variable MCP_ROOTS_HUB.'],
  [[], { MCP_ROOTS_HELP: '1' }, 'The environment has the unknown variable MCP_ROOTS_HELP.'],
  [['--config'], {}, '--config needs a value.'],
  [['--config', 'a', '--config', 'b'], {}, '--config is given more than once.'],
  [['--config', 'a', '--audit='], {}, '--audit needs a value.'],
  [['--config', 'a', '--expose', 'all'], {}, '--expose needs tools as its value.'],
  [
    ['--config', 'a'],
    { MCP_ROOTS_HTTP: '3000' },
    'A hub speaks over stdio, to the client that starts it: leave out MCP_ROOTS_HTTP or --config.',
  ],
  [['--audit', 'a'], {}, `--audit ${hubless}`],
  [['--expose', 'tools'], { MCP_ROOTS_CONFIG: '' }, `--expose ${hubless}`],
  [[], { MCP_ROOTS_AUDIT: 'a' }, `MCP_ROOTS_AUDIT ${hubless}`],
  [
    ['--http', '0', '--token-env', 'TOKEN'],
    {},
    'The variable TOKEN, named by --token-env, is not set or empty.',
  ],
  [
    ['--token-env', 'TOKEN'],
    { TOKEN: 'x' },
    '--token-env is for clients over HTTP, which needs --http with a port.',
  ],
];
for (const [args, env, message] of refusals) {
  test(`it refuses ${[...args, ...Object.keys(env)].join(' ')}`, () => {
    const parsed = parseCommandLine(args, env as NodeJS.ProcessEnv);
    equal(parsed.kind, 'refuse');
    match(parsed.kind === 'refuse' ? parsed.message : '', new RegExp(`^${escaped(message)}`));
  });
}

test('the variable that holds the token may have any name, and is never told', () => {
  const args = ['--http', '0', '--token-env', 'MCP_ROOTS_TOKEN'];
  equal(requestOf(args, { MCP_ROOTS_TOKEN: 'secret' }).token, 'secret');
  const refused = parseCommandLine([], { MCP_ROOTS_TOKEN: 'secret' });
  equal(JSON.stringify(refused).includes('secret'), false);
});

test('the help names every option', () => {
  const help = parseCommandLine(['--help'], {});
  const text = help.kind === 'print' ? help.text : '';
  deepEqual(
    Object.keys(options).filter(name => !text.includes(`--${name}`)),
    [],
  );
});

function requestOf(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const parsed = parseCommandLine(args, env);
  if (parsed.kind !== 'serve') {
    throw new Error(JSON.stringify(parsed));
  }
  return parsed.request;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

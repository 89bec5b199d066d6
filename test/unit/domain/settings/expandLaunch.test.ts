import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { describe, it } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import type { Launch } from '../../../../src/domain/servers/launch.ts';
import {
  expandLaunch,
  inputsOf,
  namesRoots,
  type VariableValues,
} from '../../../../src/domain/settings/expandLaunch.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const key = `sk-proj-${'b2'.repeat(12)}`;
const values: VariableValues = {
  env: { REGION: 'north', GITHUB_TOKEN: 'hunter22', EMPTY: '' },
  inputs: new Map([
    ['key', 'swordfish'],
    ['pin', '1234'],
  ]),
  roots: ['/proj/web', '/proj/app'],
};

function expand(launch: Launch, change: Partial<VariableValues> = {}) {
  const expansion = expandLaunch(launch, { ...values, ...change });
  return expansion.ok ? expansion : inEnglish(expansion.problem);
}

function args(...texts: string[]) {
  const expansion = expand(stdioLaunch({ args: texts }));
  return typeof expansion !== 'string' && expansion.launch.type === 'stdio'
    ? expansion.launch.args
    : expansion;
}

describe('the variables of a launch', () => {
  it('are named in short where they have no value', () => {
    const nameOf = (text: string) => {
      const expansion = expandLaunch(stdioLaunch({ args: [text] }), { ...values, roots: [] });
      return expansion.ok ? '' : expansion.variable;
    };
    assert.deepEqual(['${env:NOT_THERE}', '${roots}', '${input:no}', '${what}'].map(nameOf), [
      'NOT_THERE',
      '${roots}',
      '${input:no}',
      undefined,
    ]);
  });

  it('are put in wherever they may stand', () => {
    const launch = stdioLaunch({
      command: '${env:REGION}-server',
      args: ['--region', '${env:REGION}', '${env:EMPTY}'],
      cwd: '${firstRoot}/src',
      env: { DIRS: '${rootsJoined:,}', FIRST: '${firstRoot}', KEY: 'k-${input:key}' },
      envFile: '${env:REGION}.env',
    });
    assert.deepEqual(expand(launch), {
      ok: true,
      launch: stdioLaunch({
        command: 'north-server',
        args: ['--region', 'north', ''],
        cwd: '/proj/web/src',
        env: { DIRS: '/proj/web,/proj/app', FIRST: '/proj/web', KEY: 'k-swordfish' },
        envFile: 'north.env',
      }),
      secrets: ['swordfish', 'k-swordfish'],
    });
  });

  it('are put into the URL and the headers of a server over HTTP', () => {
    const launch = httpLaunch('https://${env:REGION}.example.com/mcp?key=${input:key}', {
      Authorization: 'Bearer ${env:GITHUB_TOKEN}',
    });
    assert.deepEqual(expand(launch), {
      ok: true,
      launch: httpLaunch('https://north.example.com/mcp?key=swordfish', {
        Authorization: 'Bearer hunter22',
      }),
      secrets: ['swordfish', 'hunter22', 'Bearer hunter22'],
    });
  });

  it('repeat an argument for each root, whatever else is in it', () => {
    assert.deepEqual(args('-y', '${roots}', '--root=${roots}:${env:REGION}', 'end'), [
      '-y',
      '/proj/web',
      '/proj/app',
      '--root=/proj/web:north',
      '--root=/proj/app:north',
      'end',
    ]);
    assert.deepEqual(args('${roots}=${roots}'), ['/proj/web=/proj/web', '/proj/app=/proj/app']);
  });

  it('join roots with what is asked for, or as the system joins paths', () => {
    const separated = args('${rootsJoined: : }', '${rootsJoined}', '${rootsJoined:;}');
    assert.deepEqual(separated, [
      '/proj/web : /proj/app',
      `/proj/web${delimiter}/proj/app`,
      '/proj/web;/proj/app',
    ]);
  });

  it('are left alone where a text only looks like one', () => {
    const texts = ['$', '$HOME', '${', '${env:REGION', '$ {roots}', 'a$', '{roots}'];
    assert.deepEqual(args(...texts), texts);
    assert.deepEqual(args('$${env:REGION}$'), ['$north$']);
  });

  it('are put in once: a value that reads like a variable stays as it is', () => {
    const odd = { roots: ['/proj/${input:key}'], env: { A: '${', B: 'input:key}' } };
    const launch = stdioLaunch({
      args: ['${roots}', '${env:A}${env:B}'],
      env: { X: '${firstRoot}' },
    });
    const expansion = expand(launch, odd);
    assert.deepEqual(typeof expansion !== 'string' && expansion.launch, {
      ...launch,
      args: ['/proj/${input:key}', '${input:key}'],
      env: { X: '/proj/${input:key}' },
    });
  });
});

describe('a launch that cannot be expanded', () => {
  it('says what is missing, and never what a value is', () => {
    const none = { roots: [] };
    const told = 'It is told of its folders when it is started';
    foundAsExpected({
      roots: [
        expand(stdioLaunch({ args: ['${roots}'] }), none),
        `${told} (\${roots}), and it may see none now.`,
      ],
      joined: [
        expand(stdioLaunch({ env: { D: '${rootsJoined}' } }), none),
        `${told} (\${rootsJoined}), and it may see none now.`,
      ],
      first: [
        expand(stdioLaunch({ cwd: '${firstRoot}' }), none),
        `${told} (\${firstRoot}), and it may see none now.`,
      ],
      env: [
        expand(stdioLaunch({ args: ['${env:NOT_THERE}'] })),
        'The environment variable NOT_THERE is not set.',
      ],
      prototype: [
        expand(stdioLaunch({ args: ['${env:constructor}'] })),
        'The environment variable constructor is not set.',
      ],
      input: [
        expand(stdioLaunch({ args: ['${input:other}'] })),
        'Nothing was entered for ${input:other}.',
      ],
      folder: [
        expand(stdioLaunch({ args: ['${workspaceFolder:web}'] })),
        'This window has no folder that ${workspaceFolder:web} could stand for.',
      ],
      unknown: [
        expand(stdioLaunch({ args: ['${file}'] })),
        '${file} is no variable. Those there are: ${workspaceFolder}, ${workspaceFolder:name}, ${userHome}, ${env:NAME}, ${input:id}, ${roots}, ${rootsJoined:separator}, ${firstRoot}.',
      ],
      'roots in the environment': [
        expand(stdioLaunch({ env: { A: '${roots}' } })),
        '${roots} can stand in an argument only.',
      ],
    });
  });

  it('is one whose root would read as two, one of which nobody allowed', () => {
    const roots = ['/proj/web', '/proj/a,/etc'];
    assert.equal(
      expand(stdioLaunch({ env: { D: '${rootsJoined:,}' } }), { roots }),
      '"," separates the folders, but /proj/a,/etc holds it itself.',
    );
    assert.equal(
      typeof expand(stdioLaunch({ env: { D: '${rootsJoined:;}' } }), { roots }),
      'object',
    );
  });

  it('is one that the system would refuse in words that repeat a secret', () => {
    const inputs = new Map([
      ['nul', 'hunter2\0'],
      ['line', 'hunter2\nX-Admin: 1'],
      ['wide', 'hunter2…'],
      ['user', 'me:hunter2@example.com'],
      ['scheme', 'file:///hunter2'],
      ['blank', ' '],
    ]);
    const url = 'https://example.com/';
    const problems = {
      argument: expand(stdioLaunch({ args: ['a', '${input:nul}'] }), { inputs }),
      variable: expand(stdioLaunch({ env: { KEY: '${input:nul}' } }), { inputs }),
      program: expand(stdioLaunch({ command: '${input:blank}' }), { inputs }),
      header: expand(httpLaunch(url, { Key: '${input:line}' }), { inputs }),
      'wide header': expand(httpLaunch(url, { Key: '${input:wide}' }), { inputs }),
      user: expand(httpLaunch('https://${input:user}/'), { inputs }),
      scheme: expand(httpLaunch('${input:scheme}'), { inputs }),
    };
    assert.deepEqual(problems, {
      argument: 'Its "args[1]" holds a character that cannot stand there.',
      variable: 'Its "env.KEY" holds a character that cannot stand there.',
      program: 'Its "command" is empty.',
      header: 'Its "headers.Key" holds a character that cannot stand there.',
      'wide header': 'Its "headers.Key" holds a character that cannot stand there.',
      user: 'Its "url" must hold no user name and no password. Write "headers" with ${input:…} instead.',
      scheme: 'Its "url" must be a URL that begins with http:// or https://.',
    });
  });
});

describe('the secrets of a launch', () => {
  it('are what was entered, and what names say of the environment, headers and query', () => {
    const secrets = (launch: Launch) => {
      const expansion = expand(launch, { env: { ...values.env, GH: 'hunter2' } });
      return typeof expansion === 'string' ? expansion : expansion.secrets;
    };
    foundAsExpected({
      input: [secrets(stdioLaunch({ args: ['--key=${input:key}'] })), ['swordfish']],
      'short input': [secrets(stdioLaunch({ args: ['${input:pin}'] })), ['1234']],
      'plain variable': [secrets(stdioLaunch({ args: ['${env:REGION}'] })), []],
      'secret variable': [secrets(stdioLaunch({ args: ['${env:GITHUB_TOKEN}'] })), ['hunter22']],
      literal: [
        secrets(stdioLaunch({ env: { API_KEY: 'literal-key', REGION: 'southern' } })),
        ['literal-key'],
      ],
      scheme: [
        secrets(httpLaunch('https://example.com/', { Authorization: 'Basic bWU6eA==' })),
        ['Basic bWU6eA==', 'bWU6eA=='],
      ],
      'in a path and in any header': [
        secrets(httpLaunch(`https://example.com/${key}/mcp`, { 'X-Team': `team ${key}1` })),
        [`${key}1`, key],
      ],
      'in arguments, and none in a place': [
        secrets(
          stdioLaunch({
            args: [
              '--token=${env:GH}',
              '--api-key',
              key,
              '--dir',
              '${firstRoot}',
              '--auth-dir=/proj',
            ],
            env: { DATABASE_URL: 'postgres://me:p%40ss@db/x' },
          }),
        ),
        ['p%40ss', 'p@ss', 'hunter2', key],
      ],
      query: [
        secrets(httpLaunch('https://example.com/?apiKey=a%2Fsecret&team=southern')),
        ['a/secret', 'a%2Fsecret'],
      ],
    });
  });
});

describe('what a launch needs', () => {
  it('is told without values: its inputs, each once, and whether it names roots', () => {
    const asking = stdioLaunch({ args: ['${input:b}', '${input:a}'], env: { A: '${input:b}' } });
    assert.deepEqual(inputsOf(asking), ['b', 'a']);
    assert.deepEqual(inputsOf(httpLaunch('https://e.com', { A: '${input:c}' })), ['c']);
    const naming = [
      { args: ['${roots}'] },
      { env: { A: '${rootsJoined:,}' } },
      { cwd: '${firstRoot}' },
      { args: ['${env:roots}', '${root}', '${roots'] },
      {},
    ];
    assert.deepEqual(
      naming.map(said => namesRoots(stdioLaunch(said))),
      [true, true, true, false, false],
    );
  });
});

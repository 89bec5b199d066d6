import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { describe, it } from 'node:test';
import {
  expandLaunch,
  inputsOf,
  type VariableValues,
} from '../../../../src/domain/servers/expandLaunch.ts';
import type { Launch } from '../../../../src/domain/servers/launch.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';
import { saidBy } from '../../../support/texts.ts';

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
  return expansion.ok ? expansion : saidBy(expansion.problem).replace(/^\w+\./, '');
}

function args(...texts: string[]) {
  const expansion = expand(stdioLaunch({ args: texts }));
  return typeof expansion !== 'string' && expansion.launch.type === 'stdio'
    ? expansion.launch.args
    : expansion;
}

describe('the variables of a launch', () => {
  it('are named in short if they have no value', () => {
    const nameOf = (text: string) => {
      const expansion = expandLaunch(stdioLaunch({ args: [text] }), { ...values, roots: [] });
      return expansion.ok ? '' : expansion.variable;
    };
    const named = { '${env:NOT_THERE}': 'NOT_THERE', '${roots}': '${roots}', '${what}': undefined };
    assert.deepEqual(Object.keys(named).map(nameOf), Object.values(named));
  });

  it('are filled in at every allowed place', () => {
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

  it('are filled in in URL and headers of a server over HTTP', () => {
    const launch = (region: string, key: string, token: string) =>
      httpLaunch(`https://${region}.example.com/mcp?key=${key}`, {
        Authorization: `Bearer ${token}`,
      });
    assert.deepEqual(expand(launch('${env:REGION}', '${input:key}', '${env:GITHUB_TOKEN}')), {
      ok: true,
      launch: launch('north', 'swordfish', 'hunter22'),
      secrets: ['swordfish', 'hunter22', 'Bearer hunter22'],
    });
  });

  it('repeat an argument for each root, with the rest of its text', () => {
    assert.deepEqual(args('-y', '${roots}', '--root=${roots}:${env:REGION}', 'end'), [
      ...['-y', '/proj/web', '/proj/app'],
      ...['--root=/proj/web:north', '--root=/proj/app:north', 'end'],
    ]);
    assert.deepEqual(args('${roots}=${roots}'), ['/proj/web=/proj/web', '/proj/app=/proj/app']);
  });

  it('join roots with the given separator, or with that of the system', () => {
    assert.deepEqual(
      args('${rootsJoined: : }', '${rootsJoined}', '${rootsJoined:;}'),
      [' : ', delimiter, ';'].map(separator => `/proj/web${separator}/proj/app`),
    );
  });

  it('leave text alone that only looks like a variable', () => {
    const texts = ['$', '$HOME', '${', '${env:REGION', '$ {roots}', 'a$', '{roots}'];
    assert.deepEqual(args(...texts), texts);
  });

  it('pass text in braces on unchanged after two dollars', () => {
    assert.deepEqual(
      args('$${env:REGION}$', 'a$${HOME}${env:REGION}', '$$${x}', '$${A:-${env:REGION}}'),
      ['${env:REGION}$', 'a${HOME}north', '$${x}', '${A:-${env:REGION}}'],
    );
  });

  it('have their default if the environment has no value', () => {
    const found = args('${env:REGION:-south}', '${env:NONE:-a:-b}', '${env:NONE:-}');
    assert.deepEqual(found, ['north', 'a:-b', '']);
  });

  it('are filled in once: a value that looks like a variable stays unchanged', () => {
    const odd = { roots: ['/proj/${input:key}'], env: { A: '${', B: 'input:key}' } };
    const env = { X: '${firstRoot}' };
    const expansion = expand(stdioLaunch({ args: ['${roots}', '${env:A}${env:B}'], env }), odd);
    const expected = { args: ['/proj/${input:key}', '${input:key}'], env: { X: odd.roots[0]! } };
    assert.deepEqual(typeof expansion !== 'string' && expansion.launch, stdioLaunch(expected));
  });
});

describe('a launch that cannot be expanded', () => {
  it('names what is missing, and never a value', () => {
    const none = { roots: [] };
    const withArgument = (text: string) => expand(stdioLaunch({ args: [text] }), none);
    foundAsExpected({
      roots: [withArgument('${roots}'), 'folders(${roots})'],
      joined: [withArgument('${rootsJoined}'), 'folders(${rootsJoined})'],
      first: [withArgument('${firstRoot}'), 'folders(${firstRoot})'],
      env: [withArgument('${env:NOT_THERE}'), 'missing.env(NOT_THERE)'],
      prototype: [withArgument('${env:constructor}'), 'missing.env(constructor)'],
      input: [withArgument('${input:other}'), 'missing.input(${input:other})'],
      folder: [withArgument('${workspaceFolder:web}'), 'folder(${workspaceFolder:web})'],
      unknown: [withArgument('${file}'), 'problemWith.problem(${file})'],
      'roots in the environment': [
        expand(stdioLaunch({ env: { A: '${roots}' } })),
        'problemWith.problem(${roots})',
      ],
    });
  });

  it('has a root that would read as two, one of them not allowed', () => {
    const roots = ['/proj/web', '/proj/a,/etc'];
    const joinedBy = (separator: string) =>
      expand(stdioLaunch({ env: { D: `\${rootsJoined:${separator}}` } }), { roots });
    assert.equal(joinedBy(','), 'ambiguity(/proj/a,/etc, ,)');
    assert.equal(typeof joinedBy(';'), 'object');
  });

  it('is one that the system would refuse while repeating a secret', () => {
    const inputs = new Map([
      ['nul', 'hunter2\0'],
      ['line', 'hunter2\nX-Admin: 1'],
      ['wide', 'hunter2…'],
      ['user', 'me:hunter2@example.com'],
      ['scheme', 'file:///hunter2'],
      ['blank', ' '],
    ]);
    const url = 'https://example.com/';
    const started = (said: Parameters<typeof stdioLaunch>[0]) =>
      expand(stdioLaunch(said), { inputs });
    const called = (url: string, headers = {}) => expand(httpLaunch(url, headers), { inputs });
    foundAsExpected({
      argument: [started({ args: ['a', '${input:nul}'] }), 'launchProblem(args[1])'],
      variable: [started({ env: { KEY: '${input:nul}' } }), 'launchProblem(env.KEY)'],
      program: [started({ command: '${input:blank}' }), 'launchProblem()'],
      header: [called(url, { Key: '${input:line}' }), 'launchProblem(headers.Key)'],
      'wide header': [called(url, { Key: '${input:wide}' }), 'launchProblem(headers.Key)'],
      user: [called('https://${input:user}/'), 'launchProblem(serverUrl.urlProblem(${input:…}))'],
      scheme: [called('${input:scheme}'), 'launchProblem(serverUrl.urlProblem())'],
    });
  });
});

describe('the secrets of a launch', () => {
  it('are entered values, and values in environment, headers and query with telling names', () => {
    const secrets = (launch: Launch) => {
      const expansion = expand(launch, { env: { ...values.env, GH: 'hunter2' } });
      return typeof expansion === 'string' ? expansion : expansion.secrets;
    };
    const ofArgs = (args: string[], env = {}) => secrets(stdioLaunch({ args, env }));
    const called = (path: string, headers = {}) =>
      secrets(httpLaunch(`https://example.com/${path}`, headers));
    const places = ['--dir', '${firstRoot}', '--auth-dir=/proj'];
    const database = { DATABASE_URL: 'postgres://me:p%40ss@db/x' };
    foundAsExpected({
      input: [ofArgs(['--key=${input:key}']), ['swordfish']],
      'short input': [ofArgs(['${input:pin}']), ['1234']],
      'plain variable': [ofArgs(['${env:REGION}']), []],
      'secret variable': [ofArgs(['${env:GITHUB_TOKEN}']), ['hunter22']],
      literal: [ofArgs([], { API_KEY: 'literal-key', REGION: 'southern' }), ['literal-key']],
      scheme: [called('', { Authorization: 'Basic bWU6eA==' }), ['Basic bWU6eA==', 'bWU6eA==']],
      'in a path and in any header': [
        called(`${key}/mcp`, { 'X-Team': `team ${key}1` }),
        [`${key}1`, key],
      ],
      'in arguments, and none in a place': [
        ofArgs(['--token=${env:GH}', '--api-key', key, ...places], database),
        ['p%40ss', 'p@ss', 'hunter2', key],
      ],
      query: [called('?apiKey=a%2Fsecret&team=southern'), ['a/secret', 'a%2Fsecret']],
    });
  });
});

describe('what a launch needs', () => {
  it('lists its inputs once each, without values', () => {
    const asking = stdioLaunch({ args: ['${input:b}', '${input:a}'], env: { A: '${input:b}' } });
    assert.deepEqual(inputsOf(asking), ['b', 'a']);
    assert.deepEqual(inputsOf(httpLaunch('https://e.com', { A: '${input:c}' })), ['c']);
  });
});

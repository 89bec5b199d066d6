import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish, sentence } from '../../../../src/domain/sentence.ts';
import type { Failure } from '../../../../src/domain/servers/serverFailure.ts';
import { type ProblemFacts, problemOf } from '../../../../src/domain/servers/serverProblem.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const http = httpLaunch('https://example.com/mcp');
const nothing: ProblemFacts = {
  launch: stdioLaunch(),
  isEditable: true,
  failure: undefined,
  status: { kind: 'plain' },
  wasReached: false,
  isWithoutFolder: false,
  missedPath: undefined,
  lacksBrowser: false,
  withheldProxies: [],
  otherVariables: new Set(),
};

/** The problem as a row tells of it, and what its button does; `undefined` where there is none. */
function told(facts: Partial<ProblemFacts>): string | undefined {
  const problem = problemOf({ ...nothing, ...facts });
  if (!problem) {
    return undefined;
  }
  const { what, todo, remedy } = problem;
  return `${inEnglish(what)}. ${inEnglish(todo)}: ${Object.values(remedy).join(' ')}`;
}

const ended = (...stderr: readonly string[]): Failure => ({
  kind: 'ended',
  end: { code: 1, signal: null, stderr },
});

test('a server that runs, stands still or waits for its next start has no problem', () => {
  assert.equal(told({}), undefined);
  assert.equal(told({ status: { kind: 'waiting', deaths: 1, at: 1 } }), undefined);
});

test('a program that is not there is to be installed, or its command to be corrected', () => {
  const lacks = (program: string): Failure => ({
    kind: 'not-started',
    message: 'x',
    lack: { program },
  });
  assert.equal(
    told({ failure: lacks('uvx') }),
    'uvx is missing. Install uv: install https://docs.astral.sh/uv/getting-started/installation/',
  );
  assert.equal(
    told({ failure: lacks('C:\\node\\NPX.cmd') }),
    'npx is missing. Install Node.js: install https://nodejs.org/en/download',
  );
  assert.equal(
    told({ failure: lacks('fliesystem\n') }),
    '"fliesystem\\u000a" not found. Correct its command: edit',
  );
});

test('a variable, file or folder that its definition names and is not there is named', () => {
  const failure: Failure = {
    kind: 'not-started',
    message: 'The environment variable API_TOKEN is not set.',
    lack: { named: sentence('no value for {0}', 'API_TOKEN\n') },
  };
  assert.equal(
    told({ failure }),
    'no value for API_TOKEN\\u000a. The environment variable API_TOKEN is not set.: edit',
  );
});

test('a start in want of something else says how it gets that', () => {
  const lacks = (lack: 'sandbox' | 'input'): Failure => ({
    kind: 'not-started',
    message: 'x',
    lack,
  });
  assert.equal(
    told({ failure: lacks('sandbox') }),
    'has no sandbox here. Read what to do: sandbox',
  );
  assert.equal(told({ failure: lacks('input') }), 'needs a value. Start it to enter it: start');
  assert.equal(
    told({ failure: { kind: 'not-started', message: 'Its folder api {0} is not there.' } }),
    'could not be started. Its folder api {0} is not there.: edit',
  );
});

test('a variable that it names and was not given is passed on, if the editor has it', () => {
  const failure = ended('Error: GITHUB_TOKEN is not set, and GITHUB_HOST neither');
  const otherVariables = new Set(['GITHUB_TOKEN', 'HOME_PAGE']);
  assert.equal(
    told({ failure, otherVariables }),
    'lacks GITHUB_TOKEN. Pass GITHUB_TOKEN on to it: pass-on GITHUB_TOKEN',
  );
  assert.equal(told({ failure }), 'ended with code 1. Read its log: show-log');
});

test('a download that failed is given the proxy that was kept back', () => {
  const failure = ended('npm error code ENOTFOUND');
  assert.equal(
    told({ failure, withheldProxies: ['HTTPS_PROXY'] }),
    'could not download. Pass HTTPS_PROXY on to it: pass-on HTTPS_PROXY',
  );
  assert.equal(
    told({ failure }),
    'could not download. Set HTTPS_PROXY if this machine needs a proxy: edit',
  );
  const distrust = ended('npm error code SELF_SIGNED_CERT_IN_CHAIN');
  assert.equal(
    told({ failure: distrust }),
    'distrusts a certificate. Set NODE_EXTRA_CA_CERTS: edit',
  );
});

test('what a user can not change is not to be changed', () => {
  const failure: Failure = { kind: 'protocol', message: 'x' };
  assert.equal(told({ failure, isEditable: false }), 'does not speak MCP. Read its log: show-log');
});

test('what lived has died, and what never came up did not start', () => {
  const status = { kind: 'given-up', deaths: 5 } as const;
  const failure = ended('no such option');
  assert.equal(told({ failure, status, wasReached: true }), 'died 5 times. Read its log: show-log');
  assert.equal(told({ failure, status }), 'did not start in 5 tries. Read its log: show-log');
});

test('a URL that never answered was not reached, and one that did is not reached any more', () => {
  const failure: Failure = { kind: 'unreachable', message: 'example.com: refused' };
  const status = { kind: 'given-up', deaths: 5 } as const;
  assert.equal(
    told({ launch: http, failure, status }),
    'was not reached. Check its URL, and that it runs: edit',
  );
  assert.equal(
    told({ launch: http, failure, wasReached: true }),
    'is not reached any more. Start it again when it is back: start',
  );
});

test('a server that lets nobody in wants a sign-in, or another token', () => {
  const failure: Failure = { kind: 'unauthorized', message: 'HTTP 401' };
  assert.equal(told({ launch: http, failure }), 'requires a sign-in. Sign in: sign-in');
  const launch = httpLaunch(http.url, { Authorization: 'Bearer ${input:token}' });
  assert.equal(told({ launch, failure }), 'refused its token. Enter another one: edit');
});

test('what is no MCP server is to be corrected where it is defined', () => {
  const protocol: Failure = { kind: 'protocol', message: 'x' };
  assert.equal(told({ failure: protocol }), 'does not speak MCP. Check its command: edit');
  assert.equal(
    told({ launch: http, failure: protocol }),
    'does not speak MCP. Check its URL: edit',
  );
  assert.equal(
    told({ failure: { kind: 'silent', seconds: 60, rubbishLines: 2 } }),
    'prints text that is not MCP. Check that its command starts an MCP server: edit',
  );
  assert.equal(
    told({ failure: { kind: 'silent', seconds: 60 } }),
    'did not answer in 60 s. Read its log: show-log',
  );
});

test('what a sandbox keeps from it is let be read, whether it ended over that or goes on', () => {
  const missed = 'wants ~/.gitconfig. Let it read this: let-read';
  assert.equal(told({ missedPath: '~/.gitconfig' }), missed);
  assert.equal(told({ missedPath: '~/.gitconfig', failure: ended('ENOENT') }), missed);
});

test('a server that can’t start a browser in its sandbox leads to what that takes', () => {
  const lacks = "can't start a browser. Read what a browser takes in a sandbox: sandbox";
  assert.equal(told({ lacksBrowser: true }), lacks);
  assert.equal(told({ lacksBrowser: true, missedPath: '/opt/google/chrome/chrome' }), lacks);
  assert.equal(told({ lacksBrowser: true, failure: ended('No usable sandbox!') }), lacks);
});

test('a server whose folders changed is restarted, and one without folders reviewed', () => {
  const restart = 'its folders changed. Restart it to apply this: restart';
  assert.equal(told({ status: { kind: 'neglecting' } }), restart);
  assert.equal(
    told({ status: { kind: 'starved' } }),
    'no folder is left. Allow it a folder: review',
  );
  assert.equal(told({ isWithoutFolder: true }), 'may see no folder. Allow it a folder: review');
});

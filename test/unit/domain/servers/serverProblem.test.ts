import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../../../src/domain/sentence.ts';
import type { Failure } from '../../../../src/domain/servers/serverFailure.ts';
import { type ProblemFacts, problemOf } from '../../../../src/domain/servers/serverProblem.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';
import { saidBy } from '../../../support/texts.ts';

const nothing: ProblemFacts = {
  launch: stdioLaunch(),
  isEditable: true,
  failure: undefined,
  status: { kind: 'plain' },
  wasReached: false,
  isWithoutFolder: false,
  missedPath: undefined,
  sandboxLack: undefined,
  withheldProxies: [],
  otherVariables: new Set(),
};

/** The button's act, and the texts by their keys; `undefined`: no problem. */
function told(facts: Partial<ProblemFacts>): unknown[] | undefined {
  const problem = problemOf({ ...nothing, ...facts });
  const [what, todo] = [problem?.what, problem?.todo].map(text => text && saidBy(text));
  return problem && [...Object.values(problem.remedy).flat(), what, todo];
}

/** The button alone, where it tells the problem. */
function remedyOf(facts: Partial<ProblemFacts>): unknown {
  return told(facts)?.[0];
}

const ended = (...stderr: readonly string[]): Failure => ({
  kind: 'ended',
  end: { code: 1, signal: null, stderr },
});
const http = httpLaunch('https://example.com/mcp');
const givenUp = { kind: 'given-up', deaths: 5 } as const;

test('has no problem for a server that runs, is stopped or waits for its next start', () => {
  const waiting = { kind: 'waiting', deaths: 1, at: 1 } as const;
  assert.deepEqual([told({}), told({ status: waiting })], [undefined, undefined]);
});

test('suggests to install a missing program or to correct its command', () => {
  const lacks = (program: string) =>
    told({ failure: { kind: 'not-started', message: 'x', lack: { program } } });
  const texts = (name: string, title: string) => [
    `serverFailure.startProblem.what(${name})`,
    `serverFailure.startProblem.todo(${title})`,
  ];
  const pages = ['https://docs.astral.sh/uv/getting-started/installation/', 'https://nodejs.org/'];
  assert.deepEqual(
    [lacks('uvx'), lacks('C:\\node\\NPX.cmd')],
    [
      ['install', pages[0], ...texts('uvx', 'uv')],
      ['install', `${pages[1]}en/download`, ...texts('npx', 'Node.js')],
    ],
  );
  const [remedy, what] = lacks('fliesystem\n') ?? [];
  assert.deepEqual([remedy, what], ['edit', 'serverFailure.startProblem(fliesystem\\u000a)']);
});

test('names what an impossible start lacks', () => {
  const failed = (failure: Partial<Failure> | { readonly lack: object | string }) => {
    const all = { kind: 'not-started', message: 'Its folder api {0} is not there.', ...failure };
    const { remedy, what, todo } = problemOf({ ...nothing, failure: all as Failure })!;
    return [remedy.kind, ...what.values, ...todo.values];
  };
  const named = sentence('no value for {0}', 'API_TOKEN\n');
  const gone = 'Its folder api {0} is not there.';
  foundAsExpected({
    'a value': [failed({ lack: { named } }), ['edit', 'API_TOKEN\\u000a', gone]],
    'a sandbox': [failed({ lack: 'sandbox' }), ['sandbox']],
    'an answer': [failed({ lack: 'input' }), ['start']],
    nothing: [failed({}), ['edit', gone]],
  });
});

test('offers to pass on a missing variable that the editor has', () => {
  const failure = ended('Error: GITHUB_TOKEN is not set, and GITHUB_HOST neither');
  const otherVariables = new Set(['GITHUB_TOKEN', 'HOME_PAGE']);
  assert.deepEqual(
    [told({ failure, otherVariables })?.slice(0, 2), remedyOf({ failure })],
    [['pass-on', 'GITHUB_TOKEN'], 'show-log'],
  );
});

test('offers the withheld proxy to a failed download, or names a variable', () => {
  const failure = ended('npm error code ENOTFOUND');
  const passedOn = told({ failure, withheldProxies: ['HTTPS_PROXY'] })?.slice(0, 2);
  assert.deepEqual(passedOn, ['pass-on', 'HTTPS_PROXY']);
  assert.equal(remedyOf({ failure }), 'edit');
  const distrust = told({ failure: ended('npm error code SELF_SIGNED_CERT_IN_CHAIN') });
  assert.equal(distrust?.[0], 'edit');
  assert.equal(distrust?.[2], 'serverFailure.endProblem(NODE_EXTRA_CA_CERTS)');
});

test('has a remedy for a failure', () => {
  const unreachable: Failure = { kind: 'unreachable', message: 'example.com: refused' };
  const unauthorized: Failure = { kind: 'unauthorized', message: 'HTTP 401' };
  const protocol: Failure = { kind: 'protocol', message: 'x' };
  const withToken = httpLaunch(http.url, { Authorization: 'Bearer ${input:token}' });
  const cases: readonly (readonly [Partial<ProblemFacts>, string])[] = [
    [{ failure: protocol }, 'edit'],
    [{ failure: protocol, launch: http }, 'edit'],
    // A user cannot change this definition.
    [{ failure: protocol, isEditable: false }, 'show-log'],
    [{ failure: unreachable, launch: http, status: givenUp }, 'edit'],
    [{ failure: unreachable, launch: http, wasReached: true }, 'start'],
    [{ failure: unauthorized, launch: http }, 'sign-in'],
    [{ failure: unauthorized, launch: withToken }, 'edit'],
    [{ failure: { kind: 'silent', seconds: 60, rubbishLines: 2 } }, 'edit'],
    [{ failure: { kind: 'silent', seconds: 60 } }, 'show-log'],
  ];
  assert.deepEqual(
    cases.map(([facts]) => [facts, remedyOf(facts)]),
    cases,
  );
});

test('says of a server that ran that it died, else that it did not start', () => {
  const whatOf = (wasReached: boolean) =>
    told({ failure: ended('no such option'), status: givenUp, wasReached })?.slice(0, 2);
  assert.deepEqual(whatOf(true), ['show-log', 'serverProblem.tries.died(5)']);
  assert.deepEqual(whatOf(false), ['show-log', 'serverProblem.tries.failed(5)']);
});

test('names a path that the sandbox denied before the end of the server', () => {
  const missedPath = '/opt/google/chrome/chrome';
  for (const failure of [undefined, ended('No usable sandbox!')]) {
    const [remedy, what] = told({ failure, missedPath: '~/.gitconfig' }) ?? [];
    assert.deepEqual([remedy, what], ['let-read', 'serverProblem.lackOf(~/.gitconfig)']);
    for (const sandboxLack of ['browser', 'sockets'] as const) {
      const [remedy, what] = told({ failure, sandboxLack, missedPath }) ?? [];
      assert.deepEqual([remedy, what], ['sandbox', `serverProblem.lacks.${sandboxLack}()`]);
    }
  }
});

test('suggests a restart after changed folders, and a review without folders', () => {
  assert.equal(remedyOf({ status: { kind: 'neglecting' } }), 'restart');
  // Also when the user has revoked its folders, which still exist.
  for (const facts of [{ status: { kind: 'starved' } }, { isWithoutFolder: true }] as const) {
    assert.equal(remedyOf(facts), 'review');
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { failureSentence } from '../../../../src/domain/servers/serverFailure.ts';
import { failureText, planText, StateNews } from '../../../../src/hub/upstreams/upstreamProblem.ts';
import type { ConnectionState } from '../../../../src/mcp/link.ts';

test('states are told of once, with the reason for an end', () => {
  const news = new StateNews();
  const end = { code: 3, signal: null, stderr: ['no such option'] };
  const failed = { kind: 'failed', failure: { kind: 'ended', end } } as const;
  const running = { kind: 'running', era: 'legacy', protocolVersion: '', pid: 1 } as const;
  const since = (state: ConnectionState, deaths = 0) => {
    const plan = deaths > 0 ? ({ kind: 'given-up', deaths } as const) : ({ kind: 'none' } as const);
    const told = news.since({ state, plan }, 'was stopped');
    return told && [told.state, told.reason];
  };
  assert.deepEqual(
    [
      since({ kind: 'starting' }),
      since({ kind: 'starting' }),
      since(running),
      since({ kind: 'starting' }),
      since(running),
      since(failed),
      since(failed),
      since({ kind: 'starting' }),
      since(failed, 5),
      since({ kind: 'stopped' }),
      since({ kind: 'starting' }),
      since({ kind: 'stopped' }),
    ],
    [
      ['starting', undefined],
      undefined,
      ['running', undefined],
      ['restarting', 'it was stopped'],
      ['running', undefined],
      ['failed', 'it ended with exit code 3: no such option'],
      undefined,
      ['restarting', undefined],
      ['failed', 'it ended with exit code 3: no such option, given up after 5 deaths'],
      ['stopped', undefined],
      ['starting', undefined],
      ['stopped', 'it was stopped'],
    ],
  );
});

test('a failure is told in words, and what comes from a server forges no line', () => {
  const stderr = ['panic\u001b[31m {0}\u202e', '  '];
  const ended = (signal: string | null) =>
    inEnglish(failureSentence({ kind: 'ended', end: { code: null, signal, stderr } }));
  assert.equal(ended('SIGKILL'), 'ended by SIGKILL: panic\\u001b[31m {0}\\u202e');
  assert.equal(ended(null), 'ended with exit code ?: panic\\u001b[31m {0}\\u202e');
  assert.match(
    failureText({ kind: 'unauthorized', message: 'HTTP 401' }),
    /^refused access: HTTP 401\. .*put a header with a token into the configuration$/,
  );
});

test('a server over HTTP that is away is given up after attempts, as it has not died', () => {
  const plan = { kind: 'given-up', deaths: 5 } as const;
  const away = { kind: 'unreachable', message: 'ECONNREFUSED' } as const;
  const told = new StateNews().since({ state: { kind: 'failed', failure: away }, plan }, '');
  assert.deepEqual(
    [planText(plan, away), planText(plan, { kind: 'silent' }), told?.reason],
    [
      'It was given up after 5 attempts.',
      'It was given up after 5 deaths.',
      "it can't be reached: ECONNREFUSED, given up after 5 attempts",
    ],
  );
});

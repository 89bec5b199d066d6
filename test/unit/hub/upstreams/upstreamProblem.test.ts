import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { failureSentence } from '../../../../src/domain/servers/serverFailure.ts';
import {
  endText,
  failureText,
  planText,
  retryText,
} from '../../../../src/hub/upstreams/upstreamProblem.ts';
import type { ConnectionState } from '../../../../src/mcp/link.ts';
import { Supervisor } from '../../../../src/mcp/supervisor.ts';

test('a failure is told in words, and what comes from a server forges no line', () => {
  const stderr = ['panic\u001b[31m {0}\u202e', '  '];
  const ended = (signal: string | null) =>
    inEnglish(failureSentence({ kind: 'ended', end: { code: null, signal, stderr } }));
  assert.equal(ended('SIGABRT'), 'ended by SIGABRT: panic\\u001b[31m {0}\\u202e');
  assert.equal(ended(null), 'ended with exit code ?: panic\\u001b[31m {0}\\u202e');
  assert.match(
    failureText({ kind: 'unauthorized', message: 'HTTP 401' }),
    /^refused access: HTTP 401\. .*put a header with a token into the configuration$/,
  );
});

test('a server over HTTP that is away is given up after attempts, as it has not died', () => {
  const plan = { kind: 'given-up', deaths: 5 } as const;
  const away = { kind: 'unreachable', message: 'ECONNREFUSED' } as const;
  assert.deepEqual(
    [planText(plan, away), planText(plan, { kind: 'silent' }), endText(away, plan)],
    [
      'It was given up after 5 attempts.',
      'It was given up after 5 deaths.',
      "can't be reached: ECONNREFUSED, given up after 5 attempts",
    ],
  );
});

test('the time until the next try is told right when the clock of the system went back', t => {
  const didChangeState = new Emitter<ConnectionState>();
  const supervisor = new Supervisor(() => {});
  supervisor.watch({
    state: { kind: 'stopped' },
    onDidChangeState: didChangeState.event,
  });
  const end = { code: 1, signal: null, stderr: [] };
  didChangeState.fire({ kind: 'failed', failure: { kind: 'ended', end } });
  const before = Date.now();
  t.mock.method(Date, 'now', () => before - 3_600_000);
  const { plan } = supervisor;
  assert.equal(
    plan.kind === 'waiting' && retryText(plan.at),
    'A call in 1 s or later tries again.',
  );
  supervisor.dispose();
});

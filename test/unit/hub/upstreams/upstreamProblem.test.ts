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
import { Supervisor } from '../../../../src/mcp/life/supervisor.ts';
import type { ConnectionState } from '../../../../src/mcp/link/link.ts';
import { said } from '../../../support/texts.ts';

test('the last words of a server cannot forge a line in its failure', () => {
  const stderr = ['panic\u001b[31m {0}\u202e', '  '];
  const ended = (signal: string | null) =>
    inEnglish(failureSentence({ kind: 'ended', end: { code: null, signal, stderr } }));
  const last = 'panic\\u001b[31m {0}\\u202e';
  assert.ok(ended('SIGABRT').endsWith(` SIGABRT: ${last}`));
  assert.ok(ended(null).endsWith(` ?: ${last}`));
  const refused = failureText({ kind: 'unauthorized', message: 'HTTP 401' });
  assert.match(refused, /: HTTP 401\. .*[^.]$/);
});

test('counts attempts to reach a server over HTTP, and deaths of a process', () => {
  const plan = { kind: 'given-up', deaths: 5 } as const;
  const away = { kind: 'unreachable', message: 'ECONNREFUSED' } as const;
  assert.deepEqual(
    [planText(plan, away), planText(plan, { kind: 'silent' }), endText(away, plan)],
    [
      'The server was given up after 5 attempts.',
      'The server was given up after 5 deaths.',
      `${failureText(away)}, given up after 5 attempts`,
    ],
  );
});

test('names the right time until the next try after the clock went back', t => {
  const didChangeState = new Emitter<ConnectionState>();
  const supervisor = new Supervisor(() => {});
  supervisor.watch({ state: { kind: 'stopped' }, onDidChangeState: didChangeState.event });
  const end = { code: 1, signal: null, stderr: [] };
  didChangeState.fire({ kind: 'failed', failure: { kind: 'ended', end } });
  const before = Date.now();
  t.mock.method(Date, 'now', () => before - 3_600_000);
  const { plan } = supervisor;
  assert.equal(plan.kind === 'waiting' && said(retryText(plan.at)), 'upstreamProblem.retryText(1)');
  supervisor.dispose();
});

import { deepEqual, equal } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { progressTo } from '../../../../src/hub/session/clientCalls.ts';

/** The progress of a call, and what its client is told, at 50 messages a second. */
function progressOf(t: TestContext, progressToken: string | undefined = 'mine') {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const end = new AbortController();
  const told: unknown[] = [];
  const notify = async ({ params }: { readonly params: { readonly progress: number } }) => {
    told.push(params.progress);
  };
  const mcpReq = { _meta: { progressToken }, signal: end.signal, notify };
  const passed = progressTo({ mcpReq } as unknown as ServerContext)!;
  const tell = (from: number, to: number) => {
    for (let progress = from; progress <= to; progress += 1) {
      passed.tell({ progress });
    }
  };
  return { passed, told, tell, end };
}

const first50 = Array.from({ length: 50 }, (_, index) => index + 1);

test('of a burst the client is told the latest, as soon as it may be told more', t => {
  const { told, tell } = progressOf(t);
  tell(1, 100);
  deepEqual(told, first50);
  t.mock.timers.tick(1000);
  deepEqual(told, [...first50, 100]);
  t.mock.timers.tick(10_000);
  equal(told.length, 51);
});

test('what the client was not told yet it is told at the end, and nothing after that', t => {
  const { passed, told, tell } = progressOf(t);
  tell(1, 100);
  passed.dispose();
  deepEqual(told, [...first50, 100]);
  tell(101, 102);
  t.mock.timers.tick(10_000);
  equal(told.length, 51);
});

test('at the end the client is told nothing twice', t => {
  const { passed, told, tell } = progressOf(t);
  tell(1, 2);
  passed.dispose();
  deepEqual(told, [1, 2]);
});

test('a client that called the call off is told nothing more', t => {
  const { passed, told, tell, end } = progressOf(t);
  tell(1, 100);
  end.abort();
  passed.dispose();
  deepEqual(told, first50);
});

test('a client that did not ask is told nothing', () => {
  equal(progressTo({ mcpReq: {} } as unknown as ServerContext), undefined);
});

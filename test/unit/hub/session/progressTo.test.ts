import { deepEqual, equal } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { progressTo } from '../../../../src/hub/session/clientCalls.ts';

/** The progress of a call, and the client's messages, at 50 messages a second. */
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

test('sends the latest progress of a burst as soon as the pace allows', t => {
  const { told, tell } = progressOf(t);
  tell(1, 100);
  deepEqual(told, first50);
  t.mock.timers.tick(1000);
  deepEqual(told, [...first50, 100]);
  t.mock.timers.tick(10_000);
  equal(told.length, 51);
});

test('sends the missing progress at the end, and nothing later', t => {
  const { passed, told, tell } = progressOf(t);
  tell(1, 100);
  passed.dispose();
  deepEqual(told, [...first50, 100]);
  tell(101, 102);
  t.mock.timers.tick(10_000);
  equal(told.length, 51);
});

test('sends nothing twice at the end', t => {
  const { passed, told, tell } = progressOf(t);
  tell(1, 2);
  passed.dispose();
  deepEqual(told, [1, 2]);
});

test('sends nothing more after the client cancelled', t => {
  const { passed, told, tell, end } = progressOf(t);
  tell(1, 100);
  end.abort();
  passed.dispose();
  deepEqual(told, first50);
});

test('sends nothing to a client that did not ask', () => {
  equal(progressTo({ mcpReq: {} } as unknown as ServerContext), undefined);
});

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { Limiter } from '../../../src/base/limiter.ts';
import { systemError } from '../../../src/base/messageOf.ts';
import { RootSources } from '../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../src/server/roots/rootsView.ts';
import { type CallParts, type RunningCall, runCall } from '../../../src/server/runningCall.ts';
import type { SessionRoots } from '../../../src/server/sessionRoots.ts';
import { noLogger } from '../../support/noLogger.ts';
import { said } from '../../support/texts.ts';

const view = viewWithoutRoots('legacy', new RootSources({ withoutRoots: 'deny' }, 'linux'));

test('answers that the server is busy when too many requests wait', async () => {
  const { parts, request } = setUp({ running: 1, waiting: 0 });
  let end = (_result: object) => {};
  const first = run(parts, request, () => new Promise<object>(resolve => (end = resolve)));
  deepEqual(await run(parts, request, () => ({})), { refused: 'runningCall.busy()' });
  end({ contents: [] });
  deepEqual(await first, { contents: [] });
});

test('logs what a request throws, and keeps it from the client', async () => {
  const { parts, request, logged } = setUp();
  for (const bug of [new ProtocolError(-32602, '/secret/path'), new Error('/secret/path')]) {
    const refused = await run(parts, request, () => {
      throw bug;
    });
    deepEqual(refused, { refused: 'runningCall.failed()' });
  }
  equal(logged.filter(entry => entry.includes('/secret/path')).length, 2);
});

test('names too many open files and a failing disk', async () => {
  const { parts, request } = setUp();
  const answerTo = (code: string) =>
    run(parts, request, () => {
      throw systemError(code);
    });
  deepEqual(await answerTo('EMFILE'), { refused: 'refusal.tooManyFiles.EMFILE()' });
  deepEqual(await answerTo('ENFILE'), { refused: 'refusal.tooManyFiles.ENFILE()' });
  deepEqual(await answerTo('EIO'), { refused: 'refusal.diskFailed()' });
});

test('logs nothing for a cancelled request', async () => {
  const { parts, request, logged, cancel } = setUp();
  await run(parts, request, async ({ signal }) => {
    cancel();
    signal.throwIfAborted();
    return {};
  });
  deepEqual(logged, []);
});

test('does no work for a request cancelled during the question for roots', async () => {
  const { parts, request, cancel } = setUp();
  const { use } = parts.roots;
  const roots: SessionRoots['use'] = async (...args) => {
    cancel();
    return use(...args);
  };
  const worked: string[] = [];
  await run({ ...parts, roots: { ...parts.roots, use: roots } }, request, () => ({
    worked: worked.push('worked'),
  }));
  deepEqual(worked, []);
});

test('says so when the roots of a request are revoked', async () => {
  const { parts, request } = setUp({ running: 1, waiting: 0 }, 'revoked');
  deepEqual(await run(parts, request, () => ({})), { refused: 'runningCall.revokedMeanwhile()' });
});

test('lets clients take turns with long work, by session or else by name', async () => {
  const { parts, request } = setUp({ running: 9, waiting: 0 });
  const queue = new Limiter({ running: 1 });
  queue.pause();
  const done: string[] = [];
  const named = (name: string) => ({
    mcpReq: { ...request.mcpReq, envelope: { 'io.modelcontextprotocol/clientInfo': { name } } },
  });
  const clients = [
    ['a', { sessionId: 'a' }],
    ['b', named('b')],
    ['c', named('c')],
  ] as const;
  const calls = clients.flatMap(([name, client]) =>
    [1, 2].map(() =>
      run(parts, { ...request, ...client } as ServerContext, async call => {
        await call.runIn(queue, async () => void done.push(name));
        return {};
      }),
    ),
  );
  await new Promise(resolve => setImmediate(resolve));
  queue.resume();
  await Promise.all(calls);
  deepEqual(done, ['a', 'b', 'c', 'a', 'b', 'c']);
});

function run(
  parts: CallParts,
  request: ServerContext,
  work: (call: RunningCall) => object | Promise<object>,
) {
  return runCall(parts, request, work, message => ({ refused: said(message) }));
}

function setUp(limits = { running: 1, waiting: 0 }, end: 'revoked' | 'kept' = 'kept') {
  const logged: string[] = [];
  const cancelled = new AbortController();
  const use = async <R>(
    _context: unknown,
    work: (view: RootsView) => R | Promise<R>,
    revoked: () => R,
  ) => (end === 'revoked' ? revoked() : work(view));
  const parts = {
    roots: { use } as Pick<SessionRoots, 'use'> as SessionRoots,
    limiter: new Limiter(limits),
    logger: { ...noLogger, error: (error: string | Error) => void logged.push(String(error)) },
  };
  const request = { mcpReq: { signal: cancelled.signal } } as ServerContext;
  return { parts, request, logged, cancel: () => cancelled.abort() };
}

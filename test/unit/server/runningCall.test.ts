import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { Limiter } from '../../../src/base/limiter.ts';
import { RootSources } from '../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../src/server/roots/rootsView.ts';
import { type CallParts, type RunningCall, runCall } from '../../../src/server/runningCall.ts';
import type { SessionRoots } from '../../../src/server/sessionRoots.ts';

const view = viewWithoutRoots('legacy', new RootSources({ withoutRoots: 'deny' }, 'linux'));

test('a request that finds too many waiting is told that the server is busy', async () => {
  const { parts, request } = setUp({ running: 1, waiting: 0 });
  let end = (_result: object) => {};
  const first = run(parts, request, () => new Promise<object>(resolve => (end = resolve)));
  await rejects(
    run(parts, request, () => ({})),
    errorOf(
      -32603,
      'The server is busy: too many calls are waiting already. Try again in a moment.',
    ),
  );
  end({ contents: [] });
  deepEqual(await first, { contents: [] });
});

test('what a request throws for the client is told, and everything else is logged', async () => {
  const { parts, request, logged } = setUp();
  const told = new ProtocolError(-32602, 'It is not there.');
  const fail = (error: Error) => () => {
    throw error;
  };
  await rejects(run(parts, request, fail(told)), told);
  deepEqual(logged, []);
  await rejects(
    run(parts, request, fail(new Error('/secret/path'))),
    errorOf(-32603, 'That did not work. What the server wrote to stderr has the details.'),
  );
  deepEqual(logged, ['/secret/path']);
});

test('a request that was cancelled leaves nothing in the log', async () => {
  const { parts, request, logged, cancel } = setUp();
  const running = run(parts, request, async ({ signal }) => {
    cancel();
    signal.throwIfAborted();
    return {};
  });
  await rejects(running, ProtocolError);
  deepEqual(logged, []);
});

test('a request whose roots are revoked is told so', async () => {
  const { parts, request } = setUp({ running: 1, waiting: 0 }, 'revoked');
  await rejects(
    run(parts, request, () => ({})),
    errorOf(
      -32603,
      'The folders shared with this server changed while the call ran, and one that it worked with ' +
        'is no longer shared. See get-roots for those that are.',
    ),
  );
});

/** Refuses as a request for a resource is refused. */
function run(
  parts: CallParts,
  request: ServerContext,
  work: (call: RunningCall) => object | Promise<object>,
) {
  return runCall(parts, request, work, message => {
    throw new ProtocolError(-32603, message);
  });
}

function errorOf(code: number, message: string) {
  return (error: unknown) => {
    equal(error instanceof ProtocolError && error.code, code);
    equal(error instanceof ProtocolError && error.message, message);
    return true;
  };
}

function setUp(limits = { running: 1, waiting: 0 }, end: 'revoked' | 'kept' = 'kept') {
  const logged: string[] = [];
  const cancelled = new AbortController();
  const use = async <R>(
    _context: unknown,
    work: (view: RootsView) => R | Promise<R>,
    revoked: () => R,
  ) => (end === 'revoked' ? revoked() : work(view));
  const ignore = () => {};
  const parts = {
    roots: { use } as Pick<SessionRoots, 'use'> as SessionRoots,
    limiter: new Limiter(limits),
    logger: {
      trace: ignore,
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (error: string | Error) => void logged.push(String(error).replace('Error: ', '')),
    },
  };
  const request = { mcpReq: { signal: cancelled.signal } } as ServerContext;
  return { parts, request, logged, cancel: () => cancelled.abort() };
}

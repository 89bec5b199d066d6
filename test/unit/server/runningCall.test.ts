import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { Limiter } from '../../../src/base/limiter.ts';
import { systemError } from '../../../src/base/messageOf.ts';
import { RootSources } from '../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../src/server/roots/rootsView.ts';
import { type CallParts, type RunningCall, runCall } from '../../../src/server/runningCall.ts';
import type { SessionRoots } from '../../../src/server/sessionRoots.ts';

const view = viewWithoutRoots('legacy', new RootSources({ withoutRoots: 'deny' }, 'linux'));

test('a request that finds too many waiting is told that the server is busy', async () => {
  const { parts, request } = setUp({ running: 1, waiting: 0 });
  let end = (_result: object) => {};
  const first = run(parts, request, () => new Promise<object>(resolve => (end = resolve)));
  deepEqual(await run(parts, request, () => ({})), {
    refused: 'The server is busy: too many calls are waiting already. Try again in a moment.',
  });
  end({ contents: [] });
  deepEqual(await first, { contents: [] });
});

test('what a request throws is a bug, which is logged and not told, whatever its kind', async () => {
  const { parts, request, logged } = setUp();
  for (const bug of [new ProtocolError(-32602, '/secret/path'), new Error('/secret/path')]) {
    const refused = await run(parts, request, () => {
      throw bug;
    });
    deepEqual(refused, {
      refused: 'That did not work. What the server wrote to stderr has the details.',
    });
  }
  deepEqual(
    logged.map(entry => entry.includes('/secret/path')),
    [true, true],
  );
});

test('too many open files and a disk that fails are told, and what to do', async () => {
  const { parts, request } = setUp();
  const told = async (code: string) => {
    const { refused } = (await run(parts, request, () => {
      throw systemError(code);
    })) as { readonly refused: string };
    return refused;
  };
  deepEqual(
    [await told('EMFILE'), await told('ENFILE'), await told('EIO')],
    [
      'This server has too many files open (EMFILE): try again.',
      'Too many files are open on this machine (ENFILE): close some, and try again.',
      'The disk failed (EIO): look at it, or at the connection to it.',
    ],
  );
});

test('a request that was cancelled leaves nothing in the log', async () => {
  const { parts, request, logged, cancel } = setUp();
  await run(parts, request, async ({ signal }) => {
    cancel();
    signal.throwIfAborted();
    return {};
  });
  deepEqual(logged, []);
});

test('a request that was cancelled while its roots were asked for does no work', async () => {
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

test('a request whose roots are revoked is told so', async () => {
  const { parts, request } = setUp({ running: 1, waiting: 0 }, 'revoked');
  deepEqual(await run(parts, request, () => ({})), {
    refused:
      'The folders shared with this server changed while the call ran, and one that it worked with ' +
      'is no longer shared. See get-roots for those that are.',
  });
});

test('clients take turns with long work: sessions, and names where there are none', async () => {
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
  return runCall(parts, request, work, message => ({ refused: message }));
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

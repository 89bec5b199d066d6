import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawResult } from '../../../../src/hub/hubHost.ts';
import { UpstreamOffers } from '../../../../src/hub/offers/upstreamOffers.ts';
import type { ForwardedRequest } from '../../../../src/mcp/forwarding.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

const everything = { tools: {} };

type Page = Readonly<Record<string, unknown>>;

/** A server that answers each request with what the function makes of it, and notes them all. */
function fake(answer: (request: ForwardedRequest) => Page | Promise<Page>) {
  const asked: string[] = [];
  return {
    asked,
    capabilities: everything,
    forward: async (request: ForwardedRequest): Promise<RawResult> => {
      const { cursor } = request.params;
      asked.push(cursor === undefined ? request.method : `${request.method} ${cursor}`);
      return answer(request);
    },
  };
}

/** Answers one after the other, each when the test says so. */
function heldAnswers() {
  const held: ((page: Page) => void)[] = [];
  const server = fake(() => new Promise(resolve => held.push(resolve)));
  return { server, release: (page: Page) => held.shift()!(page) };
}

test('what a server lists is given as it came', async () => {
  const tool = {
    name: 'read',
    inputSchema: { type: 'object', $defs: { x: {} }, 'x-more': [1] },
    outputSchema: {},
    annotations: { readOnlyHint: true },
    icons: [{ src: 'data:' }],
    _meta: { 'example.com/a': 1 },
    unheardOf: null,
  };
  const server = fake(() => ({ tools: [tool], ttlMs: 1 }));
  const offerings = new UpstreamOffers(server);
  assert.deepEqual(await offerings.tools(), [tool]);
  assert.deepEqual(server.asked, ['tools/list']);
  assert.equal(offerings.toolsRemark, undefined);
});

test('a server that declared no tools is not asked for them', async () => {
  const server = { ...fake(() => ({ tools: [{ name: 'a' }] })), capabilities: {} };
  assert.deepEqual(await new UpstreamOffers(server).tools(), []);
  assert.deepEqual(server.asked, []);
});

test('all pages are read, and once', async () => {
  const server = fake(({ params: { cursor } }) =>
    cursor === undefined
      ? { tools: [{ name: 'a' }], nextCursor: 'x' }
      : { tools: [{ name: 'b' }], ...(cursor === 'x' && { nextCursor: 'y' }) },
  );
  const offerings = new UpstreamOffers(server);
  const both = await Promise.all([offerings.tools(), offerings.tools()]);
  assert.deepEqual(both[0], [{ name: 'a' }, { name: 'b' }]);
  assert.equal(both[1], both[0]);
  assert.equal(await offerings.tools(), both[0]);
  assert.equal(offerings.knownTools, both[0]);
  assert.deepEqual(server.asked, ['tools/list', 'tools/list x', 'tools/list y']);
  // Of the last page `b` is there already.
  assert.match(offerings.toolsRemark ?? '', /^1 entry of tools\/list left out/);
});

test('an answer from before a change is given and not kept', async () => {
  const { server, release } = heldAnswers();
  const offerings = new UpstreamOffers(server);
  const before = offerings.tools();
  offerings.drop();
  const after = offerings.tools();
  release({ tools: [{ name: 'old' }] });
  assert.deepEqual(await before, [{ name: 'old' }]);
  assert.equal(offerings.knownTools, undefined);
  release({ tools: [{ name: 'new' }] });
  assert.deepEqual(await after, [{ name: 'new' }]);
  assert.deepEqual(offerings.knownTools, [{ name: 'new' }]);
});

test('what has no name of its own is left out and counted', async () => {
  const tools = [
    { name: 'a', title: 1 },
    null,
    'a',
    [],
    {},
    { name: 7 },
    { name: '' },
    { name: 'a', title: 2 },
  ];
  const offerings = new UpstreamOffers(fake(() => ({ tools })));
  assert.deepEqual(await offerings.tools(), [{ name: 'a', title: 1 }]);
  assert.equal(
    offerings.toolsRemark,
    '7 entries of tools/list left out: without a name of its own.',
  );
});

test('a list that is none has no entries', async () => {
  for (const tools of [undefined, null, 'a', { 0: { name: 'a' }, length: 1 }]) {
    assert.deepEqual(await new UpstreamOffers(fake(() => ({ tools }))).tools(), []);
  }
});

test('a list without an end is cut off', async () => {
  let page = 0;
  const server = fake(() => {
    page += 1;
    return { tools: [{ name: `${page}` }], nextCursor: `${page % 3}` };
  });
  const offerings = new UpstreamOffers(server);
  assert.equal((await offerings.tools()).length, 100);
  assert.equal(server.asked.length, 100);
  const cut = 'The answer to tools/list is too long: not all of it is used.';
  assert.equal(offerings.toolsRemark, cut);
});

test('an error of the server is passed on as it is, and the list asked for again', async () => {
  const error = Object.assign(new Error('Not now'), { code: -32000, data: 1 });
  let isBroken = true;
  const server = fake(() => (isBroken ? Promise.reject(error) : { tools: [{ name: 'a' }] }));
  const offerings = new UpstreamOffers(server);
  const isThat = (thrown: unknown) => thrown === error;
  await Promise.all([
    assert.rejects(offerings.tools(), isThat),
    assert.rejects(offerings.tools(), isThat),
  ]);
  assert.equal(offerings.knownTools, undefined);
  assert.deepEqual(server.asked, ['tools/list']);
  isBroken = false;
  assert.deepEqual(await offerings.tools(), [{ name: 'a' }]);
});

test('a failure from before a change ends no list of after it', async () => {
  const held: (() => void)[] = [];
  const server = fake(
    () => new Promise((_, reject) => held.push(() => reject(new Error('Not now')))),
  );
  const offerings = new UpstreamOffers(server);
  const before = offerings.tools();
  offerings.drop();
  void offerings.tools().catch(() => {});
  held.shift()?.();
  await assert.rejects(before);
  void offerings.tools().catch(() => {});
  assert.equal(held.length, 1);
});

test('a server that hangs is called off, and may do better next time', async () => {
  const clock = new TurnedClock();
  const signals: AbortSignal[] = [];
  let isHanging = true;
  const forward = ({ signal }: ForwardedRequest) => {
    signals.push(signal!);
    const result = { tools: [{ name: 'a' }] };
    return isHanging ? new Promise<never>(() => {}) : Promise.resolve(result);
  };
  const offerings = new UpstreamOffers({ capabilities: everything, forward }, clock.after);
  const listing = offerings.tools();
  clock.pass(9999);
  assert.equal(signals[0]?.aborted, false);
  clock.pass(1);
  await assert.rejects(listing, { message: 'It did not answer tools/list within 10 seconds.' });
  assert.equal(signals[0]?.aborted, true);
  isHanging = false;
  assert.deepEqual(await offerings.tools(), [{ name: 'a' }]);
  assert.equal(clock.waiting, 0);
});

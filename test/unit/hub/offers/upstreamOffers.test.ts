import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { UpstreamOffers } from '../../../../src/hub/offers/upstreamOffers.ts';
import type { ForwardedRequest } from '../../../../src/mcp/link/forwarding.ts';
import type { RawResult } from '../../../../src/server/hubHost.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

const everything = { tools: {} };
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

type Page = Readonly<Record<string, unknown>>;

/** A server that answers each request by the function, and records all requests. */
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

test('passes the list of a server on unchanged', async () => {
  const inputSchema = { type: 'object', $defs: { x: {} }, 'x-more': [1] };
  const odd = { name: 'read', inputSchema, outputSchema: {}, _meta: { a: 1 }, unheardOf: null };
  const server = fake(() => ({ tools: [odd], ttlMs: 1 }));
  const offerings = new UpstreamOffers(server);
  assert.deepEqual(await offerings.tools(), [odd]);
  assert.deepEqual(server.asked, ['tools/list']);
  assert.equal(offerings.toolsRemark, undefined);
});

test('asks for no tools of a server that declared none', async () => {
  const server = { ...fake(() => ({ tools: [tool('a')] })), capabilities: {} };
  assert.deepEqual(await new UpstreamOffers(server).tools(), []);
  assert.deepEqual(server.asked, []);
});

test('reads all pages once', async () => {
  const server = fake(({ params: { cursor } }) =>
    cursor === undefined
      ? { tools: [tool('a')], nextCursor: 'x' }
      : { tools: [tool('b')], ...(cursor === 'x' && { nextCursor: 'y' }) },
  );
  const offerings = new UpstreamOffers(server);
  const both = await Promise.all([offerings.tools(), offerings.tools()]);
  assert.deepEqual(both[0], [tool('a'), tool('b')]);
  assert.equal(both[1], both[0]);
  assert.equal(await offerings.tools(), both[0]);
  assert.equal(offerings.knownTools, both[0]);
  assert.deepEqual(server.asked, ['tools/list', 'tools/list x', 'tools/list y']);
  // Of the last page `b` is there already.
  assert.equal(offerings.toolsRemark, undefined);
});

test('passes on an answer from before a change, and does not keep it', async () => {
  const { server, release } = heldAnswers();
  const offerings = new UpstreamOffers(server);
  const before = offerings.tools();
  offerings.drop();
  const after = offerings.tools();
  release({ tools: [tool('old')] });
  assert.deepEqual(await before, [tool('old')]);
  assert.equal(offerings.knownTools, undefined);
  release({ tools: [tool('new')] });
  assert.deepEqual(await after, [tool('new')]);
  assert.deepEqual(offerings.knownTools, [tool('new')]);
});

test('leaves out an unusable entry, and names it', async () => {
  const unusable = [null, 'a', [], { title: 'c' }, { name: 7 }, { name: '' }];
  const tools = [
    ...[{ ...tool('a'), title: 'b' }, ...unusable, tool('a')],
    ...[{ name: 'd', inputSchema: { type: 'string' } }, tool('e'), tool('e')],
  ];
  const offeringsOf = (tools: unknown) => new UpstreamOffers(fake(() => ({ tools })));
  for (const none of [undefined, null, 'a', { 0: tool('a'), length: 1 }]) {
    assert.deepEqual(await offeringsOf(none).tools(), []);
  }
  const offerings = offeringsOf(tools);
  assert.deepEqual(await offerings.tools(), [tools[0], tool('e')]);
  // Each kind of entry once: how many, and which.
  assert.deepEqual(offerings.toolsRemark?.match(/^\d+|"[a-z]"/g), ['8', '"c"', '"a"', '"d"']);
});

test('uses a list without a proper end as far as it came, with the reason', async () => {
  const page = (params: Page, nextCursor = 'x') => ({
    tools: [tool(`${params['cursor'] ?? 'a'}`)],
    nextCursor,
  });
  let last = 0;
  const odd: Readonly<Record<string, readonly [number, Parameters<typeof fake>[0]]>> = {
    repeats: [2, ({ params }) => page(params)],
    breaksOff: [
      1,
      ({ params }) => ('cursor' in params ? Promise.reject(new Error('Too far')) : page(params)),
    ],
    isEndless: [100, ({ params }) => page(params, `${++last}`)],
  };
  const remarks = new Map<string, string | undefined>();
  for (const [what, [count, answer]] of Object.entries(odd)) {
    const server = fake(answer);
    const offerings = new UpstreamOffers(server);
    assert.equal((await offerings.tools()).length, count, what);
    assert.ok(server.asked.length <= 100);
    remarks.set(what, offerings.toolsRemark);
  }
  assert.equal(new Set(remarks.values()).size, 3);
  assert.match(remarks.get('breaksOff') ?? '', /tools\/list .*: Too far$/);
});

test('passes an error of the server on unchanged, and asks for the list again', async () => {
  const error = Object.assign(new Error('Not now'), { code: -32000, data: 1 });
  let isBroken = true;
  const server = fake(() => (isBroken ? Promise.reject(error) : { tools: [tool('a')] }));
  const offerings = new UpstreamOffers(server);
  const isThat = (thrown: unknown) => thrown === error;
  await Promise.all([
    assert.rejects(offerings.tools(), isThat),
    assert.rejects(offerings.tools(), isThat),
  ]);
  assert.equal(offerings.knownTools, undefined);
  assert.deepEqual(server.asked, ['tools/list']);
  isBroken = false;
  assert.deepEqual(await offerings.tools(), [tool('a')]);
});

test('keeps a request from after a change when an older one fails', async () => {
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

test('cancels the request to a hanging server, and asks again the next time', async () => {
  const clock = new TurnedClock();
  const signals: AbortSignal[] = [];
  let isHanging = true;
  const forward = ({ signal }: ForwardedRequest) => {
    signals.push(signal!);
    const result = { tools: [tool('a')] };
    const calledOff = once(signal!, 'abort').then(() => Promise.reject(signal?.reason));
    return isHanging ? calledOff : Promise.resolve(result);
  };
  const offerings = new UpstreamOffers({ capabilities: everything, forward }, clock.after);
  const listing = offerings.tools();
  clock.pass(9999);
  assert.equal(signals[0]?.aborted, false);
  clock.pass(1);
  await assert.rejects(listing, /tools\/list within 10 seconds/);
  assert.equal(signals[0]?.aborted, true);
  isHanging = false;
  assert.deepEqual(await offerings.tools(), [tool('a')]);
  assert.equal(clock.waiting, 0);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Connector, type Reached } from '../../../src/connect/connector.ts';
import type { KnownSnapshot, Snapshot } from '../../../src/connect/snapshot.ts';
import { TurnedClock } from '../../support/turnedClock.ts';

type Line = Readonly<Record<string, unknown>>;

const revision = '2025-06-18';
const params = {
  protocolVersion: revision,
  capabilities: { elicitation: {} },
  clientInfo: { name: 'c', version: '1' },
};
const result = {
  protocolVersion: revision,
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'files', version: '1' },
};
const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't' } });
const tools = { tools: [{ name: 't', inputSchema: { type: 'object' } }] };
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const snapshot: Snapshot = {
  identity: 'i',
  answers: { [`initialize ${revision}`]: result, 'tools/list legacy': tools },
};

/** What a connector's client sees and its gateways get, with a clock that stands. */
class Scene {
  readonly clock = new TurnedClock();
  /** What the client got since it was looked at last. */
  private written: Line[] = [];
  readonly reported: string[] = [];
  /** What each gateway got. */
  readonly links: FakeLink[] = [];
  snapshot: Snapshot | undefined;
  /** Whether a window of the client's own said it. */
  isOfWindow = true;
  next: 'join' | Exclude<Reached, { link: unknown }> = 'join';
  meant: string | undefined = 'w';
  /** What the gateway says right behind its welcome. */
  first: readonly object[] = [];
  tries = 0;
  isEnded = false;
  readonly connector: Connector;

  constructor(options: { readonly needsRoots?: boolean } = {}) {
    this.connector = new Connector({
      label: 'files',
      needsRoots: options.needsRoots ?? false,
      write: lines => void this.written.push(...parsed(lines)),
      reach: async () => {
        this.tries += 1;
        if (this.next !== 'join') {
          return this.next;
        }
        const link = new FakeLink(this.meant ?? 'w', this.first);
        this.links.push(link);
        return { link };
      },
      meant: async () => this.meant,
      known: async (): Promise<KnownSnapshot | undefined> => {
        const { snapshot, isOfWindow } = this;
        return snapshot && { snapshot, isOfWindow };
      },
      after: this.clock.after,
      report: sentence => void this.reported.push(sentence),
      end: () => {
        this.isEnded = true;
      },
    });
  }

  get link(): FakeLink {
    return this.links.at(-1)!;
  }

  /** What the client got meanwhile. */
  async seen(): Promise<Line[]> {
    await settled();
    return this.written.splice(0);
  }

  async start(): Promise<void> {
    this.connector.start();
    await settled();
  }

  async say(...messages: object[]): Promise<void> {
    this.connector.takeFromClient(Buffer.from(messages.map(line).join('')));
    await settled();
  }

  async pass(milliseconds: number): Promise<void> {
    this.clock.pass(milliseconds);
    await settled();
  }

  /** There is no window; one of the client's own may have said something before. */
  static async away(said?: Snapshot): Promise<Scene> {
    const scene = new Scene();
    scene.snapshot = said;
    scene.next = { away: 'No window.' };
    await scene.start();
    return scene;
  }

  /** A client has shaken hands with a server and named one revision. */
  static async opened(): Promise<Scene> {
    const scene = new Scene();
    await scene.start();
    await scene.say(initialize);
    scene.link.say({ jsonrpc: '2.0', id: 0, result });
    await scene.say(initialized);
    await scene.seen();
    scene.link.got();
    return scene;
  }

  /** Comes back with a server that says the same of itself. */
  async reopened(answer: Line = { result }): Promise<void> {
    await this.pass(100);
    const [replay] = this.link.got();
    assert.equal(replay?.['method'], 'initialize');
    this.link.say({ jsonrpc: '2.0', id: replay?.['id'], ...answer });
    await settled();
  }
}

class FakeLink {
  readonly window: string;
  private sent: Line[] = [];
  private onLines: (lines: Buffer) => void = () => {};
  private onGone: () => void = () => {};
  isClosed = false;

  private readonly first: readonly object[];

  constructor(window: string, first: readonly object[]) {
    this.window = window;
    this.first = first;
  }

  send(lines: Buffer | string): void {
    this.sent.push(...parsed(lines));
  }

  listen(onLines: (lines: Buffer) => void, onGone: () => void): void {
    this.onLines = onLines;
    this.onGone = onGone;
    if (this.first.length > 0) {
      this.say(...this.first);
    }
  }

  close(): void {
    this.isClosed = true;
  }

  got(): Line[] {
    return this.sent.splice(0);
  }

  say(...messages: object[]): void {
    this.onLines(Buffer.from(messages.map(line).join('')));
  }

  leave(): void {
    this.onGone();
  }
}

function line(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

function parsed(lines: Buffer | string): Line[] {
  const text = lines.toString();
  assert.ok(text.endsWith('\n'));
  return text
    .slice(0, -1)
    .split('\n')
    .map(one => JSON.parse(one));
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) {
    await turn();
  }
}

function failure(id: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code: -32000, message } };
}

const lost =
  'The server "files" went away during this call. Whether the call did its work is not known.';

describe('while the gateway is there', () => {
  test('every byte passes, both ways', async () => {
    const scene = new Scene();
    await scene.start();
    await scene.say(initialize, initialized, list);
    assert.deepEqual(scene.link.got(), [initialize, initialized, list]);
    scene.link.say({ jsonrpc: '2.0', id: 0, result }, { jsonrpc: '2.0', id: 1, result: tools });
    assert.deepEqual(await scene.seen(), [
      { jsonrpc: '2.0', id: 0, result },
      { jsonrpc: '2.0', id: 1, result: tools },
    ]);
    await scene.pass(60_000);
    assert.deepEqual(await scene.seen(), []);
    assert.equal(scene.clock.waiting, 0);
  });

  test('a first start waits for the server as long as it takes', async () => {
    const scene = new Scene();
    await scene.start();
    await scene.say(initialize);
    await scene.pass(60_000);
    assert.deepEqual(await scene.seen(), []);
  });
});

describe('while the gateway is away', () => {
  test('the snapshot answers what it knows, and calls wait for 15 seconds from the start', async () => {
    const scene = await Scene.away(snapshot);
    await scene.say({ ...list, id: 9, method: 'server/discover' });
    assert.deepEqual(
      (await scene.seen()).map(({ id, error }) => [id, (error as Line)['code']]),
      [[9, -32601]],
    );
    await scene.say(initialize, initialized, list, { ...list, id: 2, method: 'ping' }, call(3));
    assert.deepEqual(await scene.seen(), [
      { jsonrpc: '2.0', id: 0, result },
      { jsonrpc: '2.0', id: 1, result: tools },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
    await scene.pass(14_999);
    assert.deepEqual(await scene.seen(), []);
    await scene.pass(1);
    assert.deepEqual(await scene.seen(), [failure(3, 'No window.')]);
    assert.deepEqual(scene.reported, ['No window.']);
  });

  test('after that, a call is one more try and then fails at once', async () => {
    const scene = await Scene.away(snapshot);
    await scene.pass(15_000);
    const before = scene.tries;
    await scene.say(call(1));
    assert.deepEqual(await scene.seen(), [failure(1, 'No window.')]);
    assert.equal(scene.tries, before + 1);
    scene.next = 'join';
    await scene.say(call(2));
    assert.deepEqual(scene.link.got(), [call(2)]);
  });

  test('a list of other things than tools that nobody knows is not waited for', async () => {
    const scene = await Scene.away(snapshot);
    await scene.say(initialize, initialized);
    await scene.seen();
    const lists = ['resources/templates/list', 'resources/list', 'prompts/list'];
    await scene.say(...lists.map((method, id) => ({ ...list, id, method })));
    assert.deepEqual(
      await scene.seen(),
      lists.map((_, id) => failure(id, 'No window.')),
    );
  });

  test('where none was that could come back, it is said at once, and found when it opens', async () => {
    const scene = await Scene.away();
    await scene.say(initialize);
    assert.deepEqual(await scene.seen(), [failure(0, 'No window.')]);
    scene.next = 'join';
    await scene.pass(100);
    await scene.say(initialize);
    assert.deepEqual(scene.link.got(), [initialize]);
  });

  test('what a window elsewhere said answers at once, and a call is waited with for nothing', async () => {
    const scene = new Scene();
    scene.snapshot = snapshot;
    scene.isOfWindow = false;
    scene.next = { away: 'No window holds it.' };
    await scene.start();
    await scene.say(initialize, initialized, list, call(2));
    assert.deepEqual(
      new Set(await scene.seen()),
      new Set([
        failure(2, 'No window holds it.'),
        { jsonrpc: '2.0', id: 0, result },
        { jsonrpc: '2.0', id: 1, result: tools },
      ]),
    );
  });

  test('one that was found and then ended is waited for', async () => {
    const scene = new Scene();
    scene.next = { away: 'It does not answer.', isExpected: true };
    await scene.start();
    await scene.say(initialize);
    await scene.pass(14_999);
    assert.deepEqual(await scene.seen(), []);
    await scene.pass(1);
    assert.deepEqual(await scene.seen(), [failure(0, 'It does not answer.')]);
  });

  test('what was held reaches the server when it is back, but what was called off', async () => {
    const scene = await Scene.away(snapshot);
    await scene.say(initialize, initialized, call(1), call(2));
    await scene.say({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    await scene.seen();
    scene.next = 'join';
    await scene.pass(100);
    const [replay] = scene.link.got();
    assert.deepEqual(replay?.['params'], params);
    scene.link.say({ jsonrpc: '2.0', id: replay?.['id'], result });
    assert.deepEqual(scene.link.got(), [initialized, call(2)]);
    assert.deepEqual(await scene.seen(), [changed]);
  });
});

describe('when the client has closed its end', () => {
  test('what it asked is answered, and the server is told that no question will be', async () => {
    const scene = await Scene.opened();
    const question = { jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: {} };
    const refusal = (id: unknown) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32000, message: 'The client has closed its end.' },
    });
    scene.link.say(question);
    await scene.say(call(2), { jsonrpc: '2.0', id: 3, method: 'subscriptions/listen' });
    await scene.seen();
    scene.link.got();
    const finished = scene.connector.finish();
    scene.link.say({ ...question, id: 1 });
    assert.deepEqual(scene.link.got(), [refusal(0), refusal(1)]);
    const answer = { jsonrpc: '2.0', id: 2, result: {} };
    scene.link.say(answer);
    await finished;
    assert.deepEqual(await scene.seen(), [answer]);
  });

  test('what is not answered within 5 seconds fails', async t => {
    const scene = await Scene.opened();
    await scene.say(call(2));
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const finished = scene.connector.finish();
    t.mock.timers.tick(4_999);
    assert.deepEqual(await scene.seen(), []);
    t.mock.timers.tick(1);
    await finished;
    const why =
      'The client closed its end 5 seconds ago, and the server "files" has not answered since.';
    scene.link.say({ jsonrpc: '2.0', id: 2, result: {} });
    assert.deepEqual(await scene.seen(), [failure(2, why)]);
    assert.equal(scene.link.isClosed, true);
  });

  test('what waits for a window then is told that there is none', async t => {
    const scene = await Scene.opened();
    scene.link.leave();
    scene.next = { away: 'No window.' };
    await scene.say(call(2));
    await scene.pass(100);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const finished = scene.connector.finish();
    t.mock.timers.tick(5_000);
    await finished;
    assert.deepEqual(await scene.seen(), [failure(2, 'No window.')]);
  });
});

test('a request is answered when one of its id waits already', async () => {
  const scene = await Scene.opened();
  scene.link.leave();
  await scene.say(call(2), list, list);
  const message = 'A request of this id has no answer yet: each has an id of its own.';
  assert.deepEqual(await scene.seen(), [
    { jsonrpc: '2.0', id: 1, error: { code: -32600, message } },
  ]);
  await scene.reopened();
  assert.deepEqual(scene.link.got(), [initialized, call(2), list]);
});

describe('a gateway that refuses', () => {
  test('is believed at once, and asked again with the next call', async () => {
    const scene = new Scene();
    scene.snapshot = snapshot;
    scene.next = { refused: 'Not allowed.' };
    await scene.start();
    await scene.say(initialize, initialized, list, call(2));
    assert.deepEqual(
      new Set(await scene.seen()),
      new Set([
        { jsonrpc: '2.0', id: 0, result },
        { jsonrpc: '2.0', id: 1, result: tools },
        failure(2, 'Not allowed.'),
      ]),
    );
    const tries = scene.tries;
    await scene.pass(60_000);
    assert.equal(scene.tries, tries);
    scene.next = 'join';
    await scene.say(call(3));
    const [replay] = scene.link.got();
    scene.link.say({ jsonrpc: '2.0', id: replay?.['id'], result });
    assert.deepEqual(scene.link.got(), [initialized, call(3)]);
  });

  test('right behind its welcome is asked again with the next call', async () => {
    const scene = new Scene();
    const message = '"files" has ended.';
    scene.first = [{ mcpRoots: 'bye', passedOn: [], message }];
    await scene.start();
    await scene.say(initialize);
    assert.deepEqual(await scene.seen(), [failure(0, message)]);
    scene.first = [];
    await scene.say(initialize);
    assert.deepEqual(scene.link.got(), [initialize]);
  });
});

describe('when the gateway is lost', () => {
  test('the server is told again what it knew, and the client that lists may be others', async () => {
    const scene = await Scene.opened();
    const level = { jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'info' } };
    const subscribe = (id: number, uri: string, method = 'resources/subscribe') => ({
      ...{ jsonrpc: '2.0', id, method, params: { uri } },
    });
    await scene.say(
      level,
      subscribe(2, 'a:'),
      subscribe(3, 'b:'),
      subscribe(4, 'a:', 'resources/unsubscribe'),
    );
    scene.link.say(...[1, 2, 3, 4].map(id => ({ jsonrpc: '2.0', id, result: {} })));
    await scene.seen();
    scene.link.leave();
    await scene.reopened();
    const told = scene.link.got();
    assert.deepEqual(
      told.map(({ method, params }) => [method, params]),
      [
        ['notifications/initialized', undefined],
        ['logging/setLevel', { level: 'info' }],
        ['resources/subscribe', { uri: 'b:' }],
      ],
    );
    scene.link.say(...told.slice(1).map(({ id }) => ({ jsonrpc: '2.0', id, result: {} })));
    assert.deepEqual(await scene.seen(), [changed]);
    await scene.say(call(5));
    assert.deepEqual(scene.link.got(), [call(5)]);
  });

  test('calls under way fail, and other requests are asked again', async () => {
    const scene = await Scene.opened();
    await scene.say(call(3), list);
    await scene.say(call(2));
    scene.link.leave();
    assert.deepEqual(await scene.seen(), [failure(3, lost), failure(2, lost)]);
    await scene.reopened();
    assert.deepEqual(scene.link.got(), [initialized, list]);
  });

  test('calls that the gateway did not pass on are made again', async () => {
    const scene = await Scene.opened();
    await scene.say(call(2), call(3));
    scene.link.say({ mcpRoots: 'bye', passedOn: [2] });
    assert.deepEqual(await scene.seen(), [failure(2, lost)]);
    assert.equal(scene.link.isClosed, true);
    await scene.reopened();
    assert.deepEqual(scene.link.got(), [initialized, call(3)]);
  });

  test('answers that came with the goodbye count', async () => {
    const scene = await Scene.opened();
    await scene.say(call(2));
    const answer = { jsonrpc: '2.0', id: 2, result: {} };
    scene.link.say(answer, { mcpRoots: 'bye', passedOn: [] });
    assert.deepEqual(await scene.seen(), [answer]);
  });

  test('questions under way are called off, but not one that was answered or called off', async () => {
    const scene = await Scene.opened();
    const ids = ['a', 'b', 'c'];
    scene.link.say(...ids.map(id => ({ jsonrpc: '2.0', id, method: 'elicitation/create' })));
    await scene.say({ jsonrpc: '2.0', id: 'a', result: { action: 'decline' } });
    const params = { requestId: 'b' };
    scene.link.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    await scene.seen();
    scene.link.leave();
    assert.deepEqual(
      (await scene.seen()).map(({ method, params }) => [method, (params as Line)['requestId']]),
      [['notifications/cancelled', 'c']],
    );
  });

  test('a server that is another one then ends the connector with a sentence', async () => {
    for (const answer of [
      { result: { ...result, protocolVersion: '2025-03-26' } },
      { result: { ...result, capabilities: {} } },
    ]) {
      const scene = await Scene.opened();
      scene.link.leave();
      await scene.say(call(1));
      await scene.reopened(answer);
      const [{ error } = {}] = await scene.seen();
      assert.match(
        String((error as Line)['message']),
        /^The server "files" has changed .*Start it again/,
      );
      assert.equal(scene.isEnded, true);
    }
  });

  test('a list is answered from the snapshot when there is no window to come back to', async () => {
    const scene = await Scene.opened();
    scene.snapshot = snapshot;
    scene.link.leave();
    scene.next = { away: 'No window.' };
    await scene.say(list);
    assert.deepEqual(await scene.seen(), []);
    await scene.pass(100);
    assert.deepEqual(await scene.seen(), [{ jsonrpc: '2.0', id: 1, result: tools }]);
  });

  test('a refusal then ends the wait', async () => {
    const scene = await Scene.opened();
    scene.link.leave();
    scene.next = { refused: 'Not any more.' };
    await scene.say(call(1));
    await scene.pass(100);
    assert.deepEqual(await scene.seen(), [failure(1, 'Not any more.')]);
  });
});

describe('the roots of a client', () => {
  const rooted = {
    ...initialize,
    params: { ...params, capabilities: { roots: { listChanged: true } } },
  };
  const question = async (scene: Scene) => {
    await scene.start();
    await scene.say(rooted);
    scene.link.say({ jsonrpc: '2.0', id: 0, result });
    await scene.say(initialized, list, call(2));
    const asked = (await scene.seen()).find(({ method }) => method === 'roots/list');
    return { jsonrpc: '2.0', id: asked?.['id'], result: { roots: [{ uri: 'file:///b' }] } };
  };

  test('are waited for with calls, and leave it where it is', async () => {
    const scene = new Scene({ needsRoots: true });
    const answer = await question(scene);
    assert.deepEqual(scene.link.got(), [rooted, initialized, list]);
    await scene.say(answer);
    assert.deepEqual(scene.link.got(), [call(2)]);
    assert.equal(scene.links.length, 1);
  });

  test('lead to another window', async () => {
    const scene = new Scene({ needsRoots: true });
    const answer = await question(scene);
    scene.meant = 'b';
    await scene.say(answer);
    await scene.reopened();
    assert.deepEqual(scene.link.got(), [initialized, list, call(2)]);
    assert.deepEqual(
      scene.links.map(({ window, isClosed }) => [window, isClosed]),
      [
        ['w', true],
        ['b', false],
      ],
    );
  });

  test('are not waited for longer than a second', async () => {
    const scene = new Scene({ needsRoots: true });
    await question(scene);
    scene.link.got();
    await scene.pass(1_000);
    assert.deepEqual(scene.link.got(), [call(2)]);
  });

  test('are not waited for when the client has closed its end', async () => {
    const scene = new Scene({ needsRoots: true });
    await question(scene);
    scene.link.got();
    const finished = scene.connector.finish();
    assert.deepEqual(scene.link.got(), [call(2)]);
    scene.link.say({ jsonrpc: '2.0', id: 1, result: tools }, { jsonrpc: '2.0', id: 2, result: {} });
    await finished;
  });

  test('count when they are named late', async () => {
    const scene = new Scene({ needsRoots: true });
    const answer = await question(scene);
    await scene.pass(1_000);
    scene.meant = 'b';
    await scene.say(answer);
    await scene.reopened();
    assert.deepEqual(
      scene.links.map(({ window }) => window),
      ['w', 'b'],
    );
  });

  test('are asked for when its handshake is answered, and calls wait from its notice on', async () => {
    const scene = new Scene({ needsRoots: true });
    await scene.start();
    await scene.say(rooted, initialized, call(2));
    assert.deepEqual(await scene.seen(), []);
    scene.link.say({ jsonrpc: '2.0', id: 0, result });
    assert.deepEqual(
      (await scene.seen()).map(({ id, method }) => method ?? id),
      [0, 'roots/list'],
    );
    assert.deepEqual(scene.link.got(), [rooted, initialized]);
  });

  test('are not asked for when the window is named', async () => {
    const scene = new Scene();
    const { id } = await question(scene);
    assert.equal(id, undefined);
  });
});

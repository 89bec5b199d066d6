import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { idIsTaken } from '../../../src/base/openRequests.ts';
import { Connector } from '../../../src/connect/connector.ts';
import type { NotReached } from '../../../src/connect/gatewayLink.ts';
import type { KnownSnapshot, Snapshot } from '../../../src/connect/snapshot.ts';
import { said } from '../../support/texts.ts';
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
const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' };
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const snapshot: Snapshot = {
  identity: 'i',
  answers: { [`initialize ${revision}`]: result, 'tools/list legacy': tools },
};

/** The messages of a connector's client and gateways, with a stopped clock. */
class Scene {
  readonly clock = new TurnedClock();
  /** The messages that the client got since the last look. */
  private written: Line[] = [];
  readonly reported: string[] = [];
  /** The messages of each gateway. */
  readonly links: FakeLink[] = [];
  snapshot: Snapshot | undefined;
  /** Whether a window of this client said it. */
  isOfWindow = true;
  next: 'join' | NotReached = 'join';
  meant: string | undefined = 'w';
  /** The gateway's lines right after its welcome. */
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

  /** The messages that the client got meanwhile. */
  async seen(): Promise<Line[]> {
    await settled();
    return this.written.splice(0);
  }

  async start(): Promise<void> {
    this.connector.start();
    await settled();
  }

  async say(...messages: object[]): Promise<void> {
    for (const message of messages) {
      this.connector.takeFromClient(line(message));
    }
    await settled();
  }

  async pass(milliseconds: number): Promise<void> {
    this.clock.pass(milliseconds);
    await settled();
  }

  static async started(facts: Partial<Scene>, options = {}): Promise<Scene> {
    const scene = Object.assign(new Scene(options), facts);
    await scene.start();
    return scene;
  }

  /** No window is open; an earlier window of the client may have left a snapshot. */
  static away(said?: Snapshot): Promise<Scene> {
    return Scene.started({ snapshot: said, next: { away: 'No window.' } });
  }

  /** A client has shaken hands with a server and named one revision. */
  static async opened(): Promise<Scene> {
    const scene = await Scene.started({});
    await scene.say(initialize);
    scene.link.say(answer(0, result));
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
  private onLine: (line: Buffer) => void = () => {};
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

  listen(onLine: (line: Buffer) => void, onGone: () => void): void {
    this.onLine = onLine;
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
    for (const message of messages) {
      this.onLine(line(message));
    }
  }

  leave(): void {
    this.onGone();
  }
}

function line(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
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

function answer(id: unknown, result: object = {}) {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: number | string, message: string) {
  return { jsonrpc: '2.0', id, error: { code: -32000, message } };
}

/** The ids of these responses with why each failed. */
function failures(lines: readonly Line[]): unknown[] {
  return lines.map(({ id, error }) => [id, said(String((error as Line)['message']))]);
}

const lost = 'connector.withoutOutcome(connector.wentAway(files))';

describe('while the gateway is there', () => {
  test('passes every message, and waits for the server without a limit', async () => {
    const scene = await Scene.started({});
    await scene.say(initialize, initialized, list);
    assert.deepEqual(scene.link.got(), [initialize, initialized, list]);
    await scene.pass(60_000);
    assert.deepEqual(await scene.seen(), []);
    scene.link.say(answer(0, result), answer(1, tools));
    assert.deepEqual(await scene.seen(), [answer(0, result), answer(1, tools)]);
    await scene.pass(60_000);
    assert.deepEqual(await scene.seen(), []);
    assert.equal(scene.clock.waiting, 0);
  });
});

describe('while the gateway is away', () => {
  test('answers from the snapshot, and holds calls for 15 seconds', async () => {
    const scene = await Scene.away(snapshot);
    await scene.say({ ...list, id: 9, method: 'server/discover' });
    assert.deepEqual(
      (await scene.seen()).map(({ id, error }) => [id, (error as Line)['code']]),
      [[9, -32601]],
    );
    const others = ['ping', 'logging/setLevel'].map((method, at) => ({
      ...list,
      id: at + 4,
      method,
    }));
    await scene.say(initialize, initialized, list, ...others, call(3));
    const known = [answer(0, result), answer(1, tools), answer(4), answer(5)];
    assert.deepEqual(await scene.seen(), known);
    await scene.pass(14_999);
    assert.deepEqual(await scene.seen(), []);
    await scene.pass(1);
    assert.deepEqual(await scene.seen(), [failure(3, 'No window.')]);
    assert.deepEqual(scene.reported, ['No window.']);
  });

  test('acknowledges a subscription once and passes it on later', async () => {
    const scene = await Scene.away();
    const subscription = { ...list, id: 'listen:1', method: 'subscriptions/listen' };
    await scene.say(subscription);
    await scene.pass(15_000);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'listen:1' };
    const method = 'notifications/subscriptions/acknowledged';
    assert.deepEqual(await scene.seen(), [
      { jsonrpc: '2.0', method, params: { _meta, notifications: {} } },
    ]);
    scene.next = 'join';
    await scene.pass(1_000);
    assert.deepEqual(scene.link.got(), [subscription]);
    scene.next = { away: 'No window.' };
    scene.link.leave();
    await scene.pass(15_000);
    assert.deepEqual(await scene.seen(), []);
    scene.next = { refused: 'No.' };
    await scene.pass(1_000);
    assert.deepEqual(await scene.seen(), [failure('listen:1', 'No.')]);
  });

  test('a later call tries once and fails at once', async () => {
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

  test('fails unknown lists of prompts and resources at once', async () => {
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

  test('fails at once when no window is expected, and finds a window later', async () => {
    const scene = await Scene.away();
    await scene.say(initialize);
    assert.deepEqual(await scene.seen(), [failure(0, 'No window.')]);
    scene.next = 'join';
    await scene.pass(100);
    await scene.say(initialize);
    assert.deepEqual(scene.link.got(), [initialize]);
  });

  test('answers for a window elsewhere, and fails calls at once', async () => {
    const next = { away: 'No window holds it.' };
    const scene = await Scene.started({ snapshot, isOfWindow: false, next });
    await scene.say(initialize, initialized, list, call(2));
    const known = [answer(0, result), answer(1, tools)];
    assert.deepEqual(new Set(await scene.seen()), new Set([...known, failure(2, next.away)]));
  });

  test('waits for a known window that ended', async () => {
    const scene = await Scene.started({ next: { away: 'It does not answer.', isExpected: true } });
    await scene.say(initialize);
    await scene.pass(14_999);
    assert.deepEqual(await scene.seen(), []);
    await scene.pass(1);
    assert.deepEqual(await scene.seen(), [failure(0, 'It does not answer.')]);
  });

  test('sends held calls when the server is back, except cancelled calls', async () => {
    const scene = await Scene.away(snapshot);
    await scene.say(initialize, initialized, call(1), call(2));
    await scene.say({ ...cancelled, params: { requestId: 1 } });
    await scene.seen();
    scene.next = 'join';
    await scene.pass(100);
    const [replay] = scene.link.got();
    assert.deepEqual(replay?.['params'], params);
    scene.link.say(answer(replay?.['id'], result));
    assert.deepEqual(scene.link.got(), [initialized, call(2)]);
    assert.deepEqual(await scene.seen(), [changed]);
  });
});

describe('when the client has closed its end', () => {
  test('answers its requests and refuses questions', async () => {
    const scene = await Scene.opened();
    const question = { jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: {} };
    scene.link.say(question);
    await scene.say(call(2), { jsonrpc: '2.0', id: 3, method: 'subscriptions/listen' });
    await scene.seen();
    scene.link.got();
    const finished = scene.connector.finish();
    scene.link.say({ ...question, id: 1 });
    const refusals = [0, 1].map(id => failure(id, 'The client closed its input.'));
    assert.deepEqual(scene.link.got(), refusals);
    scene.link.say(answer(2));
    await finished;
    assert.deepEqual(await scene.seen(), [answer(2)]);
  });

  test('fails requests without an answer within 5 seconds', async t => {
    const scene = await Scene.opened();
    await scene.say(call(2));
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const finished = scene.connector.finish();
    t.mock.timers.tick(4_999);
    assert.deepEqual(await scene.seen(), []);
    t.mock.timers.tick(1);
    await finished;
    scene.link.say(answer(2));
    assert.deepEqual(failures(await scene.seen()), [[2, 'connector.Connector(files, 5)']]);
    assert.equal(scene.link.isClosed, true);
  });

  test('says that no window is open', async t => {
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

test('refuses a request with an open id', async () => {
  const scene = await Scene.opened();
  scene.link.leave();
  await scene.say(call(2), list, list);
  assert.deepEqual(await scene.seen(), [{ jsonrpc: '2.0', id: 1, error: idIsTaken }]);
  await scene.reopened();
  assert.deepEqual(scene.link.got(), [initialized, call(2), list]);
});

describe('a gateway that refuses', () => {
  test('is believed immediately, and asked again with the next call', async () => {
    const scene = await Scene.started({ snapshot, next: { refused: 'Not allowed.' } });
    await scene.say(initialize, initialized, list, call(2));
    const known = [answer(0, result), answer(1, tools)];
    assert.deepEqual(new Set(await scene.seen()), new Set([...known, failure(2, 'Not allowed.')]));
    const tries = scene.tries;
    await scene.pass(60_000);
    assert.equal(scene.tries, tries);
    scene.next = 'join';
    await scene.say(call(3));
    const [replay] = scene.link.got();
    scene.link.say(answer(replay?.['id'], result));
    assert.deepEqual(scene.link.got(), [initialized, call(3)]);
  });

  test('right behind its welcome is asked again with the next call', async () => {
    const message = '"files" has ended.';
    const scene = await Scene.started({ first: [{ mcpRoots: 'bye', passedOn: [], message }] });
    await scene.say(initialize);
    assert.deepEqual(await scene.seen(), [failure(0, message)]);
    scene.first = [];
    await scene.say(initialize);
    assert.deepEqual(scene.link.got(), [initialize]);
  });
});

describe('when the gateway is lost', () => {
  test('repeats level and subscriptions, and announces that lists may have changed', async () => {
    const scene = await Scene.opened();
    const requests = [
      ['logging/setLevel', { level: 'info' }],
      ['resources/subscribe', { uri: 'a:' }],
      ['resources/subscribe', { uri: 'b:' }],
      ['resources/unsubscribe', { uri: 'a:' }],
    ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    await scene.say(...requests);
    scene.link.say(...requests.map(({ id }) => answer(id)));
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
    scene.link.say(...told.slice(1).map(({ id }) => answer(id)));
    assert.deepEqual(await scene.seen(), [changed]);
    await scene.say(call(5));
    assert.deepEqual(scene.link.got(), [call(5)]);
  });

  test('fails calls under way and repeats other requests', async () => {
    const scene = await Scene.opened();
    await scene.say(call(3), list);
    await scene.say(call(2));
    scene.link.leave();
    assert.deepEqual(failures(await scene.seen()), [
      [3, lost],
      [2, lost],
    ]);
    await scene.reopened();
    assert.deepEqual(scene.link.got(), [initialized, list]);
  });

  test('repeats calls that the gateway did not pass on', async () => {
    const scene = await Scene.opened();
    await scene.say(call(2), call(3));
    scene.link.say({ mcpRoots: 'bye', passedOn: [2] });
    assert.deepEqual(failures(await scene.seen()), [[2, lost]]);
    assert.equal(scene.link.isClosed, true);
    await scene.reopened();
    assert.deepEqual(scene.link.got(), [initialized, call(3)]);
  });

  test('takes answers that arrive with the goodbye', async () => {
    const scene = await Scene.opened();
    await scene.say(call(2));
    scene.link.say(answer(2), { mcpRoots: 'bye', passedOn: [] });
    assert.deepEqual(await scene.seen(), [answer(2)]);
  });

  test('cancels open questions', async () => {
    const scene = await Scene.opened();
    const ids = ['a', 'b', 'c'];
    scene.link.say(...ids.map(id => ({ jsonrpc: '2.0', id, method: 'elicitation/create' })));
    await scene.say(answer('a', { action: 'decline' }));
    scene.link.say({ ...cancelled, params: { requestId: 'b' } });
    await scene.seen();
    scene.link.leave();
    assert.deepEqual(
      (await scene.seen()).map(({ method, params }) => [method, (params as Line)['requestId']]),
      [['notifications/cancelled', 'c']],
    );
  });

  test('ends when the server has changed', async () => {
    for (const answer of [
      { result: { ...result, protocolVersion: '2025-03-26' } },
      { result: { ...result, capabilities: {} } },
    ]) {
      const scene = await Scene.opened();
      scene.link.leave();
      await scene.say(call(1));
      await scene.reopened(answer);
      assert.deepEqual(failures(await scene.seen()), [[1, 'connector.hasChanged(files)']]);
      assert.equal(scene.isEnded, true);
    }
  });

  test('answers a list from the snapshot when no window comes back', async () => {
    const scene = await Scene.opened();
    scene.snapshot = snapshot;
    scene.link.leave();
    scene.next = { away: 'No window.' };
    await scene.say(list);
    assert.deepEqual(await scene.seen(), []);
    await scene.pass(100);
    assert.deepEqual(await scene.seen(), [answer(1, tools)]);
  });
});

describe('the roots of a client', () => {
  const rooted = {
    ...initialize,
    params: { ...params, capabilities: { roots: { listChanged: true } } },
  };
  /** Has a client name its roots when it is asked: the scene, and its answer. */
  const asked = async () => {
    const scene = await Scene.started({}, { needsRoots: true });
    await scene.say(rooted);
    scene.link.say(answer(0, result));
    await scene.say(initialized, list, call(2));
    const question = (await scene.seen()).find(({ method }) => method === 'roots/list');
    assert.deepEqual(scene.link.got(), [rooted, initialized, list]);
    return { scene, named: answer(question?.['id'], { roots: [{ uri: 'file:///b' }] }) };
  };

  test('hold calls until the client names them', async () => {
    const { scene, named } = await asked();
    await scene.say(named);
    assert.deepEqual(scene.link.got(), [call(2)]);
    assert.equal(scene.links.length, 1);
  });

  test('lead to another window, even when they come late', async () => {
    for (const [delay, waiting] of [[0, [call(2)]] as const, [1_000, []] as const]) {
      const { scene, named } = await asked();
      await scene.pass(delay);
      scene.meant = 'b';
      await scene.say(named);
      await scene.reopened();
      assert.deepEqual(scene.link.got(), [initialized, list, ...waiting]);
      const windows = scene.links.map(({ window, isClosed }) => `${window} ${isClosed}`);
      assert.deepEqual(windows, ['w true', 'b false']);
    }
  });

  test('are not waited for longer than a second', async () => {
    const { scene } = await asked();
    await scene.pass(1_000);
    assert.deepEqual(scene.link.got(), [call(2)]);
  });

  test('are not waited for when the client has closed its end', async () => {
    const { scene } = await asked();
    const finished = scene.connector.finish();
    assert.deepEqual(scene.link.got(), [call(2)]);
    scene.link.say(answer(1, tools), answer(2));
    await finished;
  });

  test('are asked for once the handshake is answered, unless the window is named', async () => {
    for (const [needsRoots, question] of [[true, ['roots/list']] as const, [false, []] as const]) {
      const scene = await Scene.started({}, { needsRoots });
      await scene.say(rooted, initialized, call(2));
      assert.deepEqual(await scene.seen(), []);
      scene.link.say(answer(0, result));
      const told = (await scene.seen()).map(({ id, method }) => method ?? id);
      assert.deepEqual(told, [0, ...question]);
      assert.deepEqual(scene.link.got(), [rooted, initialized, ...(needsRoots ? [] : [call(2)])]);
    }
  });
});

import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { within } from '../../src/base/timeLimit.ts';
import { connect, type Message, rootOf, toolCall } from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import { patience } from '../support/patience.ts';
import { type HttpAnswer, initializeRequest, RawHttpClient } from '../support/rawHttp.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { TurnedClock } from '../support/turnedClock.ts';

describe('a session over HTTP', { concurrency: true }, () => {
  test('asks for the roots on the stream of a call when no other is open', async t => {
    const { client, folder } = await begin(t);
    const call = await client.post(toolCall(2, 'read-file', { path: 'a.txt' }));
    await share(client, call, folder);
    equal((await call.next())?.result?.content[0]?.text, 'a');
    equal(await call.next(), undefined);
    // The roots are known now, so the next call asks nothing.
    const next = await client.post(toolCall(3, 'read-file', { path: 'a.txt' }));
    equal((await next.next())?.result?.content[0]?.text, 'a');
  });

  test('asks as soon as the client opens its stream, before any call', async t => {
    const { client, folder } = await begin(t);
    const stream = await client.listen();
    await share(client, stream, folder);
    const call = await client.post(toolCall(2, 'read-file', { path: 'a.txt' }));
    equal((await call.next())?.result?.content[0]?.text, 'a');
  });

  test('answers in JSON when a call takes no stream, and asks on the stream of the client', async t => {
    const { folder, url } = await begin(t);
    const client = new RawHttpClient(url, { Accept: 'application/json' });
    await client.initialize();
    const answer = await client.post(toolCall(2, 'read-file', { path: 'a.txt' }));
    match((await answer.next())?.result?.content[0]?.text ?? '', /no open stream/);
    equal((await client.listen()).status, 406);
    client.headers['Accept'] = 'text/event-stream';
    const stream = await client.listen();
    const answered = client.post(toolCall(3, 'read-file', { path: 'a.txt' }));
    await share(client, stream, folder);
    equal((await (await answered).next())?.result?.content[0]?.text, 'a');
  });

  test('asks on the stream of the client after a change, even if it opens late', async t => {
    const { client, folder } = await begin(t);
    const first = await client.post(toolCall(2, 'get-roots'));
    await share(client, first, folder);
    equal((await first.next())?.id, 2);
    const stream = await client.listen();
    await client.post({ method: 'notifications/roots/list_changed' });
    const call = await client.post(toolCall(3, 'read-file', { path: 'a.txt' }));
    const question = await nextQuestion(stream);
    await client.post({ id: question.id, result: { roots: [] } });
    equal((await call.next())?.result?.isError, true);
  });

  test('drops the roots at a change without a stream, and asks in the next call', async t => {
    const { client, folder, service } = await begin(t);
    const first = await client.post(toolCall(2, 'get-roots'));
    await share(client, first, folder);
    equal((await first.next())?.id, 2);
    equal((await client.post({ method: 'notifications/roots/list_changed' })).status, 202);
    const call = await client.post(toolCall(3, 'read-file', { path: 'a.txt' }));
    const question = await nextQuestion(call);
    await client.post({ id: question.id, result: { roots: [] } });
    equal((await call.next())?.result?.isError, true);
    match(service.logged.join('\n'), /no open stream/);
  });

  test('serves no call after it got the notice of a revoke', async t => {
    const { client, folder } = await begin(t);
    let roots = [rootOf(folder)];
    const read = async (id: number) => {
      const stream = await client.post(toolCall(id, 'read-file', { path: 'a.txt' }));
      let message = await stream.next();
      for (; message?.method === 'roots/list'; message = await stream.next()) {
        await client.post({ id: message.id, result: { roots } });
      }
      return message?.result?.isError === true ? 'refused' : message?.result?.content[0]?.text;
    };
    const reads = (from: number) =>
      Promise.all(Array.from({ length: 100 }, (_, index) => read(from + index)));
    deepEqual(new Set(await reads(100)), new Set(['a']));
    const racing = reads(200);
    roots = [];
    equal((await client.post({ method: 'notifications/roots/list_changed' })).status, 202);
    deepEqual(new Set(await reads(300)), new Set(['refused']));
    await racing;
  });

  test('stops waiting for an answer on a broken stream, and asks again the next time', async t => {
    const { client, folder, service } = await begin(t);
    const broken = await client.post(toolCall(2, 'get-roots'));
    equal((await broken.next())?.method, 'roots/list');
    broken.leave();
    while (!service.logged.some(line => /is broken/.test(line))) {
      // Nothing else of the session can be seen from here.
      await client.post({ method: 'notifications/roots/none' });
    }
    const call = await client.post(toolCall(3, 'read-file', { path: 'a.txt' }));
    await share(client, call, folder);
    equal((await call.next())?.result?.content[0]?.text, 'a');
  });

  test('ends the stream of a cancelled call', async t => {
    const { client } = await begin(t);
    const call = await client.post(toolCall(2, 'get-roots'));
    equal((await call.next())?.method, 'roots/list');
    await client.post({ method: 'notifications/cancelled', params: { requestId: 2 } });
    equal(await call.next(), undefined);
  });

  test('keeps the stream of a batch until all its calls are answered', async t => {
    const { client, folder } = await begin(t);
    const calls = [toolCall(2, 'get-roots'), toolCall(3, 'get-roots')];
    const batch = calls.map(call => ({ jsonrpc: '2.0', ...call }));
    const answer = await client.request('POST', JSON.stringify(batch));
    const { id } = await nextQuestion(answer);
    await client.post({ method: 'notifications/cancelled', params: { requestId: 3 } });
    await client.post({ id, result: { roots: [rootOf(folder)] } });
    deepEqual((await answer.next())?.result?.structuredContent?.['filePaths'], [folder]);
  });

  test('belongs to its client: an unknown id opens nothing, and no id is logged', async t => {
    const { client, url, service } = await begin(t);
    const own = client.headers['Mcp-Session-Id']!;
    match(own, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const id of [own.slice(1), `${own}0`, own.toUpperCase(), `${own}, ${own}`, '*']) {
      const stranger = new RawHttpClient(url, { 'Mcp-Session-Id': id });
      const answers = await Promise.all([
        stranger.post(toolCall(2, 'get-roots')),
        stranger.post({ id: 0, result: { roots: [rootOf('/')] } }),
        stranger.listen(),
        stranger.request('DELETE'),
      ]);
      deepEqual(
        answers.map(({ status }) => status),
        [404, 404, 404, 404],
      );
    }
    const without = await new RawHttpClient(url).post(toolCall(2, 'get-roots'));
    equal(without.status, 400);
    equal((await client.post({ id: 5, method: 'ping' })).status, 200);
    equal(service.logged.join('\n').includes(own), false);
  });

  test('ignores a modern request, even with its id', async t => {
    const { client, url, folder } = await begin(t);
    writeTree(folder, { 'other/b.txt': 'b' });
    const call = await client.post(toolCall(2, 'get-roots'));
    await share(client, call, folder);
    await call.next();
    const modern = await connect(t, 'SDK 2 (modern)', {
      roots: [rootOf(join(folder, 'other'))],
      http: { url, headers: { 'Mcp-Session-Id': client.headers['Mcp-Session-Id']! } },
    });
    const { structuredContent } = await modern.call('get-roots');
    deepEqual(structuredContent?.['filePaths'], [join(folder, 'other')]);
    const own = await client.post(toolCall(3, 'get-roots'));
    deepEqual((await own.next())?.result?.structuredContent?.['filePaths'], [folder]);
  });

  test('ends with all its streams when its client says so', async t => {
    const { client } = await begin(t);
    const stream = await client.listen();
    equal((await stream.next())?.method, 'roots/list');
    equal((await client.request('DELETE')).status, 200);
    equal(await stream.next(), undefined);
    equal((await client.post({ id: 2, method: 'ping' })).status, 404);
  });

  test('notices the end of a stream after a garbage collection', async t => {
    const { client, url } = await begin(t, {});
    const stream = await client.listen();
    await Promise.all(Array.from({ length: 99 }, () => beginAndListen(url)));
    await collectGarbage();
    equal((await new RawHttpClient(url).post(initializeRequest())).status, 503);
    stream.leave();
    let status = 503;
    while (status === 503) {
      // Nothing else of the session can be seen from here.
      ({ status } = await new RawHttpClient(url).post(initializeRequest()));
    }
    equal(await ping(client), 404);
  });

  test('is one of at most a hundred, and the next replaces the longest idle', async t => {
    const { client, url } = await begin(t, {});
    const busy = await beginAndListen(url);
    const idle = new RawHttpClient(url);
    await idle.initialize({});
    equal(await ping(client), 200);
    await Promise.all(Array.from({ length: 97 }, () => beginAndListen(url)));
    const statuses = () => Promise.all([busy, idle, client].map(ping));
    deepEqual(await statuses(), [200, 200, 200]);
    equal(await ping(idle), 200);
    equal(await ping(client), 200);
    await beginAndListen(url);
    deepEqual(await statuses(), [200, 404, 200]);
    await beginAndListen(url);
    deepEqual(await statuses(), [200, 404, 404]);
    const refused = await new RawHttpClient(url).post(initializeRequest());
    deepEqual([refused.status, refused.headers.get('retry-after')], [503, '60']);
    match((await refused.next())?.error?.message ?? '', / 100 /);
    equal((await busy.request('DELETE')).status, 200);
    equal((await new RawHttpClient(url).post(initializeRequest())).status, 200);
  });

  test('takes no place when it could not begin', async t => {
    const { url } = await begin(t);
    const picky = new RawHttpClient(url, { Accept: 'image/png' });
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => picky.post(initializeRequest())),
    );
    deepEqual(new Set(answers.map(({ status }) => status)), new Set([406]));
    equal((await new RawHttpClient(url).post(initializeRequest())).status, 200);
  });

  test('closes with the server, with its streams and those of modern clients', async t => {
    // On a clock that stands still, nothing is cut off because it takes long to end.
    const clock = new TurnedClock();
    const { client, url, service } = await begin(t, undefined, clock);
    const modern = await subscribe(url);
    equal((await modern.next())?.method, 'notifications/subscriptions/acknowledged');
    const [stream, call] = [await client.listen(), await client.post(toolCall(2, 'get-roots'))];
    const isClosed = await within(
      service.close().then(() => true),
      patience,
      false,
    );
    clock.pass(minute);
    equal(isClosed, true);
    // Whatever they carried before, they end as streams do, not as connections that break.
    for (const answer of [stream, call, modern]) {
      while (await answer.next()) {}
    }
    await rejects(fetch(url));
  });
});

const minute = 60_000;

/** A session of a client that has read nothing yet, with a stopped clock and a folder to share. */
async function begin(t: TestContext, capabilities?: object, clock = new TurnedClock()) {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const service = await startService(t, { after: clock.after });
  const client = new RawHttpClient(service.url);
  await client.initialize(capabilities);
  return { client, folder, service, url: service.url };
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Objects in use survive a collection within the same turn.
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await nextTurn();
  }
}

/** A client with a session that is not idle. */
async function beginAndListen(url: string): Promise<RawHttpClient> {
  const client = new RawHttpClient(url);
  await client.initialize({});
  await client.listen();
  return client;
}

async function ping(client: RawHttpClient): Promise<number> {
  const answer = await client.post({ id: 7, method: 'ping' });
  await answer.next();
  return answer.status;
}

/** The next message that is a request: notices of changes may come before it. */
async function nextQuestion(answer: HttpAnswer): Promise<Message> {
  for (;;) {
    const message = await answer.next();
    if (!message || (message.method !== undefined && message.id !== undefined)) {
      equal(message?.method, 'roots/list');
      return message as Message;
    }
  }
}

/** Waits until the client is asked for its roots, and names that folder. */
async function share(client: RawHttpClient, answer: HttpAnswer, folder: string): Promise<void> {
  const { id } = await nextQuestion(answer);
  const { status } = await client.post({ id, result: { roots: [rootOf(folder)] } });
  equal(status, 202);
}

/** Opens the stream that announces changes to a modern client. */
function subscribe(url: string): Promise<HttpAnswer> {
  const method = 'subscriptions/listen';
  const version = '2026-07-28';
  const client = new RawHttpClient(url, { 'MCP-Protocol-Version': version, 'Mcp-Method': method });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return client.post({ id: 1, method, params: { _meta, notifications: {} } });
}

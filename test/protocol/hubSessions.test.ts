import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  clients,
  rootOf,
  type TestRoot,
  type ToolResult,
  toolCall,
} from '../support/bundledServer.ts';
import { type HubClient, joinHub, startHubService } from '../support/hubHttp.ts';
import { argumentsServer, configOf, filesystemServer, plainServer } from '../support/hubServers.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { allGone, isAlive } from '../support/processes.ts';
import { initializeRequest, RawHttpClient } from '../support/rawHttp.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

for (const kind of clients) {
  describe(`sessions of one hub over HTTP: ${kind}`, { concurrency: 2 }, () => {
    test('with different roots have servers of their own, told of nothing else', async t => {
      const { hub, asked, told, one, two } = await begin(t);
      const first = await joinHub(t, hub, kind, [one]);
      const second = await joinHub(t, hub, kind, [two]);
      const [ofFirst, ofSecond] = await Promise.all([started(first), started(second)]);
      notEqual(ofFirst.pid, ofSecond.pid);
      deepEqual([ofFirst.folders, ofSecond.folders], [[one], [two]]);
      deepEqual([ofFirst.cwd, ofSecond.cwd], [one, two]);
      deepEqual(await rootsToldTo(first), [one]);
      deepEqual(await rootsToldTo(second), [two]);
      deepEqual(await rootsToldTo(first), [one]);
      const bytes = asked.recorded.pids().map(asked.recorded.bytesOf);
      equal(bytes.length, 2);
      equal(bytes.filter(text => text.includes(one)).length, 1);
      equal(bytes.filter(text => text.includes(two)).length, 1);
      equal(told.recorded.pids().length, 2);
    });

    test('with equal roots share their servers', async t => {
      const { hub, told, one, two } = await begin(t);
      const first = await joinHub(t, hub, kind, [one, two]);
      const second = await joinHub(t, hub, kind, [one, two]);
      equal((await started(first)).pid, (await started(second)).pid);
      equal(told.recorded.pids().length, 1);
      // The order is not the same list: relative paths start in the first.
      const third = await joinHub(t, hub, kind, [two, one]);
      deepEqual((await started(third)).folders, [two, one]);
      equal(told.recorded.pids().length, 2);
    });

    test('do not notice when the roots of another one change', async t => {
      const { hub, one, two } = await begin(t);
      const first = await joinHub(t, hub, kind, [one]);
      const second = await joinHub(t, hub, kind, [one]);
      const before = await started(first);
      equal((await started(second)).pid, before.pid);
      await first.setRoots([two]);
      deepEqual((await started(first)).folders, [two]);
      deepEqual(await started(second), before);
      deepEqual(await rootsToldTo(second), [one]);
      deepEqual(await rootsToldTo(first), [two]);
    });

    test('reach nothing through a server they shared when they share no folder any more', async t => {
      const { hub, one } = await begin(t);
      const first = await joinHub(t, hub, kind, [one]);
      const second = await joinHub(t, hub, kind, [one]);
      const read = (client: HubClient) =>
        client.through('files', 'read_text_file', { path: join(one, 'a.txt') });
      equal(textOf(await read(first)), 'a');
      equal(textOf(await read(second)), 'a');
      await first.setRoots([]);
      const refused = await read(first);
      equal(refused.isError, true);
      match(textOf(refused), /^Access denied: /);
      equal(textOf(await read(second)), 'a');
      const { folders } = await started(second);
      deepEqual(folders, [one]);
    });
  });
}

describe('a hub over HTTP', { concurrency: 2 }, () => {
  test('shares no server between clients that offer different things', async t => {
    const { hub, told, one } = await begin(t);
    const headers = { Authorization: `Bearer ${hub.token}` };
    const pids = [];
    for (const capabilities of [{}, { elicitation: {} }, { sampling: {} }, {}]) {
      const client = new RawHttpClient(hub.url, headers);
      await client.initialize({ roots: {}, ...capabilities });
      const args = { serverName: 'told', toolName: 'started', toolArgs: {} };
      const call = await client.post(toolCall(2, 'call-tool', args));
      let message = await call.next();
      for (; message?.method === 'roots/list'; message = await call.next()) {
        await client.post({ id: message.id, result: { roots: [rootOf(one)] } });
      }
      pids.push(JSON.parse(textOf(message!.result!)).pid);
    }
    equal(new Set(pids).size, 3);
    equal(pids[0], pids[3]);
    equal(told.recorded.pids().length, 3);
  });

  test('goes on with the servers of a session that ended for one that comes soon', async t => {
    const { hub, told, one } = await begin(t);
    const headers = { Authorization: `Bearer ${hub.token}` };
    const first = await joinHub(t, hub, 'SDK 1 (legacy)', [one]);
    const before = await started(first);
    await first.close();
    const raw = new RawHttpClient(hub.url, headers);
    await raw.initialize();
    equal((await raw.request('DELETE')).status, 200);
    const second = await joinHub(t, hub, 'SDK 1 (legacy)', [one]);
    deepEqual(await started(second), before);
    equal(told.recorded.pids().length, 1);
  });

  test('tells each session of a shared server what that says from the level on that it set', async t => {
    const talking = oddHubServer(t, { tools: [plainTool('log')] });
    const { hub, one } = await begin(t, { talking });
    const call = toolCall(3, 'call-tool', { serverName: 'talking', toolName: 'log' });
    const join = async (level: string) => {
      const client = new RawHttpClient(hub.url, { Authorization: `Bearer ${hub.token}` });
      await client.initialize();
      const stream = await client.listen();
      const question = await stream.next();
      await client.post({ id: question?.id, result: { roots: [rootOf(one)] } });
      await client.post({ id: 2, method: 'logging/setLevel', params: { level } });
      equal((await (await client.post(call)).next())?.id, 3);
      return { client, stream };
    };
    const hears = async ({ stream }: Awaited<ReturnType<typeof join>>, count: number) => {
      const said: unknown[] = [];
      while (said.length < count) {
        const { method, params } = (await stream.next())!;
        if (method === 'notifications/message') {
          said.push(params?.['data']);
        }
      }
      return said;
    };
    const high = ['critical', 'alert', 'emergency'];
    const most = ['info', 'notice', 'warning', 'error', ...high];
    const loud = await join('critical');
    deepEqual(await hears(loud, 3), high);
    const all = await join('debug');
    // The child has been asked for more since, of which the first session hears nothing.
    deepEqual(await hears(all, 8), ['debug', ...most]);
    deepEqual(await hears(loud, 3), high);
    await all.client.post({ id: 4, method: 'logging/setLevel', params: { level: 'info' } });
    await loud.client.post(call);
    deepEqual(await hears(all, 7), most);
    deepEqual(await hears(loud, 3), high);
    equal(talking.recorded.pids().length, 1);
  });

  test('tells neither its token nor the ids of sessions to its log or audit', async t => {
    const { hub, one } = await begin(t);
    const headers = { Authorization: `Bearer ${hub.token}` };
    const raw = new RawHttpClient(hub.url, headers);
    const id = await raw.initialize();
    ok(id.length > 10);
    const call = await raw.post(toolCall(2, 'call-tool', { serverName: 'told', toolName: 'echo' }));
    const question = await call.next();
    await raw.post({ id: question!.id, result: { roots: [rootOf(one)] } });
    equal((await call.next())?.id, 2);
    const wrong = new RawHttpClient(hub.url, { Authorization: 'Bearer guessed-token' });
    equal((await wrong.post(initializeRequest())).status, 401);
    const client = await joinHub(t, hub, 'SDK 2 (modern)', [one]);
    await started(client);
    const said = hub.stderr() + hub.audit();
    match(hub.audit(), /"event":"verdict"/);
    for (const secret of [hub.token, id, 'guessed-token']) {
      ok(!said.includes(secret), said);
    }
  });

  test('keeps no place for a session that ends before it has named its roots', async t => {
    const { hub, asked, one } = await begin(t);
    const join = async () => {
      const client = new RawHttpClient(hub.url, { Authorization: `Bearer ${hub.token}` });
      // Who can be asked shares servers with nobody.
      await client.initialize({ roots: {}, elicitation: {} });
      const args = { serverName: 'asked', toolName: 'answers' };
      const call = await client.post(toolCall(2, 'call-tool', args));
      return { client, call, question: await call.next() };
    };
    for (let session = 0; session < 33; session++) {
      const { client, question } = await join();
      equal(question?.method, 'roots/list');
      await client.request('DELETE');
    }
    const { client, call, question } = await join();
    await client.post({ id: question?.id, result: { roots: [rootOf(one)] } });
    equal((await call.next())?.result?.isError, undefined);
    equal(asked.recorded.pids().length, 1);
  });

  test('leaves no server when it is terminated, nor a session unended', async t => {
    const stubborn = plainServer(t, { isStubborn: true, leavesGrandchild: true });
    const { hub, asked, told, one, two } = await begin(t, { stubborn });
    const sessions = await Promise.all([
      joinHub(t, hub, 'SDK 1 (legacy)', [one]),
      joinHub(t, hub, 'SDK 2 (modern)', [two]),
    ]);
    for (const session of sessions) {
      await started(session);
      await rootsToldTo(session);
      await session.through('stubborn', 'answers');
    }
    const pids = [asked, told, stubborn].flatMap(({ recorded }) => [
      ...recorded.pids(),
      ...recorded.grandchildren(),
    ]);
    equal(pids.filter(isAlive).length, 8);
    hub.process.kill('SIGTERM');
    deepEqual(await hub.exited, [0, null]);
    await allGone(pids);
  });
});

/** A hub of servers that tell what they were told, and two folders with `a.txt`. */
async function begin(t: TestContext, more: Parameters<typeof configOf>[0] = {}) {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/a.txt': 'a', 'two/a.txt': 'a' });
  const [one, two] = [join(folder, 'one'), join(folder, 'two')];
  const [asked, told] = [plainServer(t), argumentsServer(t)];
  const servers = { asked, told, files: filesystemServer(t), ...more };
  const hub = await startHubService(t, configOf(servers));
  return { hub, asked, told, one, two };
}

/** How the server was started that gets its folders as arguments. */
async function started(client: HubClient) {
  const result = await client.through('told', 'started');
  return JSON.parse(textOf(result)) as { folders: string[]; cwd: string; pid: number };
}

/** The folders that the server hears of that asks for them. */
async function rootsToldTo(client: HubClient): Promise<readonly string[]> {
  const roots = JSON.parse(textOf(await client.through('asked', 'ask'))) as TestRoot[];
  return roots.map(({ uri }) => fileURLToPath(uri));
}

function textOf({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}

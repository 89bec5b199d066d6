import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Decision } from '../../src/domain/consent/grants.ts';
import { isSoak } from '../support/effort.ts';
import { fakeHome } from '../support/fakeGateway.ts';
import {
  ConnectedClient,
  openGatewayServers,
  outcome,
  StandInServer,
} from '../support/gatewayServers.ts';
import { allGone, killed, until } from '../support/processes.ts';
import { answeringServer, listsIn, modernServer, rawServer } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';

/** The window's folders, named after their last answers; the last one is outside the window. */
const names = ['allowed', 'late', 'denied', 'undecided', 'foreign'] as const;

/** Clients with different answers on roots; each uses the server by a call. */
const clients: Readonly<Record<string, (client: ConnectedClient, all: Claims) => Promise<string>>> =
  {
    declaring: async (client, { all }) => {
      client.capabilities = { roots: { listChanged: true } };
      client.answers = { 'roots/list': { roots: all } };
      return called(client);
    },
    'without-roots': called,
    'answering-undeclared': async client => {
      client.answers = { 'roots/list': { roots: [] } };
      return called(client);
    },
    'claiming-the-disk': async (client, { above, foreign }) => {
      client.capabilities = { roots: {} };
      client.answers = { 'roots/list': { roots: [above, foreign] } };
      return called(client);
    },
    escaping: async (client, { all }) => {
      client.capabilities = { roots: { listChanged: true } };
      client.answers = { 'roots/list': { roots: all } };
      await client.initialize();
      const answer = (id: unknown) =>
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"r\\u0065sult":{"r\\u006fots":${JSON.stringify(all)}}}`;
      // The ids of the server's requests, and the ids that we may use.
      for (const id of ['raw-0', 'raw-1', 'mcp-roots-0', 'mcp-roots-1', 0, 1, -1]) {
        client.sendText(answer(id));
      }
      client.sendText('{"jsonrpc":"2.0","method":"notifications\\/roots\\/list_changed"}');
      client.sendText('{"jsonrpc":"2.0","id":"x","method":"roots\\/list"}');
      return again(client);
    },
    modern: async (client, { all }) => {
      client.era = 'modern';
      client.capabilities = { roots: {} };
      client.answers = { 'roots/list': { roots: all } };
      return again(client);
    },
    'modern-without-roots': async client => {
      client.era = 'modern';
      return again(client);
    },
    'modern-unasked': async (client, { all }) => {
      client.era = 'modern';
      const roots = { roots: all };
      const unasked = {
        inputResponses: { roots, other: roots },
        requestState: '{"roots":["roots"]}',
      };
      await client.call('where', {}, unasked);
      await client.ask('tools/list', unasked);
      await client.ask('resources/read', { uri: 'a:b', ...unasked });
      await client.ask('tasks/update', { taskId: 't', ...unasked });
      return again(client);
    },
  };

interface Claims {
  readonly all: readonly object[];
  readonly above: object;
  readonly foreign: object;
}

async function called(client: ConnectedClient): Promise<string> {
  await client.initialize();
  return again(client);
}

/** The visible folders that the server reports, again. */
async function again(client: ConnectedClient): Promise<string> {
  return outcome(
    client.era === 'modern' ? await client.callInRounds('where') : await client.call('ask'),
  );
}

/** A window with a server of each era, which may see nothing yet. */
async function scene(t: TestContext) {
  const home = fakeHome(t);
  const path = (name: string) => join(home.workspace, `${name}-folder`);
  for (const name of names) {
    mkdirSync(path(name));
  }
  const records = [rawServer(t), modernServer(t)];
  const servers = records.map(
    ({ start }, index) => new StandInServer(['files', 'modern'][index]!, start),
  );
  const gateway = await openGatewayServers(t, home, ...servers);
  for (const server of servers) {
    for (const name of Object.keys(clients)) {
      await gateway.allow(name, server);
    }
  }
  const root = (folder: string) => ({ uri: pathToFileURL(folder).href, name: 'claimed' });
  const pids = () => records.flatMap(record => record.pids().map(pid => ({ pid, record })));
  const claims: Claims = {
    all: names.map(name => root(path(name))),
    above: root(home.workspace),
    foreign: root(path('foreign')),
  };
  return {
    home,
    gateway,
    servers,
    records,
    /** Has the window have these folders, with the answers that are in their names. */
    decide(decisions: Readonly<Partial<Record<(typeof names)[number], Decision>>>) {
      const folders = Object.entries(decisions).map(([name, decision]) => [path(name), decision]);
      for (const server of servers) {
        server.now(Object.fromEntries(folders));
      }
    },
    /** The folders that the server newly reports to each client. */
    begun: (all: ReadonlyMap<string, ConnectedClient>) =>
      each(all, (client, name) => clients[name]!(client, claims)),
    processes: () => pids().length,
    /** How many bytes reached each process, by its id. */
    bytes: () => new Map(pids().map(({ pid, record }) => [pid, record.bytesOf(pid).length])),
    /** The bytes that reached them since. */
    bytesSince: (before: ReadonlyMap<number, number>) =>
      pids()
        .map(({ pid, record }) => record.bytesOf(pid).slice(before.get(pid) ?? 0))
        .join(''),
    async allEnded() {
      await until('no session is left', () =>
        servers.every(server => gateway.sessionsOf(server).length === 0),
      );
      await allGone(pids().map(({ pid }) => pid));
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** In a short run, the most aggressive client of each era stands for all. */
const some = isSoak ? Object.keys(clients) : ['escaping', 'modern-unasked'];

function connected(
  t: TestContext,
  { home }: Scene,
  names: readonly string[] = some,
): ReadonlyMap<string, ConnectedClient> {
  const serverOf = (name: string) => (name.startsWith('modern') ? 'modern' : 'files');
  return new Map(
    names.map(name => {
      const args = ['--server', serverOf(name), '--workspace', home.workspace];
      return [name, new ConnectedClient(t, home, name, ...args)];
    }),
  );
}

/** The folders that the server reported to each client. */
async function each(
  all: ReadonlyMap<string, ConnectedClient>,
  use: (client: ConnectedClient, name: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const said = [...all].map(async ([name, client]) => [name, await use(client, name)] as const);
  return new Map(await Promise.all(said));
}

/** The folders that were on the wire of any process of the servers, by their names. */
function seen({ records }: Scene): string[] {
  const bytes = records.map(record => record.bytes()).join('');
  doesNotMatch(bytes, /claimed/, 'what a client says of itself is not on the wire');
  return [...new Set([...bytes.matchAll(/(\w+)-folder/g)].map(([, name = '']) => name))].sort();
}

/** Asserts that every client got exactly these folders. */
function told(answers: ReadonlyMap<string, string>, folders: readonly string[]): void {
  for (const [client, text] of answers) {
    const found = [...text.matchAll(/(\w+)-folder"/g)].map(([, name = '']) => name);
    deepEqual([client, ...new Set(found)], [client, ...folders], `${client}: ${text}`);
  }
}

const first = { allowed: 'allowed', denied: 'denied', undecided: 'undecided' } as const;

test('with answers before the first client, sends only what is allowed', async t => {
  const all = await scene(t);
  all.decide(first);
  told(await all.begun(connected(t, all, Object.keys(clients))), ['allowed']);
  deepEqual(seen(all), ['allowed']);
});

test('clients that come before any answer start nothing, and go on after the answer', async t => {
  const all = await scene(t);
  all.decide({ ...first, allowed: 'undecided' });
  const there = connected(t, all);
  const waiting = await all.begun(there);
  for (const [client, text] of waiting) {
    match(text, /^error: serverUsable\.reasons\.waiting\((files|modern)\)$/, client);
  }
  deepEqual(all.processes(), 0);
  all.decide(first);
  told(await all.begun(there), ['allowed']);
  deepEqual(seen(all), ['allowed']);
});

test('a folder that is decided during the start is shared once it is allowed', async t => {
  const all = await scene(t);
  all.decide(first);
  const there = connected(t, all);
  const begun = all.begun(there);
  await until('a server has been started', () => all.processes() > 0);
  all.decide({ ...first, late: 'allowed' });
  await begun;
  told(await each(there, again), ['allowed', 'late']);
  deepEqual(seen(all), ['allowed', 'late']);
});

test('folders that are added, allowed and removed during sessions', async t => {
  const all = await scene(t);
  all.decide(first);
  const there = connected(t, all);
  await all.begun(there);
  all.decide({ ...first, late: 'undecided' });
  told(await each(there, again), ['allowed']);
  deepEqual(seen(all), ['allowed']);
  all.decide({ ...first, late: 'allowed' });
  told(await each(there, again), ['allowed', 'late']);
  const before = all.bytes();
  all.decide({ ...first, allowed: 'denied', late: 'allowed' });
  told(await each(there, again), ['late']);
  doesNotMatch(all.bytesSince(before), /allowed-folder/);
  deepEqual(seen(all), ['allowed', 'late']);
});

for (const [loss, lose, sentence] of losses()) {
  test(`${loss}, every session ends with the sentence, and begins again with what is allowed`, async t => {
    const all = await scene(t);
    all.decide(first);
    const there = connected(t, all);
    await all.begun(there);
    lose(all);
    for (const [client, text] of await each(there, again)) {
      match(text, sentence, client);
    }
    await all.allEnded();
    const before = all.bytes();
    for (const server of all.servers) {
      server.isTrusted = true;
    }
    all.decide({ ...first, allowed: 'denied', late: 'allowed' });
    told(await each(there, again), ['late']);
    doesNotMatch(all.bytesSince(before), /allowed-folder/);
  });
}

function losses(): [string, (all: Scene) => void, RegExp][] {
  return [
    [
      'without the last folder',
      all => all.decide({ denied: 'denied' }),
      /serverUsable\.reasons\.refused/,
    ],
    [
      'in Restricted Mode',
      ({ servers }) => {
        for (const server of servers) {
          server.isTrusted = false;
          server.changed();
        }
      },
      /startStep\.restricted/,
    ],
  ];
}

test('clients that are killed and return see what is allowed then', async t => {
  const all = await scene(t);
  all.decide({ ...first, late: 'allowed' });
  const before = [...connected(t, all).values()];
  for (const client of before) {
    client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    client.notify('notifications/initialized');
    client.request('tools/call', { name: 'ask' });
  }
  await until('servers have been started', () => all.processes() === before.length);
  await Promise.all(before.map(client => killed(client.connector.process)));
  // An ending process still records the roots that it got while they were allowed.
  await all.allEnded();
  all.decide(first);
  const bytes = all.bytes();
  told(await all.begun(connected(t, all)), ['allowed']);
  doesNotMatch(all.bytesSince(bytes), /late-folder/);
});

test('answers a server that asks for roots in another spelling', async t => {
  const home = fakeHome(t);
  const record = answeringServer(t, 'legacy');
  const allowed = join(tempFolder(t), 'allowed-folder');
  mkdirSync(allowed);
  const server = new StandInServer('files', record.start).now({ [allowed]: 'allowed' });
  const gateway = await openGatewayServers(t, home, server);
  await gateway.allow('odd', server);
  const client = new ConnectedClient(t, home, 'odd', '--workspace', home.workspace);
  client.capabilities = { roots: {} };
  client.answers = {
    'roots/list': { roots: [{ uri: pathToFileURL(dirname(allowed)).href, name: 'claimed' }] },
  };
  await client.initialize();
  const lines = [
    '{"jsonrpc":"2.0","id":"a","method":"roots\\/list"}',
    '{"jsonrpc":"2.0","id":"b","method":"\\u0072oots/list"}',
    '{"jsonrpc":"2.0","id":"c","\\u006dethod":"roots/list","params":{"x":"{\\"mcpRoots\\":\\"bye\\"}"}}',
  ];
  await client.call('say', { lines });
  await until('all are answered', () => listsIn(record.bytes()).length === 3);
  deepEqual(listsIn(record.bytes()), [['allowed-folder'], ['allowed-folder'], ['allowed-folder']]);
  equal(client.received.filter(({ method }) => method === 'roots/list').length, 1);
  doesNotMatch(record.bytes(), /claimed/);
});

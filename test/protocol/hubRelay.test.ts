import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { rootOf, type ToolResult } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { startHubOverHttp } from '../support/hubOverHttp.ts';
import { accepted, capabilities, poem, told } from '../support/hubRounds.ts';
import { askingServer, configOf, everythingServer, newestServer } from '../support/hubServers.ts';
import { atEnd } from '../support/processes.ts';
import { type HttpAnswer, RawHttpClient } from '../support/rawHttp.ts';
import { openClientOfSdk2 } from '../support/sdkClients.ts';
import { tempFolder } from '../support/temp.ts';

type Call = (server: string, tool: string, args?: Record<string, unknown>) => Promise<ToolResult>;

/** A client that answers what it is asked, over one of the ways to the hub. */
interface Way {
  readonly name: string;
  readonly connect: (t: TestContext, config: object, person: Person) => Promise<Call>;
}

/** What the client answers with, and how often it was asked. */
interface Person {
  readonly answer: Record<string, unknown>;
  readonly asked: string[];
}

const ways: readonly Way[] = [
  overStdio('legacy'),
  overStdio('modern'),
  {
    name: 'a modern client over HTTP',
    connect: async (t, config, person) => {
      const url = await startHubOverHttp(t, config);
      const root = rootOf(tempFolder(t));
      const transport = new StreamableHTTPClientTransport(new URL(url));
      const { client, call, close } = await openClientOfSdk2('modern', transport, {
        capabilities,
        roots: () => [root],
      });
      atEnd(t, close);
      answerWith(client, person);
      return (serverName, toolName, toolArgs = {}) =>
        call('call-tool', { serverName, toolName, toolArgs });
    },
  },
];

for (const { name, connect } of ways) {
  describe(`what a server asks during a call, of ${name}`, { concurrency: 2 }, () => {
    test('is answered by the client, round by round and side by side', async t => {
      const person = { answer: accepted, asked: [] };
      const call = await connect(t, configOf({ asking: askingServer(t) }), person);
      const rounds = [['name'], ['name', 'poem', 'name'], ['poem']];
      const answers = rounds.map(round => round.map(each => (each === 'name' ? accepted : poem)));
      deepEqual(told(await call('asking', 'ask', { rounds })), answers);
      deepEqual(person.asked, ['name', 'name', 'name', 'poem', 'poem']);
      deepEqual(told(await call('asking', 'ask', { rounds: [] })), []);
    });

    test('is declined and cancelled as the person says', async t => {
      for (const action of ['decline', 'cancel']) {
        const person = { answer: { action }, asked: [] };
        const call = await connect(t, configOf({ asking: askingServer(t) }), person);
        deepEqual(told(await call('asking', 'ask', { rounds: [['name']] })), [[{ action }]]);
      }
    });

    test('goes through for the reference server', async t => {
      const call = await connect(t, configOf({ every: everythingServer(t) }), {
        answer: accepted,
        asked: [],
      });
      const elicited = await call('every', 'trigger-elicitation-request');
      match(JSON.stringify(elicited.content), /Ada/);
      const sampled = await call('every', 'trigger-sampling-request', { prompt: 'A poem' });
      match(JSON.stringify(sampled.content), /Roses/);
    });

    test('may be asked by a server of the newest revision beside its question for roots', async t => {
      const call = await connect(t, configOf({ newest: newestServer(t) }), {
        answer: accepted,
        asked: [],
      });
      const { name, roots } = told(await call('newest', 'who-and-where')) as {
        readonly [key: string]: { readonly roots?: readonly unknown[] };
      };
      deepEqual(name, accepted);
      equal(roots?.roots?.length, 1);
    });
  });
}

test('what a server asks goes with a call to that server, whatever else is in flight', async t => {
  const config = configOf({ one: askingServer(t), two: askingServer(t) });
  const client = new RawHttpClient(await startHubOverHttp(t, config));
  await client.initialize({ roots: {}, elicitation: {} });
  const roots = [rootOf(tempFolder(t))];
  const begin = (id: number, serverName: string, rounds: readonly string[][]) => {
    const args = { serverName, toolName: 'ask', toolArgs: { rounds } };
    return client.post({
      id,
      method: 'tools/call',
      params: { name: 'call-tool', arguments: args },
    });
  };
  const question = async (answer: HttpAnswer) => {
    for (;;) {
      const message = await answer.next();
      if (message?.method !== 'roots/list') {
        equal(message?.method, 'elicitation/create');
        return message?.id;
      }
      await client.post({ id: message.id, result: { roots } });
    }
  };
  const first = await begin(2, 'one', [['name'], ['name']]);
  const id = await question(first);
  const second = await begin(3, 'two', [['name']]);
  await question(second);
  await client.post({ id, result: accepted });
  notEqual(await question(first), id);
});

function overStdio(era: 'legacy' | 'modern'): Way {
  return {
    name: `a ${era} client over stdio`,
    connect: async (t, config, person) => {
      const roots = [tempFolder(t)];
      const hub = await startHub(t, { era, config, roots, capabilities });
      answerWith(hub.client, person);
      return hub.call;
    },
  };
}

function answerWith(client: Client, { answer, asked }: Person): void {
  client.setRequestHandler('elicitation/create', () => {
    asked.push('name');
    asked.sort();
    return answer as { action: 'accept' };
  });
  client.setRequestHandler('sampling/createMessage', () => {
    asked.push('poem');
    asked.sort();
    return poem as never;
  });
}

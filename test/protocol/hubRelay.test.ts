import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { startHub } from '../support/hub.ts';
import { accepted, capabilities, poem, told } from '../support/hubRounds.ts';
import { askingServer, configOf, everythingServer, newestServer } from '../support/hubServers.ts';
import { tempFolder } from '../support/temp.ts';

/** What the client answers with, and how often it was asked. */
interface Person {
  readonly answer: Record<string, unknown>;
  readonly asked: string[];
}

describe('what a server asks during a call', { concurrency: 2 }, () => {
  const connect = async (t: TestContext, config: object, person: Person) => {
    const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)], capabilities });
    answerWith(hub.client, person);
    return hub.call;
  };

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

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { startHub } from '../support/hub.ts';
import { accepted, capabilities, poem, told } from '../support/hubRounds.ts';
import { askingServer, configOf, newestServer } from '../support/hubServers.ts';
import { tempFolder } from '../support/temp.ts';

/** What the client answers with, and how often it was asked. */
interface Person {
  answer: Record<string, unknown>;
  readonly asked: string[];
}

test('what a server asks during a call', async t => {
  const person: Person = { answer: accepted, asked: [] };
  const config = configOf({ asking: askingServer(t), newest: newestServer(t) });
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)], capabilities });
  answerWith(hub.client, person);

  await t.test('is answered by the client, round by round and side by side', async () => {
    const rounds = [['name'], ['name', 'poem', 'name'], ['poem']];
    const answers = rounds.map(round => round.map(each => (each === 'name' ? accepted : poem)));
    deepEqual(told(await hub.call('asking', 'ask', { rounds })), answers);
    deepEqual(person.asked, ['name', 'name', 'name', 'poem', 'poem']);
    deepEqual(told(await hub.call('asking', 'ask', { rounds: [] })), []);
  });

  await t.test(
    'may be asked by a server of the newest revision beside its question for roots',
    async () => {
      const { name, roots } = told(await hub.call('newest', 'who-and-where')) as {
        readonly [key: string]: { readonly roots?: readonly unknown[] };
      };
      deepEqual(name, accepted);
      equal(roots?.roots?.length, 1);
    },
  );

  await t.test('is declined and cancelled as the person says', async () => {
    for (const action of ['decline', 'cancel']) {
      person.answer = { action };
      deepEqual(told(await hub.call('asking', 'ask', { rounds: [['name']] })), [[{ action }]]);
    }
  });
});

function answerWith(client: Client, person: Person): void {
  const { asked } = person;
  client.setRequestHandler('elicitation/create', () => {
    asked.push('name');
    asked.sort();
    return person.answer as { action: 'accept' };
  });
  client.setRequestHandler('sampling/createMessage', () => {
    asked.push('poem');
    asked.sort();
    return poem as never;
  });
}

import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type ConnectedClient,
  called,
  came,
  type GatewayScene,
  gatewayScene,
  outcome,
  StandInServer,
} from '../support/gatewayServers.ts';
import { until } from '../support/processes.ts';
import { rawServer } from '../support/recordingServer.ts';

const refused = 'clientAllowed.refusalOf.2(codex, files)';
const waits = 'error: clientSession.unanswered(The Editor, files)';
const withdrawn = 'error: clientAllowed.refusalOf(files)';

/** A client that has listed the tools, like agents: a refused one gets them without a process. */
async function listed(t: TestContext, all: GatewayScene, name?: string): Promise<ConnectedClient> {
  const client = await came(t, all, name);
  await client.ask('tools/list');
  return client;
}

/** Settles when the user is asked for the nth time, with that question. */
async function question({ gateway }: GatewayScene, nth: number) {
  await until('the user is asked', () => gateway.questions.length >= nth);
  equal(gateway.questions.length, nth);
  return gateway.questions[nth - 1]!;
}

describe('the user is asked about a client', { concurrency: 2 }, () => {
  test('at its first use, and not for a handshake or list', async t => {
    const all = await gatewayScene(t, rawServer(t));
    const client = await listed(t, all);
    await client.ask('tools/list');
    await client.ask('ping');
    deepEqual(all.gateway.questions, []);
    const first = called(client);
    const { client: name, servers, answer } = await question(all, 1);
    deepEqual([name, servers()], ['codex', ['files']]);
    equal(all.record.count('tools/call'), 0);
    answer({ isAllowed: true, scope: 'session' });
    match(await first, /^\[/);
    match(await called(await listed(t, all)), /^\[/);
    equal(all.gateway.questions.length, 1);
    const other = called(await listed(t, all, 'gemini'));
    (await question(all, 2)).answer({ isAllowed: true, scope: 'workspace' });
    match(await other, /^\[/);
    deepEqual(
      all.gateway.activity.flatMap(event => (event.kind === 'answered' ? [event.client] : [])),
      ['codex', 'gemini'],
    );
  });

  test('again when the server has changed, unless they refused', async t => {
    const all = await gatewayScene(t, rawServer(t));
    const { gateway, home, record } = all;
    await gateway.allow('codex', all.server);
    await gateway.allow('gemini', all.server, false);
    const client = await listed(t, all);
    match(await called(client), /^\[/);
    const next = new StandInServer('files', record.start, 'b2');
    gateway.replace(all.server, next.now({ [home.workspace]: 'allowed' }));
    const again = called(client);
    (await question(all, 1)).answer({ isAllowed: true, scope: 'session' });
    match(await again, /^\[/);
    // The window asks the new server what it is, before the client has a process.
    equal(record.pids().length, 3);
    equal(
      await called(await listed(t, all, 'gemini')),
      'error: clientAllowed.refusalOf.2(gemini, files)',
    );
    equal(record.pids().length, 3);
    equal(gateway.questions.length, 1);
  });

  test('and a refusal ends its calls under an earlier name', async t => {
    const all = await gatewayScene(t, rawServer(t));
    await all.gateway.allow('codex', all.server);
    const client = await listed(t, all);
    const hanging = client.call('hang');
    await until('it hangs', () => all.record.count('tools/call') === 1);
    client.clientInfo = { name: 'other', version: '1' };
    await client.initialize();
    await all.gateway.answerAtRow('codex', all.server, false);
    equal(outcome(await hanging), `error: connector.withoutOutcome(${refused})`);
  });

  test('unless it is the editor, which follows the offer', async t => {
    const all = await gatewayScene(t, rawServer(t));
    const editor = await listed(t, all, 'The Editor');
    const first = called(editor);
    (await question(all, 1)).answer(undefined);
    equal(await first, waits);
    await all.gateway.records.setAnswer('offer', all.server, true);
    match(await called(editor), /^\[/);
    await all.gateway.records.setAnswer('offer', all.server, false);
    equal(await called(editor), withdrawn);
    equal(await called(await listed(t, all, 'The Editor')), withdrawn);
    equal(all.gateway.questions.length, 1);
  });
});

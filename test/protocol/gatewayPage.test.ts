import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../src/domain/sentence.ts';
import { ConnectedClient, called, came, gatewayScene } from '../support/gatewayServers.ts';
import { allGone, until } from '../support/processes.ts';
import { rawServer } from '../support/recordingServer.ts';
import { said } from '../support/texts.ts';

const gone = 'error: editorRules.noPage(files)';

/** A window with a client; its page has not answered for more than 5 s. */
async function silentScene(t: Parameters<typeof gatewayScene>[0]) {
  const all = await gatewayScene(t, rawServer(t), 'codex');
  const { page } = all.gateway;
  const client = await came(t, all);
  match(await called(client), /^\[/);
  page.goes();
  await page.pass(1);
  match(await called(client), /^\[/);
  await page.pass(1);
  return { ...all, page, client };
}

test('a page that is silent for 5 s keeps calls waiting, and answers given meanwhile count', async t => {
  const { record, gateway, server, page, client } = await silentScene(t);
  const before = record.count('tools/call');
  const uses = () => gateway.sessionsOf(server)[0]?.useCount;
  const asked = called(client);
  await until('the call is here', () => uses() === 3);
  page.returns();
  match(await asked, /^\[/);
  page.goes();
  await page.pass(2);
  const late = called(client);
  await until('the call is here', () => uses() === 4);
  equal(record.count('tools/call'), before + 1);
  await gateway.allow('codex', server, false);
  page.returns();
  equal(await late, 'error: clientAllowed.refusalOf.2(codex, files)');
  equal(record.count('tools/call'), before + 1);
  await allGone(record.pids());
});

test('a new client begins nothing before the page has answered', async t => {
  const { home, record, gateway, server, page } = await silentScene(t);
  let looks = 0;
  gateway.beforeLook = async () => void looks++;
  const other = new ConnectedClient(t, home, 'codex', '--workspace', home.workspace);
  const id = other.beginHandshake();
  await until('the gateway is about to take it in', () => looks === 1);
  for (let turn = 0; turn < 20; turn++) {
    await new Promise(setImmediate);
  }
  equal(gateway.sessionsOf(server).length, 1);
  page.returns();
  await other.response(id);
  equal(record.pids().length, 1);
  other.notify('notifications/initialized');
  match(await called(other), /^\[/);
  equal(record.pids().length, 2);
});

test('a page that is silent for 30 s ends all sessions, admits no other, and may return', async t => {
  const { home, record, gateway, server, page, client } = await silentScene(t);
  const first = record.pids();
  const waiting = called(client);
  await until('the call is here', () => gateway.sessionsOf(server)[0]?.useCount === 3);
  await page.pass(9);
  equal(gateway.sessionsOf(server).length, 1);
  await page.pass(1);
  equal(await waiting, gone);
  await allGone(first);
  const ends = () =>
    gateway.activity.flatMap(event => (event.kind === 'session-ended' ? [event.reason] : []));
  await until('its end is noted', () => ends().length > 0);
  deepEqual(
    ends().map(reason => reason && `error: ${said(inEnglish(reason))}`),
    [gone],
  );
  equal(await called(client), gone);
  const other = new ConnectedClient(t, home, 'codex', '--workspace', home.workspace);
  await other.initialize();
  equal(await called(other), gone);
  deepEqual(record.pids(), first);
  page.returns();
  await page.pass(1);
  match(await called(client), /^\[/);
  equal(record.pids().length, 2);
});

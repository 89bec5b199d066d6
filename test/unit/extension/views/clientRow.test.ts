import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientOfServer } from '../../../../src/extension/gateway/clients.ts';
import {
  clientDetails,
  clientItem,
  clientWords,
} from '../../../../src/extension/views/clientItem.ts';
import { readManual } from '../../../support/manual.ts';
import { exposure, shownClient } from '../../../support/shownServer.ts';
import { said } from '../../../support/texts.ts';

function texts(client: ClientOfServer): readonly unknown[] {
  const { contextValue, label, description } = clientItem(client);
  return [contextValue, label, description];
}

describe('the row of a client', () => {
  it('has the name, the folder and a word for the state', () => {
    const isNeglecting = true;
    assert.deepEqual(
      [
        shownClient({ isAllowed: true }),
        shownClient({ session: { state: 'starting', cwd: '/opt/agents' } }),
        shownClient({ session: { hasProcess: false } }),
        shownClient({ session: { isWaiting: true, isNeglecting } }),
        // Its process does not know its present roots.
        shownClient({ isAllowed: true, session: { isNeglecting } }),
      ].map(texts),
      [
        ['client.allowed.connected', 'codex · in api', 'running'],
        ['client.unanswered.connected', 'codex · in /opt/agents', 'starting…'],
        ['client.unanswered.connected', 'codex · in api', 'connected'],
        ['client.waiting.connected', 'codex · in api', 'asks'],
        ['client.allowed.connected', 'codex · in api', 'restart'],
      ],
    );
  });

  it('names the agents of the editor after it, whatever their folder', () => {
    const [, label] = texts(shownClient({ name: 'Visual Studio Code', isAllowed: true }));
    assert.equal(label, 'VS Code chat');
  });

  it('stays after the client is gone, for an answer', () => {
    const absent = (isAllowed: boolean) => ({ ...shownClient({ isAllowed }), session: undefined });
    assert.deepEqual([true, false].map(absent).map(texts), [
      ['client.allowed', 'codex', 'allowed'],
      ['client.denied', 'codex', 'not allowed'],
    ]);
  });

  it('has exactly the words that the help explains', () => {
    const words = Object.values(clientWords).map(({ text }) => text);
    const [, told = ''] =
      /^## Who uses a server\?$(.*?)^## /ms.exec(readManual('clients').text) ?? [];
    assert.deepEqual(
      new Set([...told.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, word]) => word)),
      new Set(words),
    );
  });

  it('has a tooltip with the claims of the client', () => {
    const details = (session: object) =>
      clientDetails(shownClient({ session })).map(line =>
        said(line.replace(/\d+:\d\d\s[AP]M/, 'TIME')),
      );
    assert.deepEqual(
      details({ lastExposure: exposure(), useCount: 12, isNeglecting: true }).slice(1),
      [
        'clientItem.clientDetails("codex" 0.62)',
        'clientItem.clientDetails.3(/proj/api)',
        'clientItem.connectedTexts.process(TIME)',
        'clientItem.exposureTexts.2(api, TIME, roots/list ×2)',
        'clientItem.useText.2(12)',
        'clientItem.clientDetails.5()',
      ],
    );
    const listedTools = ['a', 'b', 'B'].map(name => ({ name }));
    const narrowed = shownClient({ hiddenTools: new Set('b'), session: { listedTools } });
    assert.equal(said(clientDetails(narrowed)[3] ?? ''), 'clientItem.toolsText(1, 3)');
    assert.equal(details({ hasProcess: false })[3], 'clientItem.connectedTexts.known(TIME)');
  });

  it('cannot be forged by a name', () => {
    const name = `VS Code chat\n\u202e${'x'.repeat(500)}`;
    const label = String(texts(shownClient({ name }))[1]);
    assert.ok(label.length < 60 && !/[\n\u202e]/.test(label), label);
    const lines = clientDetails(
      shownClient({ name, session: { client: { name, version: '\u0007' } } }),
    );
    assert.ok(!lines.some(line => line.includes('\u0007') || line.includes('\u202e')));
    assert.equal(lines.join('\n').split('\n').length, 4);
    assert.deepEqual(texts(shownClient({ name: '' })).slice(1), ['a client · in api', 'running']);
  });
});

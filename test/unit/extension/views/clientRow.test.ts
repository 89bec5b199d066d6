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

function texts(client: ClientOfServer): readonly unknown[] {
  const { contextValue, label, description } = clientItem(client);
  return [contextValue, label, description];
}

describe('the row of a client', () => {
  it('says who it is and where, and in a word how it stands', () => {
    const isNeglecting = true;
    assert.deepEqual(
      [
        shownClient({ isAllowed: true }),
        shownClient({ session: { state: 'starting', cwd: '/opt/agents' } }),
        shownClient({ session: { hasProcess: false } }),
        shownClient({ session: { isWaiting: true, isNeglecting } }),
        // Its process does not know what it may see now.
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

  it('calls the agents of the editor by its name, whatever folder they run in', () => {
    const [, label] = texts(shownClient({ name: 'Visual Studio Code', isAllowed: true }));
    assert.equal(label, 'VS Code chat');
  });

  it('stays for an answer when the client is gone', () => {
    const absent = (isAllowed: boolean) => ({ ...shownClient({ isAllowed }), session: undefined });
    assert.deepEqual([true, false].map(absent).map(texts), [
      ['client.allowed', 'codex', 'allowed'],
      ['client.denied', 'codex', 'not allowed'],
    ]);
  });

  it('has a word that the help explains, and the help no other', () => {
    const words = Object.values(clientWords).map(({ text }) => text);
    const [, told = ''] =
      /^(Below the folders of a server .*)$/m.exec(readManual('clients').text) ?? [];
    assert.deepEqual(
      new Set([...told.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, word]) => word)),
      new Set(words),
    );
  });

  it('tells in its tooltip what the client claims, and that nobody has checked that', () => {
    const session = { lastExposure: exposure(), useCount: 12, isNeglecting: true };
    const lines = clientDetails(shownClient({ session }));
    assert.equal(lines[1], 'It calls itself "codex" 0.62: that is its own claim');
    assert.equal(lines[2], 'Runs in /proj/api');
    assert.match(lines[3] ?? '', /^Connected since .+, with a process of its own$/);
    assert.match(lines[4] ?? '', /^Last told of api at .+: roots\/list ×2$/);
    assert.equal(lines[5], 'It has used the server 12 times');
    assert.match(lines[6] ?? '', /^It was told of changed folders, and may go on/);
    const [, , , without = ''] = clientDetails(shownClient({ session: { hasProcess: false } }));
    assert.match(without, /^Connected since .+, without a process until you allow it$/);
  });

  it('is forged by no name', () => {
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

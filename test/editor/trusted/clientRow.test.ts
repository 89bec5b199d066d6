import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ClientSession } from '../../../src/extension/gateway/clientSession.ts';
import type { ClientOfServer } from '../../../src/extension/gateway/clients.ts';
import { clientItem } from '../../../src/extension/views/clientItem.ts';
import { uriOf } from '../support/folders.ts';
import { textsOf } from '../support/shownClients.ts';
import { exposure, shownServer } from '../support/shownServer.ts';

const server = shownServer();

type Shown = Partial<Omit<ClientOfServer, 'session'>> & {
  readonly session?: Partial<ClientSession> | undefined;
};

/** A client that runs in the folder `api` and was asked nothing about, but for what is given. */
function shown({ session, ...facts }: Shown = {}): ClientOfServer {
  const { name = 'codex' } = facts;
  const running = {
    client: { name, version: '0.62' },
    state: 'running',
    cwd: uriOf('api').fsPath,
    since: Date.now(),
    isWaiting: false,
    useCount: 0,
    needsRestart: false,
    lastExposure: undefined,
    ...session,
  } as ClientSession;
  return { server, name, isAllowed: undefined, session: running, ...facts };
}

function texts(client: ClientOfServer) {
  return textsOf({ kind: 'client', server, client });
}

describe('the row of a client', () => {
  it('says who it is and where, what it was told and when, and how often it has used the server', () => {
    const session = { lastExposure: exposure(), useCount: 12 };
    assert.deepEqual(texts(shown({ isAllowed: true, session })), [
      'client.allowed.connected',
      'codex · in api',
      'running · told of api · TIME · 12 uses',
    ]);
    assert.deepEqual(texts(shown({ session: { state: 'starting', cwd: '/opt/agents' } })), [
      'client.unanswered.connected',
      'codex · in /opt/agents',
      'starting…',
    ]);
    assert.deepEqual(texts(shown({ session: { isWaiting: true, useCount: 1 } })), [
      'client.waiting.connected',
      'codex · in api',
      'waits for your answer · 1 use',
    ]);
  });

  it('calls the agents of the editor by its name, whatever folder they run in', () => {
    const { appName } = vscode.env;
    const [, label] = texts(shown({ name: appName, isAllowed: true }));
    assert.equal(label, `${appName.replace('Visual Studio Code', 'VS Code')} chat`);
  });

  it('stays for an answer when the client is gone', () => {
    const absent = (isAllowed: boolean): ClientOfServer => ({
      server,
      name: 'codex',
      isAllowed,
      session: undefined,
    });
    assert.deepEqual([true, false].map(absent).map(texts), [
      ['client.allowed', 'codex', 'allowed · not connected'],
      ['client.denied', 'codex', 'not allowed'],
    ]);
  });

  it('tells in its tooltip what the client claims, and that nobody has checked that', () => {
    const session = { lastExposure: exposure(), needsRestart: true };
    const lines = String(clientItem(shown({ session })).tooltip).split('\n');
    assert.equal(lines[1], 'It calls itself "codex" 0.62: that is its own claim');
    assert.equal(lines[2], `Runs in ${uriOf('api').fsPath}`);
    assert.match(lines[3] ?? '', /^Connected since .+, with a process of its own$/);
    assert.match(lines[4] ?? '', /^Last told of its roots at .+: roots\/list ×2$/);
    assert.match(lines[5] ?? '', /^Folders changed: only another start/);
  });

  it('is forged by no name', () => {
    const name = `VS Code chat\n\u202e${'x'.repeat(500)}`;
    const [, label] = texts(shown({ name }));
    assert.ok(label.length < 60 && !/[\n\u202e]/.test(label), label);
    const { tooltip } = clientItem(
      shown({ name, session: { client: { name, version: '\u0007' } } }),
    );
    assert.ok(!String(tooltip).includes('\u0007') && !String(tooltip).includes('\u202e'));
    assert.equal(String(tooltip).split('\n').length, 4);
    assert.deepEqual(texts(shown({ name: '' })).slice(1), ['a client · in api', 'running']);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ClientSession } from '../../../src/extension/gateway/clientSession.ts';
import type { ClientOfServer } from '../../../src/extension/gateway/clients.ts';
import { clientDetails } from '../../../src/extension/views/clientItem.ts';
import { exposure, shownServer } from '../../support/shownServer.ts';
import { uriOf } from '../support/folders.ts';
import { textsOf } from '../support/shownClients.ts';

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
    isNeglecting: false,
    leftOutRoots: [],
    lastExposure: undefined,
    ...session,
  } as ClientSession;
  return { server, name, isAllowed: undefined, session: running, ...facts };
}

function texts(client: ClientOfServer) {
  return textsOf({ kind: 'client', server, client });
}

describe('the row of a client', () => {
  it('says who it is and where, and in a word how it stands', () => {
    assert.deepEqual(texts(shown({ isAllowed: true })), [
      'client.allowed.connected',
      'codex · in api',
      'running',
    ]);
    assert.deepEqual(texts(shown({ session: { state: 'starting', cwd: '/opt/agents' } })), [
      'client.unanswered.connected',
      'codex · in /opt/agents',
      'starting…',
    ]);
    assert.deepEqual(texts(shown({ session: { isWaiting: true } })), [
      'client.waiting.connected',
      'codex · in api',
      'asks',
    ]);
  });

  it('asks for another start of a process that does not know what it may see now', () => {
    const words = texts(shown({ isAllowed: true, session: { isNeglecting: true } }));
    assert.deepEqual(words, ['client.allowed.connected', 'codex · in api', 'restart']);
    const [, , waiting] = texts(shown({ session: { isNeglecting: true, isWaiting: true } }));
    assert.equal(waiting, 'asks');
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
      ['client.allowed', 'codex', 'allowed'],
      ['client.denied', 'codex', 'not allowed'],
    ]);
  });

  it('tells in its tooltip what the client claims, and that nobody has checked that', () => {
    const session = { lastExposure: exposure(), useCount: 12, isNeglecting: true };
    const lines = clientDetails(shown({ session }));
    assert.equal(lines[1], 'It calls itself "codex" 0.62: that is its own claim');
    assert.equal(lines[2], `Runs in ${uriOf('api').fsPath}`);
    assert.match(lines[3] ?? '', /^Connected since .+, with a process of its own$/);
    assert.match(lines[4] ?? '', /^Last told of api at .+: roots\/list ×2$/);
    assert.equal(lines[5], 'It has used the server 12 times');
    assert.match(lines[6] ?? '', /^It was told of changed folders, and may go on/);
  });

  it('is forged by no name', () => {
    const name = `VS Code chat\n\u202e${'x'.repeat(500)}`;
    const [, label] = texts(shown({ name }));
    assert.ok(label.length < 60 && !/[\n\u202e]/.test(label), label);
    const lines = clientDetails(shown({ name, session: { client: { name, version: '\u0007' } } }));
    assert.ok(!lines.some(line => line.includes('\u0007') || line.includes('\u202e')));
    assert.equal(lines.join('\n').split('\n').length, 4);
    assert.deepEqual(texts(shown({ name: '' })).slice(1), ['a client · in api', 'running']);
  });
});

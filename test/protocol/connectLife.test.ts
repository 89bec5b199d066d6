import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { serverMain } from '../support/bundledServer.ts';
import {
  type FakeSession,
  fakeHome,
  openGateway,
  RawConnector,
  type Reception,
  serving,
} from '../support/fakeGateway.ts';

const revision = '2025-06-18';
const capabilities = { tools: { listChanged: true } };
const serverInfo = { name: 'files', version: '1' };
const result = { protocolVersion: revision, capabilities, serverInfo };
const clientInfo = { name: 'c', version: '1' };
const initialize = (client: object = {}) => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: revision, capabilities: client, clientInfo },
});
const initialized = { method: 'notifications/initialized' };
const call = { id: 2, method: 'tools/call', params: { name: 't' } };
const answer = (text: string) => ({ id: 2, result: { content: [{ type: 'text', text }] } });

/** Shakes hands, and answers calls with the name of what answers, unless it is to keep them. */
function answering(name: string, keepsCalls = false): Reception {
  return session => {
    session.say({ mcpRoots: 'welcome' });
    session.listen(line => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') {
        session.say({ jsonrpc: '2.0', id, result });
      } else if (method === 'tools/call' && !keepsCalls) {
        session.say({ jsonrpc: '2.0', ...answer(name) });
      }
    });
  };
}

describe('a connector', () => {
  test('goes on with the next gateway when its host was killed', async t => {
    const home = fakeHome(t);
    const first = await openGateway(t, home, answering('first', true));
    const connector = new RawConnector(t, home);
    connector.send(initialize());
    deepEqual(await connector.next(), { jsonrpc: '2.0', id: 0, result });
    connector.send(initialized, call);
    const [session] = first.sessions as [FakeSession];
    await new Promise<void>(done => session.listen(line => line.includes('tools/call') && done()));
    await first.die();
    const { error } = await connector.next();
    match((error as { message: string }).message, /^The server "files" went away during this call/);
    connector.send(call);
    await openGateway(t, home, answering('second'));
    deepEqual((await connector.next())['method'], 'notifications/tools/list_changed');
    deepEqual(await connector.next(), { jsonrpc: '2.0', ...answer('second') });
  });

  test('repeats what an orderly gateway did not pass on', async t => {
    const home = fakeHome(t);
    const gateway = await openGateway(t, home, session => {
      answering(`session ${session.number}`, session.number === 1)(session);
      session.listen(line => {
        if (session.number === 1 && line.includes('tools/call')) {
          session.say({ mcpRoots: 'bye', passedOn: [] });
          session.socket.end();
        }
      });
    });
    const connector = new RawConnector(t, home);
    connector.send(initialize());
    await connector.next();
    connector.send(initialized, call);
    await connector.next();
    deepEqual(await connector.next(), { jsonrpc: '2.0', ...answer('session 2') });
    equal(gateway.sessions.length, 2);
  });

  test('says what a gateway refuses, to the client and in its log', async t => {
    const home = fakeHome(t);
    await openGateway(t, home, ({ say, socket }) => {
      say({ mcpRoots: 'refused', message: 'Not allowed here.' });
      socket.end();
    });
    const connector = new RawConnector(t, home);
    connector.send(initialize());
    deepEqual(await connector.next(), {
      jsonrpc: '2.0',
      id: 0,
      error: { code: -32000, message: 'Not allowed here.' },
    });
    connector.process.stdin.end();
    deepEqual(await connector.exited, [0, null]);
    equal(connector.stderr, 'Not allowed here.\n');
  });

  test('goes to the window that holds the roots of its client', async t => {
    const home = fakeHome(t);
    const other = join(home.home, 'other');
    mkdirSync(other);
    const first = await openGateway(t, home, answering('by its folder'));
    await openGateway(t, home, answering('by its roots'), { id: 'o', folders: [other] });
    const connector = new RawConnector(t, home);
    connector.send(initialize({ roots: {} }));
    await connector.next();
    connector.send(initialized, call);
    const { id } = await connector.next();
    connector.send({ id, result: { roots: [{ uri: `file://${other}` }] } });
    equal((await connector.next())['method'], 'notifications/tools/list_changed');
    deepEqual(await connector.next(), { jsonrpc: '2.0', ...answer('by its roots') });
    equal(first.sessions.length, 1);
  });

  test('ends with its client, whatever it waits for, and ends the session', async t => {
    const away = new RawConnector(t, fakeHome(t));
    away.send(initialize());
    away.process.stdin.end();
    deepEqual(await away.exited, [0, null]);

    const home = fakeHome(t);
    const closed = new Promise<void>(done => {
      void openGateway(t, home, session => {
        answering('one', true)(session);
        session.socket.on('close', () => done());
      });
    });
    const there = new RawConnector(t, home);
    there.send(initialize());
    await there.next();
    there.send(initialized, call);
    there.process.stdin.end();
    deepEqual(await there.exited, [0, null]);
    await closed;
  });

  test('ends when the server is not the one any more that was promised', async t => {
    const home = fakeHome(t);
    await openGateway(t, home, serving(t, [serverMain]));
    const answers = { [`initialize ${revision}`]: result, 'tools/list legacy': { tools: [] } };
    home.writeSnapshot({ answers }, { folders: [join(home.home, 'later')] });
    const connector = new RawConnector(t, home, '--workspace', join(home.home, 'later'));
    connector.send(initialize());
    deepEqual(await connector.next(), { jsonrpc: '2.0', id: 0, result });
    await openGateway(t, home, serving(t, [serverMain]), {
      id: 'later',
      folders: [join(home.home, 'later')],
    });
    deepEqual(await connector.exited, [1, null]);
    match(connector.stderr, /has changed since this client started it/);
  });

  test('says how it is used when no server is named', async t => {
    const home = fakeHome(t);
    const connector = new RawConnector(t, home, '--no-such-option');
    deepEqual(await connector.exited, [2, null]);
    match(connector.stderr, /^Usage: node connect\.js --server NAME/);
  });
});

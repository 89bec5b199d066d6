import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { version } from '../../src/base/version.ts';
import { Launcher } from '../../src/extension/hub/launcher.ts';
import {
  connectMain,
  connectorStart,
  fakeHome,
  openGateway,
  type Reception,
} from '../support/fakeGateway.ts';
import { ConnectedClient } from '../support/gatewayServers.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

const revision = '2025-06-18';
const capabilities = { tools: { listChanged: true } };
const serverInfo = { name: 'files', version: '1' };
const result = { protocolVersion: revision, capabilities, serverInfo };
const answer = (text: string) => ({ result: { content: [{ type: 'text', text }] } });

/** Shakes hands, and answers calls with the name of what answers, unless it is to keep them. */
function answering(name: string, keepsCalls = false): Reception {
  return session => {
    session.say({ mcpRoots: 'welcome' });
    session.listen(line => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') {
        session.say({ jsonrpc: '2.0', id, result });
      } else if (method === 'tools/call' && !keepsCalls) {
        session.say({ jsonrpc: '2.0', id, ...answer(name) });
      }
    });
  };
}

describe('a connector', () => {
  test('goes to the window that holds the roots of its client', async t => {
    const home = fakeHome(t);
    const other = join(home.home, 'other');
    mkdirSync(other);
    const first = await openGateway(t, home, answering('by its folder'));
    await openGateway(t, home, answering('by its roots'), { id: 'o', folders: [other] });
    const client = new ConnectedClient(t, home, 'c');
    client.capabilities = { roots: {} };
    client.answers = { 'roots/list': { roots: [{ uri: `file://${other}` }] } };
    await client.initialize(revision);
    deepEqual(await client.call('t'), answer('by its roots'));
    deepEqual(
      client.told.map(({ method }) => method),
      ['roots/list', 'notifications/tools/list_changed'],
    );
    equal(first.sessions.length, 1);
  });

  test('ends with its client, whether there is a window or not, and ends the session', async t => {
    const away = new ConnectedClient(t, fakeHome(t), 'c');
    const unanswered = away.ask('initialize', {});
    const left = away.leave();

    const home = fakeHome(t);
    const closed = new Promise<void>(done => {
      void openGateway(t, home, session => {
        answering('one')(session);
        session.socket.on('close', () => done());
      });
    });
    const there = new ConnectedClient(t, home, 'c');
    await there.initialize(revision);
    deepEqual(await there.leave(), [0, null]);
    await closed;
    deepEqual(await left, [0, null]);
    equal((await unanswered).error?.code, -32000);
  });

  test('answers what its client had asked when that closed its end, but asks it nothing', async t => {
    const home = fakeHome(t);
    await openGateway(t, home, session => {
      answering('one', true)(session);
      const ask = (id: string) => session.say({ jsonrpc: '2.0', id, method: 'elicitation/create' });
      session.listen(line => {
        const { id, method, error } = JSON.parse(line);
        if (method === 'tools/call') {
          ask(`early ${id}`);
        } else if (error && id.startsWith('early ')) {
          // That one may have come before the end of the client was heard of. This one does not.
          ask(id.replace('early', 'late'));
        } else if (error) {
          session.say({ jsonrpc: '2.0', id: Number(id.slice(5)), ...answer(error.message) });
        }
      });
    });
    const client = new ConnectedClient(t, home, 'c');
    await client.initialize(revision);
    const call = client.call('t');
    deepEqual(await client.leave(), [0, null]);
    deepEqual(await call, answer('The client has closed its end.'));
    deepEqual(
      client.received.filter(({ id }) => String(id).startsWith('late ')),
      [],
    );
  });

  const skip = onlyOn(
    'posix',
    'Node waits until a pipe is read on Windows, and does nothing else.',
  );
  test('ends although its client lives on and reads nothing', { skip }, async t => {
    const home = fakeHome(t);
    await openGateway(t, home, answering('x'.repeat(5_000_000)));
    const { command, args, ...options } = connectorStart(home);
    const connector = spawn(command, args, options);
    t.after(() => connector.kill('SIGKILL'));
    const request = (id: number, method: string) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params: {} })}\n`;
    connector.stdin.end(request(1, 'initialize') + request(2, 'tools/call'));
    deepEqual(await once(connector, 'exit'), [0, null]);
  });

  test('ends when the server is not the one any more that was promised', async t => {
    const home = fakeHome(t);
    await openGateway(t, home, answering('elsewhere'));
    const before = { ...result, capabilities: {} };
    const later = { folders: [join(home.home, 'later')] };
    home.writeSnapshot({ answers: { [`initialize ${revision}`]: before } }, later);
    const client = new ConnectedClient(t, home, 'c', '--workspace', join(home.home, 'later'));
    deepEqual(await client.initialize(revision), { result: before });
    await openGateway(t, home, answering('later'), { id: 'later', ...later });
    deepEqual(await client.connector.exited, [1, null]);
    match(client.connector.stderr, /has changed since this client started it/);
  });

  test('says that the folder which its entry names is not there', async t => {
    const home = fakeHome(t);
    await openGateway(t, home, answering(''));
    const client = new ConnectedClient(t, home, 'c', '--workspace', join(home.home, 'gone'));
    const { error } = await client.initialize(revision);
    match(String(error?.message), /^There is no folder .*gone, which --workspace names\. Open are/);
  });

  test('joins its client from where it stays over updates, with a result of 5 MB', async t => {
    const home = fakeHome(t);
    const text = 'x'.repeat(5_000_000);
    const { sessions } = await openGateway(t, home, answering(text));
    const client = new ConnectedClient(t, { ...home, program: await launcher(t) }, 'c');
    deepEqual(await client.initialize(revision), { result });
    deepEqual(await client.call('t'), answer(text));
    const hello = { nonce: 'nonce of w', server: 'files', cwd: realpathSync(home.workspace) };
    deepEqual(
      sessions.map(one => one.hello),
      [{ mcpRoots: 'hello', ...hello }],
    );
  });

  test('says how it is used or its version when that is asked for, or what is wrong', async t => {
    const program = await launcher(t);
    const run = (...args: readonly string[]) => {
      const options = { encoding: 'utf8' } as const;
      const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], options);
      return [stdout, stderr, status];
    };
    const usage =
      'Usage: mcp-roots-connect --server NAME [--workspace PATH]\n\nJoins an MCP client to a ' +
      'server of MCP Roots in an editor window, by default that of its folder.\n';
    deepEqual(
      [run('--help'), run('--version'), run(), run('--server', 'files', '--bogus')],
      [
        [usage, '', 0],
        [`${version}\n`, '', 0],
        ['', `No server is named.\n\n${usage}`, 2],
        ['', `Unknown option '--bogus'.\n\n${usage}`, 2],
      ],
    );
  });
});

/** The path of the connector as it stays over updates. */
async function launcher(t: TestContext): Promise<string> {
  const made = new Launcher(join(tempFolder(t), 'hub', 'connect.cjs'), connectMain);
  await made.prepare();
  return made.path;
}

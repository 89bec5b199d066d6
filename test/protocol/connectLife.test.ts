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

/** Shakes hands, and answers calls with the name of what answers. */
function answering(name: string): Reception {
  return session => {
    session.say({ mcpRoots: 'welcome' });
    session.listen(line => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') {
        session.say({ jsonrpc: '2.0', id, result });
      } else if (method === 'tools/call') {
        session.say({ jsonrpc: '2.0', id, ...answer(name) });
      }
    });
  };
}

describe('a connector', () => {
  test('goes to the window that contains the roots of its client', async t => {
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

  test('ends with its client, with and without a window, and ends the session', async t => {
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

  const skip = onlyOn(
    'posix',
    'Node waits until a pipe is read on Windows, and does nothing else.',
  );
  test('ends when its client lives on and reads nothing', { skip }, async t => {
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

  test('says that the folder in its entry is missing', async t => {
    const home = fakeHome(t);
    await openGateway(t, home, answering(''));
    const client = new ConnectedClient(t, home, 'c', '--workspace', join(home.home, 'gone'));
    const { error } = await client.initialize(revision);
    match(String(error?.message), /^--workspace names .*gone, /);
  });

  test('connects from its place that survives updates, and passes a result of 5 MB', async t => {
    const home = fakeHome(t);
    const text = 'x'.repeat(5_000_000);
    const { sessions } = await openGateway(t, home, answering(text));
    const client = new ConnectedClient(t, { ...home, program: await launcher(t) }, 'c');
    deepEqual(await client.initialize(revision), { result });
    deepEqual(await client.call('t'), answer(text));
    const hello = {
      nonce: 'nonce of w',
      server: 'files',
      cwd: realpathSync(home.workspace),
      isUsed: false,
    };
    deepEqual(
      sessions.map(one => one.hello),
      [{ mcpRoots: 'hello', ...hello }],
    );
  });

  test('prints its help or version on request, and names mistakes', async t => {
    const program = await launcher(t);
    const run = (...args: readonly string[]) => {
      const options = { encoding: 'utf8' } as const;
      const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], options);
      return [stdout, stderr, status];
    };
    const [usage] = run('--help');
    match(String(usage), /^Usage: mcp-roots-connect --server NAME/);
    deepEqual(
      [run('--help'), run('--version'), run(), run('--server', 'files', '--bogus')],
      [
        [usage, '', 0],
        [`${version}\n`, '', 0],
        ['', `Name a server with --server.\n\n${usage}`, 2],
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

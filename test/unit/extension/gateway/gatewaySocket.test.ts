import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { afterReal } from '../../../../src/base/clock.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import {
  type GatewayConnection,
  GatewaySocket,
} from '../../../../src/extension/gateway/gatewaySocket.ts';
import { type Dialed, dial, helloLine } from '../../../support/dial.ts';
import { atEnd, until } from '../../../support/processes.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';
import { said } from '../../../support/texts.ts';

/** The echo begins with this, like the line of a gateway that has a server. */
const welcome = '{"mcpRoots":"welcome"}\n';

/** A gateway that echoes everything after the hello, in a folder that it must create. */
async function aGateway(t: TestContext, after = afterReal) {
  const folder = join(tempFolder(t), 'w');
  const connections: GatewayConnection[] = [];
  const gateway = await GatewaySocket.listen(
    folder,
    connection => {
      const { socket } = connection;
      connections.push(connection);
      socket.write(welcome);
      socket.pipe(socket);
    },
    after,
  );
  atEnd(t, () => gateway.dispose());
  return { gateway, folder, connections };
}

/** The sentence of a connection that is refused. */
async function refusal({ ended }: Dialed): Promise<string> {
  const { mcpRoots, message } = JSON.parse(await ended);
  equal(mcpRoots, 'refused');
  return said(message);
}

const refused = (reason: string, value: number | '' = '') =>
  `gatewaySocket.refusals.${reason}(${value})`;

/** Whether the gateway serves: a new connection is answered. */
async function serves(t: TestContext, { path, nonce }: GatewaySocket): Promise<boolean> {
  const { socket, text } = dial(t, path, `${helloLine(nonce)}ping`);
  await until('an answer', () => text() === `${welcome}ping` || socket.destroyed);
  return text() === `${welcome}ping`;
}

describe('the socket of a gateway', () => {
  test('hands over a connection with the nonce and everything after its hello', async t => {
    const { gateway, connections } = await aGateway(t);
    const { path, nonce } = gateway;
    const { socket, text } = dial(t, path, `${helloLine(nonce, { more: 1 })}{"a"`);
    await until('the rest', () => text() === `${welcome}{"a"`);
    socket.write(':1}\n');
    await until('more', () => text() === `${welcome}{"a":1}\n`);
    const hellos = connections.map(({ hello }) => hello);
    deepEqual(hellos, [{ server: 'files', cwd: '/w', isUsed: undefined }]);
    dial(t, path, helloLine(nonce));
    await until('another', () => connections.length === 2);
  });

  test('takes a hello byte by byte, with the line break of Windows', async t => {
    const { gateway, connections } = await aGateway(t);
    const slow = dial(t, gateway.path);
    for (const byte of helloLine(gateway.nonce).replace('\n', '\r\n')) {
      slow.socket.write(byte);
      await new Promise(resolve => setImmediate(resolve));
    }
    await until('the welcome', () => slow.text() === welcome);
    equal(connections.length, 1);
  });

  test('refuses a wrong nonce and malformed hellos', async t => {
    const { gateway, connections } = await aGateway(t);
    const { path, nonce } = gateway;
    for (const wrong of ['', 'x', nonce.slice(1), `${nonce}x`, nonce.toLowerCase(), `${nonce}\0`]) {
      equal(await refusal(dial(t, path, helloLine(wrong))), refused('nonce'));
    }
    const noHellos = [
      '\n',
      'null\n',
      '{}\n',
      '[]\n',
      '{"mcpRoots":\n',
      'GET / HTTP/1.1\r\n',
      helloLine(nonce, { mcpRoots: 'welcome' }),
      helloLine(nonce, { nonce: [nonce] }),
      helloLine(nonce, { server: 5 }),
      helloLine(nonce, { cwd: null }),
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n',
    ];
    for (const no of noHellos) {
      equal(await refusal(dial(t, path, no)), refused('form'));
    }
    equal(connections.length, 0);
    ok(await serves(t, gateway));
  });

  test('refuses a hello that is too long', async t => {
    const { gateway, connections } = await aGateway(t);
    const { path, nonce } = gateway;
    const padded = (length: number) => {
      const line = helloLine(nonce, { pad: '' });
      return helloLine(nonce, { pad: 'x'.repeat(length - line.length) });
    };
    equal(await refusal(dial(t, path, padded(8194))), refused('length', 8192));
    const longest = dial(t, path, padded(8193));
    await until('the welcome', () => longest.text() === welcome);
    equal(connections.length, 1);
  });

  test('refuses connections without a hello in time', async t => {
    const turns: (() => void)[] = [];
    const after = (_: number, run: () => void) => {
      turns.push(run);
      return toDisposable(() => turns.splice(turns.indexOf(run), 1));
    };
    const { gateway, connections } = await aGateway(t, after);
    const silent = dial(t, gateway.path);
    const half = dial(t, gateway.path, '{"mcpRoots":"hel');
    const gone = dial(t, gateway.path, '{"mcpRoots":"hel');
    gone.socket.end();
    await gone.ended;
    await until('two wait', () => turns.length === 2);
    for (const turn of [...turns]) {
      turn();
    }
    deepEqual(
      [await refusal(silent), await refusal(half), connections.length],
      [refused('time'), refused('time'), 0],
    );
    ok(await serves(t, gateway));
    equal(turns.length, 0);
  });

  test('closes all connections at its end, and leaves no file', async t => {
    const { gateway, folder } = await aGateway(t);
    const session = dial(t, gateway.path, helloLine(gateway.nonce));
    await until('the welcome', () => session.text() === welcome);
    const silent = dial(t, gateway.path);
    await once(silent.socket, 'connect');
    gateway.dispose();
    gateway.dispose();
    deepEqual(await Promise.all([session.ended, silent.ended]), [welcome, '']);
    // A pipe of Windows is in no folder, so that none is made.
    deepEqual(existsSync(folder) ? readdirSync(folder) : [], []);
  });
});

describe('the place of a gateway’s socket', {
  skip: onlyOn('posix', 'a pipe of Windows is in no folder'),
}, () => {
  test('is in the folder, for the same user only', async t => {
    const { gateway, folder } = await aGateway(t);
    equal(dirname(gateway.path), folder);
    const modes = [folder, gateway.path].map(path => statSync(path).mode & 0o777);
    deepEqual(modes, [0o700, 0o600]);
  });

  test('is different for each gateway, as is the nonce', async t => {
    const [one, other] = [await aGateway(t), await aGateway(t)];
    ok(one.gateway.path !== other.gateway.path && one.gateway.nonce !== other.gateway.nonce);
    equal(one.gateway.nonce.length, 43);
  });

  test('is a new temporary folder if the path is too long', async t => {
    const folder = join(tempFolder(t), 'x'.repeat(40), 'é'.repeat(20));
    const gateway = await GatewaySocket.listen(folder, ({ socket }) => socket.end(welcome));
    atEnd(t, () => gateway.dispose());
    const own = dirname(gateway.path);
    ok(Buffer.byteLength(gateway.path) < 100);
    equal(statSync(own).mode & 0o777, 0o700);
    equal(await dial(t, gateway.path, helloLine(gateway.nonce)).ended, welcome);
    gateway.dispose();
    equal(existsSync(own), false);
  });

  test('is missing if the folder cannot be made', async t => {
    const file = join(tempFolder(t), 'file');
    writeFileSync(file, '');
    await rejects(
      GatewaySocket.listen(file, () => {}),
      { name: 'HumanError' },
    );
  });
});

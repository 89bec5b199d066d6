import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ServerProcess } from '../../src/mcp/stdio/serverProcess.ts';
import { StdioTransport } from '../../src/mcp/stdio/stdioTransport.ts';
import { patience } from '../support/patience.ts';
import { allGone, atEnd, until } from '../support/processes.ts';
import { testTimes } from '../support/recordingConnection.ts';
import { programStart } from '../support/recordingServer.ts';
import { skipClosedStdio } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';
import { testOwner } from '../support/testOwner.ts';

const isWindows = process.platform === 'win32';
const ping: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** A transport to a process that runs this JavaScript, and is gone at the end of the test. */
async function transportTo(t: TestContext, script: string, grace = testTimes.stop) {
  const process = new ServerProcess(programStart(tempFolder(t), '-e', script), testOwner(t));
  const transport = new StdioTransport(process, grace);
  atEnd(t, async () => {
    process.kill();
    await process.ended;
    await allGone([process.pid!]);
  });
  await transport.start();
  return { process, transport };
}

test('a message that nobody hears fails once the process has told how it ends', {
  skip: skipClosedStdio,
}, async t => {
  const script = "fs.closeSync(0); console.error('deaf'); setTimeout(() => process.exit(5), 100);";
  const { process, transport } = await transportTo(t, script);
  await once(process.child.stderr, 'data');
  // It waits for the end for as long as that takes here, and not only for its own time.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await assert.rejects(transport.send(ping), { code: 'EPIPE' });
  assert.equal(process.hasEndedByItself, true);
});

test('a message to a process that is gone fails, and ends nothing else', async t => {
  const { process, transport } = await transportTo(t, '');
  await process.ended;
  await assert.rejects(transport.send(ping));
});

test('the end of the process closes the transport', async t => {
  const { process, transport } = await transportTo(t, '');
  const closed = new Promise<void>(resolve => {
    transport.onclose = resolve;
  });
  await process.ended;
  await closed;
});

test('it is closed once its end was told, and with that all that waited for an answer', async t => {
  const { transport } = await transportTo(t, 'process.stdin.resume()');
  let wasTold = false;
  transport.onclose = () => {
    wasTold = true;
  };
  await transport.close();
  assert.equal(wasTold, true);
});

test('a server that answers what is open before it ends has nothing to wait for', async t => {
  const { process, transport } = await transportTo(
    t,
    `const open = new Set();
    readline.createInterface({ input: process.stdin }).on('line', line => {
      const { id, params } = JSON.parse(line);
      id === undefined ? open.delete(params.requestId) : open.add(id);
    }).on('close', () => open.size > 0 && setInterval(() => {}, 60_000));`,
    { end: patience, terminate: 0 },
  );
  await transport.send(ping);
  await transport.close();
  assert.equal(process.ending, undefined);
});

test('a large message arrives whole in both directions', async t => {
  const { transport } = await transportTo(t, 'process.stdin.pipe(process.stdout)');
  const received = new Promise<JSONRPCMessage>(resolve => {
    transport.onmessage = resolve;
  });
  const large = { ...ping, params: { text: 'größe 日本 '.repeat(300_000) } };
  await transport.send(large);
  assert.deepEqual(await received, large);
});

test('a message is one line to every reader of lines, whatever its texts hold', async t => {
  const script = `require('node:readline').createInterface({ input: process.stdin })
    .on('line', line => process.stdout.write(line + '\\n'))`;
  const { transport } = await transportTo(t, script);
  const received = new Promise<JSONRPCMessage>(resolve => {
    transport.onmessage = resolve;
  });
  const message = { ...ping, params: { text: 'one\u2028two\u2029three\u0085four' } };
  await transport.send(message);
  assert.deepEqual(await received, message);
});

test('a request that is taken is not delivered, and everything else is', async t => {
  const { transport } = await transportTo(t, 'process.stdin.pipe(process.stdout)');
  const delivered: JSONRPCMessage[] = [];
  const last = new Promise<void>(resolve => {
    transport.onmessage = message => {
      delivered.push(message);
      if ('method' in message && message.method === 'last') {
        resolve();
      }
    };
  });
  transport.take = (message, reply) => {
    const isTaken = 'id' in message && 'method' in message && message.method === 'ping';
    if (isTaken) {
      setImmediate(reply, { result: {} });
    }
    return isTaken;
  };
  const others: JSONRPCMessage[] = [
    { jsonrpc: '2.0', id: 2, method: 'other' },
    { jsonrpc: '2.0', method: 'ping' },
  ];
  await Promise.all([ping, ...others].map(message => transport.send(message)));
  // Behind the answer, which comes back like everything that is sent to this process.
  await until('the answer', () => delivered.some(message => 'result' in message));
  await transport.send({ jsonrpc: '2.0', method: 'last' });
  await last;
  assert.deepEqual(delivered, [
    ...others,
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', method: 'last' },
  ]);
});

const asks = '\'{"jsonrpc":"2.0","id":1,"method":"roots/list"}\\n\'';
const asking = `const asks = ${asks}.repeat(100);
  const ask = () => { while (process.stdout.write(asks)); process.stdout.once('drain', ask); };`;

test('a server that asks without end and reads no answer is not read from any further', async t => {
  const { process, transport } = await transportTo(t, `${asking} ask();`);
  const { stdin, stdout } = process.child;
  transport.take = (_, reply) => {
    reply({ result: { text: 'x'.repeat(1000) } });
    return true;
  };
  await until('the pause', () => stdin.writableLength > 256 * 1024 && stdout.isPaused());
  const unread = stdin.writableLength;
  await delay(100);
  assert.equal(stdin.writableLength, unread);
  // The limit, and the answers to what one read of the pipe had brought.
  assert.ok(unread < 4 * 1024 * 1024, String(unread));
});

test('the end of a server that is not read from any further is heard', async t => {
  const { process, transport } = await transportTo(t, `${asking} ask();`);
  const { stdin, stdout } = process.child;
  transport.take = (_, reply) => {
    reply({ result: { text: 'x'.repeat(1000) } });
    return true;
  };
  await until('the pause', () => stdin.writableLength > 256 * 1024 && stdout.isPaused());
  process.kill();
  const failure = await transport.ended;
  assert.ok(failure.kind === 'ended');
  // Of a process that `taskkill` ended, Windows has no signal to tell.
  assert.ok(failure.end.signal === 'SIGKILL' || (isWindows && failure.end.code === 1));
});

test('one that asks without end and reads on is answered on', async t => {
  // Not by `process.stdout`: on Windows, that does not read while it writes.
  const script = `const ask = () => fs.write(1, ${asks}.repeat(100), ask);
    process.stdin.resume(); ask();`;
  const { transport, process } = await transportTo(t, script);
  let [taken, pauses] = [0, 0];
  process.child.stdout.on('pause', () => pauses++);
  transport.take = (_, reply) => {
    taken++;
    reply({ result: { text: 'x'.repeat(1000) } });
    return true;
  };
  await until('answers beyond the limit', () => taken > 5000 && pauses > 1);
});

test('a server that writes a long answer before it reads a long request gets that request', async t => {
  const script = `fs.writeSync(1, '{"jsonrpc":"2.0","method":"long","params":{"x":"' + 'x'.repeat(5e6) + '"}}\\n');
    process.stdin.pipe(process.stdout);`;
  const { transport } = await transportTo(t, script);
  const received = new Promise<void>(resolve => {
    transport.onmessage = message => 'id' in message && resolve();
  });
  await transport.send({ ...ping, params: { text: 'x'.repeat(5_000_000) } });
  await received;
});

test('a message to a process that is being stopped says so', async t => {
  const { process, transport } = await transportTo(t, 'setInterval(() => {}, 1000)');
  const closed = transport.close();
  await assert.rejects(transport.send(ping), /^HumanError: The server is being stopped\.$/);
  process.kill();
  await closed;
});

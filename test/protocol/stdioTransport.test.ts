import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ServerProcess } from '../../src/mcp/process/stdio/serverProcess.ts';
import { StdioTransport } from '../../src/mcp/process/stdio/stdioTransport.ts';
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

test('a message to a deaf process fails once its end is known', {
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

test('ends at once when the server answers all open requests', async t => {
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

const asks = '\'{"jsonrpc":"2.0","id":1,"method":"roots/list"}\\n\'';
const asking = `const asks = ${asks}.repeat(100);
  const ask = () => { while (process.stdout.write(asks)); process.stdout.once('drain', ask); };`;

test('stops reading a server that asks without end and reads no answer', async t => {
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
  // The limit, and the answers to the requests of one read of the pipe.
  assert.ok(unread < 4 * 1024 * 1024, String(unread));
  // Its end is noticed anyway.
  process.kill();
  const failure = await transport.ended;
  assert.ok(failure.kind === 'ended');
  // Of a process that `taskkill` ended, Windows has no signal to tell.
  assert.ok(failure.end.signal === 'SIGKILL' || (isWindows && failure.end.code === 1));
});

test('goes on answering a server that asks without end and reads', async t => {
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

test('a server that writes a long answer before it reads gets its long request', async t => {
  const script = `fs.writeSync(1, '{"jsonrpc":"2.0","method":"long","params":{"x":"' + 'x'.repeat(5e6) + '"}}\\n');
    process.stdin.pipe(process.stdout);`;
  const { transport } = await transportTo(t, script);
  const received = new Promise<void>(resolve => {
    transport.onmessage = message => 'id' in message && resolve();
  });
  await transport.send({ ...ping, params: { text: 'x'.repeat(5_000_000) } });
  await received;
});

test('a message to a stopping process says that it is stopping', async t => {
  const { process, transport } = await transportTo(t, 'setInterval(() => {}, 1000)');
  const closed = transport.close();
  await assert.rejects(transport.send(ping), { name: 'HumanError' });
  process.kill();
  await closed;
});

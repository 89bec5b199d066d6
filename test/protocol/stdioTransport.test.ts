import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ServerProcess } from '../../src/mcp/serverProcess.ts';
import { StdioTransport } from '../../src/mcp/stdioTransport.ts';
import { allGone, atEnd, until } from '../support/processes.ts';
import { testTimes } from '../support/recordingConnection.ts';
import { programStart } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';

const ping: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** A transport to a process that runs this JavaScript, and is gone at the end of the test. */
async function transportTo(t: TestContext, script: string) {
  const process = new ServerProcess(programStart(tempFolder(t), '-e', script));
  const transport = new StdioTransport(process, testTimes.stop);
  atEnd(t, async () => {
    process.kill();
    await process.ended;
    await allGone([process.pid!]);
  });
  await transport.start();
  return { process, transport };
}

test('a message that nobody hears fails once the process has told how it ends', async t => {
  const script = "fs.closeSync(0); console.error('deaf'); setTimeout(() => process.exit(5), 100);";
  const { process, transport } = await transportTo(t, script);
  await once(process.child.stderr, 'data');
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

test('a large message arrives whole in both directions', async t => {
  const { transport } = await transportTo(t, 'process.stdin.pipe(process.stdout)');
  const received = new Promise<JSONRPCMessage>(resolve => {
    transport.onmessage = resolve;
  });
  const large = { ...ping, params: { text: 'größe 日本 '.repeat(300_000) } };
  await transport.send(large);
  assert.deepEqual(await received, large);
});

test('a request that is answered at once is not delivered, and everything else is', async t => {
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
  transport.answerAtOnce = ({ method }) => (method === 'ping' ? {} : undefined);
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

import { equal, match } from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Answers } from '../../../../src/server/http/exchange.ts';
import { until } from '../../../support/processes.ts';

const megabyte = 2 ** 20;
// The system holds some megabytes of each connection, too.
const size = 16 * megabyte;

test('who leaves the most answers unread is cut off, and nobody else', async t => {
  const { server, warned, answers } = await serving(t, 5 * size);
  const [reader, slow, greedy] = [dial(t, server), dial(t, server), dial(t, server)];
  let read = 0;
  reader.on('data', ({ length }) => {
    read += length;
  });
  slow.pause();
  greedy.pause();
  ask(slow, 2);
  await until('two answers wait', () => answers.length === 2);
  ask(reader, 3);
  await until('three are read', () => read > 3 * size);
  equal(warned.length, 0);
  ask(greedy, 5);
  await until('one is cut off', () => warned.length > 0);
  greedy.resume();
  await until('it was the greedy one', () => greedy.destroyed);
  equal(slow.destroyed, false);
  match(
    warned[0] ?? '',
    /^\d+ bytes of answers are unread, and 83886080 is the most\. The connection that left \d+ of them unread was ended\.$/,
  );
  // What was cut off counts no more.
  const before = warned.length;
  ask(reader, 2);
  await until('they are read as well', () => read > 5 * size);
  equal(warned.length, before);
});

/** A server that answers each request with so much that the system does not hold it alone. */
async function serving(t: TestContext, most: number) {
  const warned: string[] = [];
  const ignore = () => {};
  const warn = (message: string | Error) => void warned.push(String(message));
  const all = new Answers(most, {
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn,
    error: ignore,
  });
  const answers: IncomingMessage[] = [];
  const server = createServer((incoming, outgoing) => {
    answers.push(incoming);
    void all.send(new Response(new Uint8Array(size)), outgoing);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server: server.address() as AddressInfo, warned, answers };
}

function dial(t: TestContext, { port }: AddressInfo): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  return socket;
}

/** Sends requests without waiting for answers. */
function ask(socket: Socket, count: number): void {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
}

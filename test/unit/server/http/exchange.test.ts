import { equal, match } from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { boundUnread, send } from '../../../../src/server/http/exchange.ts';
import { noLogger } from '../../../support/noLogger.ts';
import { until } from '../../../support/processes.ts';
import { said } from '../../../support/texts.ts';

const megabyte = 2 ** 20;
// The system holds some megabytes of each connection, too.
const size = 16 * megabyte;

test('cuts off only the client with the most unread answers', async t => {
  const { server, warned, open } = await serving(t, 5 * size);
  const [reader, slow, greedy] = [dial(t, server), dial(t, server), dial(t, server)];
  let read = 0;
  reader.on('data', ({ length }) => {
    read += length;
  });
  slow.pause();
  greedy.pause();
  ask(slow, 2);
  await until('it waits', () => open.size === 1);
  ask(reader, 2);
  await until('two are read', () => read > 2 * size);
  equal(warned.length, 0);
  ask(greedy, 5);
  await until('one is cut off', () => warned.length > 0);
  greedy.resume();
  await until('it was the greedy one', () => greedy.destroyed);
  equal(slow.destroyed, false);
  match(said(warned[0] ?? ''), /^exchange\.boundUnread\(\d+, 83886080, \d+\)$/);
  // Closed connections count no more.
  const before = warned.length;
  ask(reader, 2);
  await until('they are read as well', () => read > 4 * size);
  equal(warned.length, before);
});

/** A server that answers each request with so much that the system does not hold it alone. */
async function serving(t: TestContext, most: number) {
  const warned: string[] = [];
  const warn = (message: string | Error) => void warned.push(String(message));
  const open = new Set<ServerResponse>();
  const server = createServer((incoming, outgoing) => {
    open.add(outgoing);
    outgoing.once('close', () => open.delete(outgoing));
    const parts = Array.from(
      { length: Number(incoming.url?.slice(1)) },
      () => new Uint8Array(size),
    );
    const onPart = () => boundUnread(open, most, { ...noLogger, warn });
    void send(new Response(ReadableStream.from(parts)), outgoing, onPart);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server: server.address() as AddressInfo, warned, open };
}

function dial(t: TestContext, { port }: AddressInfo): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  return socket;
}

/** Asks for an answer of that many parts. */
function ask(socket: Socket, parts: number): void {
  socket.write(`GET /${parts} HTTP/1.1\r\nHost: a\r\n\r\n`);
}

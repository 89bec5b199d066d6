import { event, rawHttpServer } from './rawHttpServer.ts';

// A server with tools that flood the client's stream; `echo` does not. It is a separate program, so
// that it floods while its client reads. It prints its address, and ends with its input.

const floods: Readonly<Record<string, object>> = {
  'flood-roots': { id: 'again', method: 'roots/list' },
  'flood-pings': { id: 'again', method: 'ping' },
  'flood-notifications': {
    method: 'notifications/message',
    params: { level: 'debug', logger: 'faulty', data: 'again' },
  },
  'flood-progress': {
    method: 'notifications/progress',
    params: { progressToken: 'x', progress: 1 },
  },
};

const { url, streams } = await rawHttpServer({ after: () => {} }, ({ message }) => {
  const { name = '' } = (message?.['params'] ?? {}) as { name?: string };
  const again = message?.method === 'tools/call' ? floods[name] : undefined;
  if (again) {
    setImmediate(flood, again);
  }
  return false;
});
process.stdout.write(`${url}\n`);
process.stdin.on('end', () => process.exit(0)).resume();

/** Without end, as fast as it is read. */
function flood(again: object): void {
  const [stream] = streams;
  const many = event({ jsonrpc: '2.0', ...again }).repeat(100);
  const pour = () => {
    while (stream?.write(many)) {}
    stream?.once('drain', pour);
  };
  pour();
}

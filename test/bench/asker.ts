import { createInterface } from 'node:readline';

// The other side of both measurements: a server by hand that asks for roots again and again when it
// is told to, and answers with how long each round trip took, in milliseconds.

type Message = Readonly<Record<string, unknown>>;

let answered: () => void = () => {};

createInterface({ input: process.stdin })
  .on('line', line => handle(JSON.parse(line)))
  .on('close', () => process.exit(0));

function handle({ id, method, params }: Message): void {
  switch (method) {
    case 'server/discover':
      send({ id, error: { code: -32601, message: 'Method not found' } });
      break;
    case 'initialize':
      send({
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'asker', version: '1' },
        },
      });
      break;
    case 'tools/call':
      void measure((params as { arguments: { count: number } }).arguments.count).then(times =>
        send({ id, result: { content: [{ type: 'text', text: JSON.stringify(times) }] } }),
      );
      break;
    case undefined:
      answered();
  }
}

async function measure(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const start = performance.now();
    await new Promise<void>(resolve => {
      answered = resolve;
      send({ id: round, method: 'roots/list' });
    });
    times.push(performance.now() - start);
  }
  return times;
}

function send(message: Message): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { atEnd } from './processes.ts';

/** Records every forbidden request. */
export interface Canary {
  readonly url: string;
  /** The paths that were asked for. */
  readonly heard: readonly string[];
}

/** Starts a server that ends with the test. */
export async function startCanary(t: TestContext): Promise<Canary> {
  const heard: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    heard.push(url);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => new Promise(resolve => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, heard };
}

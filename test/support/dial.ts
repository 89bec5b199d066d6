import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { atEnd } from './processes.ts';

/** A connection to a gateway, as a connector has it. */
export interface Dialed {
  readonly socket: Socket;
  /** All that has come until now. */
  readonly text: () => string;
  /** Resolves to the bytes received until the gateway closed it. */
  readonly ended: Promise<string>;
}

/** Connects to a gateway, and writes this at once. */
export function dial(t: TestContext, path: string, ...texts: readonly string[]): Dialed {
  const socket = connect(path);
  let text = '';
  socket.setEncoding('utf8').on('data', part => {
    text += part;
  });
  socket.on('error', () => {});
  const ended = new Promise<string>(resolve => {
    socket.on('close', () => resolve(text));
  });
  for (const one of texts) {
    socket.write(one);
  }
  atEnd(t, () => socket.destroy());
  return { socket, text: () => text, ended };
}

/** The first line of a connector. */
export function helloLine(nonce: string, others: object = {}): string {
  const own = { mcpRoots: 'hello', nonce, server: 'files', cwd: '/w' };
  return `${JSON.stringify({ ...own, ...others })}\n`;
}

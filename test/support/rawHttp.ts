import { within } from '../../src/base/timeLimit.ts';
import type { Message } from './bundledServer.ts';
import { patience } from './patience.ts';

/** An answer over HTTP: a stream of messages, or one message. */
export class HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  private readonly reader: ReadableStreamDefaultReader<string> | undefined;
  private readonly abort: AbortController;
  private text = '';

  constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    this.abort = abort;
  }

  /** The next message; `undefined` when the other side has ended the stream. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const message = this.takeMessage();
      if (message) {
        return message;
      }
      const chunk = await within(this.reader!.read(), patience, undefined);
      if (!chunk) {
        throw new Error('The server stays silent.');
      }
      if (chunk.done) {
        return this.headers.get('content-type') === 'application/json'
          ? (JSON.parse(this.text) as Message)
          : undefined;
      }
      this.text += chunk.value;
    }
  }

  /** Goes away, as a client does that no longer listens. */
  leave(): void {
    this.abort.abort();
  }

  private takeMessage(): Message | undefined {
    const end = this.text.indexOf('\n\n');
    if (end < 0 || !this.isStream) {
      return undefined;
    }
    const event = this.text.slice(0, end);
    this.text = this.text.slice(end + 2);
    const data = /^data: (.*)$/m.exec(event)?.[1];
    return data === undefined ? this.takeMessage() : (JSON.parse(data) as Message);
  }

  private get isStream(): boolean {
    return this.headers.get('content-type') === 'text/event-stream';
  }
}

/** A client that decides itself what it sends over HTTP, and when it opens streams. */
export class RawHttpClient {
  readonly url: string;
  readonly headers: Record<string, string>;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.headers = { ...headers };
  }

  /** The handshake of the older protocol, as a client with these capabilities. */
  async initialize(capabilities: object = { roots: { listChanged: true } }): Promise<string> {
    const answer = await this.post(initializeRequest(capabilities));
    await answer.next();
    const id = answer.headers.get('mcp-session-id') ?? '';
    this.headers['Mcp-Session-Id'] = id;
    await this.post({ method: 'notifications/initialized' });
    return id;
  }

  post(message: object): Promise<HttpAnswer> {
    return this.request('POST', JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Opens the stream on which a server speaks unasked. */
  listen(): Promise<HttpAnswer> {
    return this.request('GET');
  }

  async request(method: string, body?: string | ReadableStream<Uint8Array>): Promise<HttpAnswer> {
    const abort = new AbortController();
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...this.headers,
    };
    const init = { method, headers, signal: abort.signal, duplex: 'half' } as const;
    const response = await fetch(this.url, body === undefined ? init : { ...init, body });
    return new HttpAnswer(response, abort);
  }
}

/** The first message of the older protocol. */
export function initializeRequest(capabilities: object = {}): object {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities, clientInfo };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

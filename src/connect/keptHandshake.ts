import type { GatewayLink } from './gatewayLink.ts';
import { type Json, lineOf, type Message, type MessageId } from './messages.ts';

/**
 * The handshake, log level and subscriptions of a client. A connector repeats them to the server's
 * next process. That process must keep the first one's promises: its revision and capabilities.
 */
export class KeptHandshake {
  /**
   * The prefix of the ids of repeated requests. It is random, because the client or the server may
   * be a connector, too. Loading `crypto` for it would take 1.7 MB of memory in each connector.
   */
  private readonly ours = `mcp-roots-connect-${Math.random().toString(36).slice(2)}-`;
  private opening: Json = {};
  private promised: readonly unknown[] | undefined;
  /** The client's subscriptions by URI. The entry without a URI is the client's log level. */
  private readonly settings = new Map<
    unknown,
    { readonly method: string; readonly params: Json }
  >();
  /** Whether the client has sent `notifications/initialized`, which ends the handshake. */
  isOver = false;

  /** Whether the client has declared that a server can ask for its roots. */
  get hasRoots(): boolean {
    return Object(this.opening['capabilities']).roots !== undefined;
  }

  /** Keeps a request if it must be repeated to the server's next process. */
  keep(method: string, params: Json): void {
    if (method === 'initialize') {
      this.opening = params;
    } else if (method === 'logging/setLevel' || method === 'resources/subscribe') {
      this.settings.set(params['uri'], { method, params });
    } else if (method === 'resources/unsubscribe') {
      this.settings.delete(params['uri']);
    }
  }

  /** Keeps the promises in an answer to `initialize`, as long as the client is connected. */
  promise(result: Json): void {
    this.promised = promisesIn(result);
  }

  /** Whether the next process's answer to `initialize` makes at least the promises that were kept. */
  isKeptBy({ result }: Message): boolean {
    return includes(result && promisesIn(result), this.promised);
  }

  /** Whether the connector itself sent the request with this id, as a repetition. */
  isOurs(id: MessageId): boolean {
    return String(id).startsWith(this.ours);
  }

  /** The `initialize` request for the next process. `undefined`: the client has no promises yet. */
  beginning(): string | undefined {
    const [protocolVersion] = this.promised ?? [];
    // The revision that the server first answered holds, even if the client had asked for another.
    const params = { ...this.opening, protocolVersion };
    return this.promised && lineOf({ id: this.ours, method: 'initialize', params });
  }

  /** Sends `notifications/initialized` to the server, if the client has already sent it. */
  end(server: Pick<GatewayLink, 'send'>): void {
    if (this.isOver) {
      server.send(lineOf({ method: 'notifications/initialized' }));
    }
  }

  /** Repeats the client's settings to the next process, and tells the client of changed lists. */
  resume(server: Pick<GatewayLink, 'send'>, write: (line: string) => void): void {
    this.end(server);
    for (const [index, setting] of [...this.settings.values()].entries()) {
      server.send(lineOf({ id: `${this.ours}${index}`, ...setting }));
    }
    const [, capabilities] = this.promised ?? [];
    for (const kind of this.isOver ? ['tools', 'prompts', 'resources'] : []) {
      if (Object(Object(capabilities)[kind]).listChanged) {
        write(lineOf({ method: `notifications/${kind}/list_changed` }));
      }
    }
  }
}

function promisesIn(result: Json): readonly unknown[] {
  return [result['protocolVersion'], result['capabilities']];
}

/** Whether `all` has every member of `part`, at every depth. */
function includes(all: unknown, part: unknown): boolean {
  return Object(part) === part
    ? Object.keys(part as Json).every(key => includes(Object(all)[key], (part as Json)[key]))
    : all === part;
}

import type { JSONRPCNotification, JSONRPCRequest } from '@modelcontextprotocol/client';
import type { Era } from '../../domain/exposure.ts';
import type { JsonObject } from '../../domain/json.ts';
import {
  clientIn,
  type HandshakeState,
  isModernRequest,
  outOfTurn,
  type RelayedClient,
} from './relayRules.ts';

/** The handshake of a client with its server: who the client is, and which era both speak. */
export class RelayHandshake {
  private state: HandshakeState = 'open';
  /** The client's notice that the handshake is over, which may come before the server's answer. */
  private greeting: JSONRPCNotification | undefined;
  private met: RelayedClient = { name: '', version: '' };
  private end: () => void = () => {};

  /** The client, as it first named itself. */
  get client(): RelayedClient {
    return this.met;
  }

  /** The era that both speak. `undefined` until the server has answered. */
  get era(): Era | undefined {
    const { state } = this;
    return state === 'legacy' || state === 'modern' ? state : undefined;
  }

  /** Whether no handshake has begun. */
  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Why the client can't send this request now, as {@link outOfTurn} says. */
  whyNot(request: JSONRPCRequest): string | undefined {
    return outOfTurn(request, this.state, this.met);
  }

  /** Takes the client's name from a request, unless the name is known. Returns the client. */
  meet(request: JSONRPCRequest): RelayedClient {
    this.met = this.met.name ? this.met : clientIn(request);
    return this.met;
  }

  /** Begins `initialize`. Settles when the server refuses it, or the client confirms the answer. */
  begin(): Promise<void> {
    this.state = 'asked';
    return new Promise(resolve => {
      this.end = resolve;
    });
  }

  /** Learns the era from a result. In the modern era, each result has a `resultType`. */
  note(request: JSONRPCRequest, result: JsonObject): void {
    if (request.method === 'initialize' && this.state === 'asked') {
      this.state = 'answered';
    } else if (
      this.isOpen &&
      isModernRequest(request) &&
      (request.method === 'server/discover' || typeof result['resultType'] === 'string')
    ) {
      this.state = 'modern';
    }
  }

  /** Call it when the server has refused `initialize`. The client may then ask for another revision. */
  callOff(): void {
    if (this.state === 'asked') {
      this.state = 'open';
      this.greeting = undefined;
      this.end();
    }
  }

  greet(notice: JSONRPCNotification): void {
    if (this.state === 'asked' || this.state === 'answered') {
      this.greeting ??= notice;
    }
  }

  /**
   * Ends `initialize` when the server has answered it and the client has confirmed the answer.
   *
   * @returns the client's notice, which can now be passed on. Some servers that get it sooner do
   * not know yet what the client can do.
   */
  finish(): JSONRPCNotification | undefined {
    const { greeting } = this;
    if (this.state !== 'answered' || !greeting) {
      return undefined;
    }
    this.state = 'legacy';
    this.end();
    return greeting;
  }
}

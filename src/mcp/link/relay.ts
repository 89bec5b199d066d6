import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
} from '@modelcontextprotocol/client';
import type { IDisposable } from '../../base/disposable.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import type { Era } from '../../domain/exposure.ts';
import type { LeftOut, VisibleRoot } from '../../domain/gateway/commonRoots.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Wire } from '../process/wire.ts';
import { ClientRequests, type RequestsHost, type ServerWords } from './clientRequests.ts';
import { busy, isKept, mostRelayed } from './relayedRequests.ts';
import { RelayHandshake } from './relayHandshake.ts';
import { RelayRoots, type RootsHost } from './relayRoots.ts';
import { clientLine, type RelayedClient } from './relayRules.ts';
import { noRoots, rootsNotice } from './rootsAnswerer.ts';
import { newId, ServerEnd } from './serverEnd.ts';

/** The client's end of a relay, and the decisions on requests and roots. */
export type RelayHost = RequestsHost & RootsHost;

/**
 * Relays the messages of one client and one server unchanged, in any revision. `ClientRequests` keeps the
 * client's requests, and `RelayRoots` handles roots. Notices and the server's requests pass here.
 */
export class Relay implements IDisposable {
  private readonly host: RelayHost;
  private readonly server: ServerEnd;
  private readonly handshake = new RelayHandshake();
  private readonly requests: ClientRequests;
  /**
   * Requests of the server that wait for the client's answer: maps our own ids to the server's ids.
   * The server's next process may reuse its ids, and a client may still answer a cancelled request.
   */
  private readonly questions = new OpenRequests<RequestId>(mostRelayed);

  readonly roots: RelayRoots;
  readonly onDidAsk: ClientRequests['onDidAsk'];
  readonly onDidSay: ClientRequests['onDidSay'];

  /** @param roots `undefined`: the server is offered no roots, whatever the client has. */
  constructor(wire: Wire, roots: readonly VisibleRoot[] | undefined, host: RelayHost) {
    const { handshake } = this;
    this.host = host;
    this.server = new ServerEnd(wire, host.label, handshake, (message, line) =>
      this.takeFromServer(message, line),
    );
    this.roots = new RelayRoots(roots, host, handshake, this.server);
    this.requests = new ClientRequests(host, this.server, handshake, this.roots);
    this.onDidAsk = this.requests.onDidAsk;
    this.onDidSay = this.requests.onDidSay;
  }

  get client(): RelayedClient {
    return this.handshake.client;
  }

  /** The era of the server. `undefined` until the server has answered the handshake. */
  get era(): Era | undefined {
    return this.handshake.era;
  }

  /** The client's roots that the server does not learn, and why. */
  get leftOutRoots(): readonly LeftOut[] {
    return this.roots.leftOut;
  }

  /** The ids of requests that the server has and has not answered. */
  get passedOn(): readonly RequestId[] {
    return this.requests.passedOn;
  }

  /** Sets the roots that the server may see from now on. The server learns of the change. */
  setRoots(roots: readonly VisibleRoot[]): void {
    this.roots.set(roots);
  }

  /** Tells the client that its list of tools has changed. */
  announceTools(): void {
    this.requests.announceTools();
  }

  /** The server's present tools. @param params the parameters of a request of the client. */
  toolsNow(params: JsonObject): Promise<ServerWords | undefined> {
    return this.requests.toolsNow(params);
  }

  /** Takes a message of the client. @param line the message as it came, without its end. */
  takeFromClient(message: JSONRPCMessage, line: Buffer): void {
    if (!('method' in message)) {
      this.takeAnswer(message);
    } else if ('id' in message) {
      this.requests.take(message, line);
    } else if (message.method === rootsNotice) {
      this.roots.askClient();
    } else if (message.method === 'notifications/cancelled') {
      this.requests.cancel(message, line);
    } else if (message.method === 'notifications/initialized') {
      this.handshake.greet(message);
      this.finishHandshake();
    } else {
      this.server.send(message, line);
    }
  }

  dispose(): void {
    this.server.dispose();
    this.requests.dispose();
    this.roots.dispose();
  }

  /** Drops an answer that no question waits for: the question may be from an earlier process. */
  private takeAnswer(response: JSONRPCResponse): void {
    const { roots, server } = this;
    const id = roots.takeAnswer(response) ? undefined : this.questions.settle(response.id);
    if (id !== undefined && roots.isRootsAnswer(response)) {
      server.reply(id, { error: noRoots });
    } else if (id !== undefined) {
      server.send({ ...response, id });
    }
  }

  private takeFromServer(message: JSONRPCMessage, line: Buffer | undefined): void {
    if (!('method' in message)) {
      this.requests.takeResponse(message, line);
      this.finishHandshake();
    } else if ('id' in message) {
      this.takeRequest(message);
    } else if (message.method === 'notifications/cancelled') {
      this.callOffQuestion(message);
    } else {
      this.host.write(clientLine(message, line));
    }
  }

  private finishHandshake(): void {
    const greeting = this.handshake.finish();
    if (greeting) {
      this.server.send(greeting);
      this.roots.begin();
    }
  }

  private takeRequest(request: JSONRPCRequest): void {
    const reply = (body: object) => this.server.reply(request.id, body);
    if (this.roots.takeRequest(request, reply)) {
      return;
    }
    const id = newId();
    if (isKept(request.id) && this.questions.open(id, request.id)) {
      this.host.write(clientLine({ ...request, id }, undefined));
    } else {
      reply(busy);
    }
  }

  private callOffQuestion(notice: JSONRPCNotification): void {
    const isMeant = ([, askedAs]: readonly [unknown, RequestId]) =>
      askedAs === notice.params?.['requestId'];
    const [requestId] = this.questions.all.find(isMeant) ?? [];
    if (this.questions.settle(requestId) !== undefined) {
      const params = { ...notice.params, requestId };
      this.host.write(clientLine({ ...notice, params }, undefined));
    }
  }
}

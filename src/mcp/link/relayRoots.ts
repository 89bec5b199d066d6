import type { JSONRPCRequest, JSONRPCResponse, RequestId } from '@modelcontextprotocol/client';
import { type After, afterReal } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { LatestWork } from '../../base/latestWork.ts';
import type { LeftOut, VisibleRoot } from '../../domain/gateway/commonRoots.ts';
import { losesLast } from '../../domain/servers/rootsChange.ts';
import { defaultTimes } from '../process/times.ts';
import type { Reply } from '../process/wire.ts';
import { InputRounds } from './inputRounds.ts';
import type { RelayHandshake } from './relayHandshake.ts';
import { clientLine, declaresRoots, offering, type RelayedClient } from './relayRules.ts';
import { noRoots, type RootsAnswer, RootsAnswerer, rootsRequest } from './rootsAnswerer.ts';
import { type FolderLooks, RootsOfClient } from './rootsOfClient.ts';
import { newId, type ServerEnd } from './serverEnd.ts';
import { SettleWait } from './settleWait.ts';

/** Decides which roots a relayed server may see. */
export interface RootsHost {
  /** Whether the client is this window's editor. It gets the window's roots, whatever it names. */
  readonly isOfWindow: (client: RelayedClient) => boolean;
  /** Writes one message to the client: a line with its end. */
  readonly write: (line: string | Buffer) => void;
  /**
   * Checks which roots the server may see, before the server gets them. May call `RelayRoots.set`.
   * `undefined`: there is nothing to wait for.
   */
  readonly lookAgain: () => Promise<void> | undefined;
  /** Finds real paths, shared by all clients of a window. `undefined`: this client has its own. */
  readonly looks?: FolderLooks;
  /** The clock. `undefined`: the real clock. */
  readonly after?: After;
}

/**
 * Handles the roots between a client and its server. Offers roots to the server, answers its
 * requests for roots, announces changes, and holds calls until the server had time to get its
 * roots.
 */
export class RelayRoots implements IDisposable {
  private readonly host: RootsHost;
  private readonly handshake: RelayHandshake;
  private readonly answerer: RootsAnswerer;
  private readonly settling: SettleWait;
  private readonly didLoseRoots = new Emitter<void>();
  private readonly looking = new LatestWork();
  private readonly isOffered: boolean;
  /** The roots that the user lets the server see. */
  private visible: readonly VisibleRoot[];
  /** The roots of a client that declares the capability. `undefined`: nothing narrows the roots. */
  private ofClient: RootsOfClient | undefined;
  /** The last request for the client's roots. Answers to earlier requests are outdated. */
  private askedClient: RequestId | undefined;
  /** Settles when a legacy client's roots are known. Until then, no call passes. */
  private naming: Promise<void> | undefined;
  private isDisposed = false;

  /** Sends requests that a server of revision 2026-07-28 may answer with questions. */
  readonly rounds: InputRounds;
  readonly onDidServe: Event<RootsAnswer>;
  readonly onDidNeglect: Event<boolean>;
  /** Fires when a legacy server loses its last root. Many servers would keep their old roots. */
  readonly onDidLose: Event<void> = this.didLoseRoots.event;

  /** @param visible `undefined`: the server is offered no roots, whatever the client has. */
  constructor(
    visible: readonly VisibleRoot[] | undefined,
    host: RootsHost,
    handshake: RelayHandshake,
    server: ServerEnd,
  ) {
    this.host = host;
    this.handshake = handshake;
    this.isOffered = visible !== undefined;
    this.visible = visible ?? [];
    const client = {
      getProtocolEra: () => handshake.era,
      notification: async ({ method }: { readonly method: string }) =>
        server.send({ jsonrpc: '2.0', method }),
    };
    this.answerer = new RootsAnswerer(client, visible, defaultTimes, () => this.lookAgain());
    this.rounds = new InputRounds(
      client,
      this.answerer,
      // The client decides on all other questions; it has declared what it answers.
      method => method !== rootsRequest,
      () => this.ofClient,
    );
    this.settling = new SettleWait(host.after ?? afterReal, () => server.ask('ping', {}));
    this.onDidServe = this.answerer.onDidAnswer;
    this.onDidNeglect = this.answerer.onDidNeglect;
    this.answerer.onDidAnswer(({ era }) => era === 'legacy' && this.settling.answered());
  }

  /** The client's roots that the server does not learn, and why. */
  get leftOut(): readonly LeftOut[] {
    return this.ofClient?.leftOut ?? [];
  }

  /** Sets the roots that the server may see from now on. The server learns of the change. */
  set(visible: readonly VisibleRoot[]): void {
    this.visible = visible;
    this.tell();
    this.holdFor(this.look());
  }

  /** Notes whether the client declares roots. Returns the request with our capability for roots. */
  offer(request: JSONRPCRequest): JSONRPCRequest {
    const client = this.handshake.meet(request);
    const had = this.ofClient;
    const has = this.isOffered && declaresRoots(request) && !this.host.isOfWindow(client);
    this.ofClient = has
      ? (had ?? new RootsOfClient(this.host.looks, () => void this.look()))
      : undefined;
    if (had && !has) {
      this.tell();
    }
    return offering(request, this.isOffered);
  }

  /** Begins the exchange of roots after the handshake of a legacy server. */
  begin(): void {
    const { ofClient, settling } = this;
    if (ofClient) {
      this.askClient();
      const named = ofClient.named().then(() => this.look());
      this.holdFor(named.then(() => settling.begin()));
    } else {
      settling.begin();
    }
  }

  /** Whether calls must wait, because the server has not taken in its roots yet. */
  get holdsCalls(): boolean {
    return this.naming !== undefined || !this.settling.isOver;
  }

  /** Settles when no call is held. @throws the signal's reason if the signal is aborted first. */
  async released(signal: AbortSignal): Promise<void> {
    while (this.naming !== undefined) {
      await this.naming;
    }
    await this.settling.over(signal);
  }

  /** Holds calls until the promise settles. */
  holdFor(known: Promise<void>): void {
    const naming = Promise.all([this.naming, known]).then(() => {
      if (this.naming === naming) {
        this.naming = undefined;
      }
    });
    this.naming = naming;
  }

  /** If the client declares roots, asks for them. The answer may change the server's roots. */
  askClient(): void {
    if (this.ofClient) {
      this.askedClient = newId();
      const request = { jsonrpc: '2.0', id: this.askedClient, method: rootsRequest } as const;
      this.host.write(clientLine(request, undefined));
    }
  }

  /** Takes the client's answer with its roots. `false`: the response answers another request. */
  takeAnswer(response: JSONRPCResponse): boolean {
    const isAnswer = this.askedClient !== undefined && response.id === this.askedClient;
    if (isAnswer) {
      this.askedClient = undefined;
      this.ofClient?.take('result' in response ? response.result : undefined);
      this.holdFor(this.look());
    }
    return isAnswer;
  }

  /** Answers a request of the server for roots. `false`: the request is another one. */
  takeRequest(request: JSONRPCRequest, reply: Reply): boolean {
    if (request.method === rootsRequest && this.handshake.isOpen) {
      // Until a client begins the handshake, we could not announce changes to the server.
      reply({ error: noRoots });
      return true;
    }
    return this.answerer.takeRequest(request, reply);
  }

  /** Whether a client's answer holds roots. Only this class may give roots to the server. */
  isRootsAnswer(response: JSONRPCResponse): boolean {
    return 'result' in response && this.answerer.isRootsAnswer(response.result);
  }

  dispose(): void {
    this.isDisposed = true;
    this.answerer.dispose();
    this.settling.dispose();
    this.didLoseRoots.dispose();
  }

  private tell(): void {
    const { ofClient, visible, answerer } = this;
    if (this.isDisposed) {
      return;
    }
    const roots = ofClient ? ofClient.among(visible) : visible;
    // A server learns only of real changes, because each notice makes it ask again.
    if (answerer.setRoots(roots)) {
      this.settling.renew();
      // A modern server keeps no roots: it asks for them in each call.
      if (this.handshake.era === 'legacy' && losesLast(answerer.lastHanded, roots)) {
        this.didLoseRoots.fire();
      }
    }
  }

  /** Finds the real paths of the client's roots. Tells the server if this changes its roots. */
  private async look(): Promise<void> {
    const { ofClient, visible } = this;
    if (ofClient) {
      await this.looking.begin(ofClient.look(visible).then(() => this.tell()));
    }
  }

  /** Checks the window's roots, waits for the client's own, and resolves them on disk. */
  private lookAgain(): Promise<void> | undefined {
    const looking = this.host.lookAgain();
    const { ofClient } = this;
    return ofClient ? Promise.all([looking, ofClient.known]).then(() => this.look()) : looking;
  }
}

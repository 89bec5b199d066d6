import {
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/client';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { longestMessage } from '../../base/lineReader.ts';
import { idIsTaken, OpenRequests } from '../../base/openRequests.ts';
import { keptMethods } from '../../domain/gate/handshakeAndLists.ts';
import type { JsonObject } from '../../domain/json.ts';
import { jsonRpcError } from '../process/failure.ts';
import type { ResponseBody } from '../process/wire.ts';
import type { AskedRequest } from './forwarding.ts';
import { busy } from './relayedRequests.ts';
import type { RelayHandshake } from './relayHandshake.ts';
import type { RelayRoots } from './relayRoots.ts';
import {
  clientLine,
  invalidRequest,
  isModernRequest,
  namedAs,
  unavailable,
  usesRoots,
  withoutCommonRevision,
} from './relayRules.ts';
import { newId, type ServerEnd } from './serverEnd.ts';

/** Decides on the requests of a relayed client. */
export interface RequestsHost {
  /** The server's name and title for the client. */
  readonly label: string;
  /** Writes one message to the client: a line with its end. */
  readonly write: (line: string | Buffer) => void;
  /**
   * Decides whether a request of the client may pass now. May ask a person.
   *
   * @param signal aborted when nobody waits any more.
   * @returns why the request may not pass, in finished sentences. `undefined`: the request may pass.
   */
  readonly admit: (
    request: JSONRPCRequest,
    signal: AbortSignal,
  ) => Promise<string | undefined> | undefined;
  /** Returns the result of a list as the client may see it: without entries that the gate hides. */
  readonly shown: (method: string, result: JsonObject) => JsonObject;
}

/** A server's answer to a handshake or a list. */
export interface ServerWords {
  readonly method: string;
  /** The parameters of the request, which may name one page of a list. */
  readonly params: JsonObject;
  readonly result: JsonObject;
}

interface PendingRequest {
  readonly request: JSONRPCRequest;
  /** Aborted when the client cancels the request, or client or server is gone. */
  readonly cancelled: AbortController;
  /** The id under which the server has the request. `undefined`: the server does not have it. */
  sentAs: RequestId | undefined;
  end: (response?: ResponseBody) => void;
}

/** Limit in bytes for all open requests of a client, which may flood us. */
const mostOpen = 8 * longestMessage;
/** The estimated memory of an open request besides its line, in bytes. */
const requestCost = 6 * 1024;

/**
 * The requests of a client until they are answered. A request passes unchanged, once the gate
 * admits the client and the server had time to get its roots.
 */
export class ClientRequests implements IDisposable {
  private readonly host: RequestsHost;
  private readonly server: ServerEnd;
  private readonly handshake: RelayHandshake;
  private readonly roots: RelayRoots;
  private readonly open = new OpenRequests<PendingRequest>(mostOpen);
  private readonly didAsk = new Emitter<AskedRequest>();
  private readonly didSay = new Emitter<ServerWords>();

  /** Fires for each request that the client sends. The request may still be refused. */
  readonly onDidAsk: Event<AskedRequest> = this.didAsk.event;

  /** Fires for each result of a handshake or a list. It still has the parts that the gate hides. */
  readonly onDidSay: Event<ServerWords> = this.didSay.event;

  constructor(host: RequestsHost, server: ServerEnd, handshake: RelayHandshake, roots: RelayRoots) {
    this.host = host;
    this.server = server;
    this.handshake = handshake;
    this.roots = roots;
  }

  /** The ids of requests that the server has and has not answered. */
  get passedOn(): readonly RequestId[] {
    return this.open.all.filter(([, { sentAs }]) => sentAs !== undefined).map(([id]) => id);
  }

  /** @param line the request as it came, without its end. */
  take(request: JSONRPCRequest, line: Buffer): void {
    const { id, method } = request;
    const { handshake, roots } = this;
    const problem = handshake.whyNot(request);
    if (problem) {
      this.answer(id, { error: { code: invalidRequest, message: problem } });
      return;
    }
    const cancelled = new AbortController();
    const open: PendingRequest = { request, cancelled, sentAs: undefined, end: () => {} };
    if (!this.open.open(id, open, line.length + requestCost)) {
      this.answer(id, this.open.get(id) ? { error: idIsTaken } : busy);
      return;
    }
    const ended = new Promise<ResponseBody | undefined>(resolve => (open.end = resolve));
    this.didAsk.fire({ method, params: request.params ?? {}, ended });
    if (isModernRequest(request)) {
      const offer = roots.offer(request);
      const repeat = () => void this.repeat(open, offer);
      this.admit(open, line, usesRoots.has(method) ? repeat : () => this.passOnce(open, offer));
    } else if (method === 'initialize') {
      roots.holdFor(handshake.begin());
      this.pass(open, roots.offer(request));
    } else {
      this.admit(open, line, kept => this.passOnce(open, request, kept));
    }
  }

  /** Tells the client that its list of tools has changed. */
  announceTools(): void {
    const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;
    // A modern client gets the notice in its subscriptions. (2026-07-28, basic/utilities/subscriptions.)
    const subscribed = this.open.all.flatMap(([id, { request }]) =>
      Object(request.params?.['notifications'])['toolsListChanged'] ? id : [],
    );
    for (const id of this.handshake.era === 'legacy' ? [undefined] : subscribed) {
      const params = id !== undefined && { _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
      this.host.write(clientLine({ ...notice, ...(params && { params }) }, undefined));
    }
  }

  /**
   * Asks the server for the first page of its tools. `undefined`: it does not list them.
   *
   * @param params the parameters of a request of the client, which in the modern era describe it.
   */
  async toolsNow({ _meta }: JsonObject): Promise<ServerWords | undefined> {
    const method = 'tools/list';
    const params = this.handshake.era === 'modern' ? { _meta } : {};
    try {
      const result = await this.server.ask(method, params);
      return Array.isArray(result['tools']) ? { method, params, result } : undefined;
    } catch {
      return undefined; // The server has no tools, or can't list them now.
    }
  }

  /** Cancels a request of the client. The server gets the notice only if it has the request. */
  cancel(notice: JSONRPCNotification, line: Buffer): void {
    const { server } = this;
    const { params = {} } = notice;
    const { requestId } = params;
    const open = this.open.settle(this.open.idOf(requestId));
    if (!open) {
      server.send(notice, line);
      return;
    }
    const { sentAs, cancelled } = open;
    open.end();
    cancelled.abort();
    if (sentAs === undefined) {
      return;
    }
    server.forget(sentAs);
    if (server.hasStreams) {
      return; // The end of the request's stream has told the server.
    }
    if (sentAs === requestId) {
      server.send(notice, line);
    } else {
      server.send({ ...notice, params: { ...params, requestId: sentAs } });
    }
  }

  /** Takes the server's response to a request that was passed on. */
  takeResponse(response: JSONRPCResponse, line: Buffer | undefined): void {
    const open = this.open.settle(response.id);
    if (!open) {
      return;
    }
    const { request } = open;
    const { method, params = {} } = request;
    const { host, handshake } = this;
    open.end(response);
    if ('error' in response) {
      let { error } = response;
      if (method === 'initialize') {
        handshake.callOff();
        error = withoutCommonRevision(host.label, handshake.client, error, params);
      }
      this.write({ ...response, error }, error === response.error ? line : undefined);
      return;
    }
    handshake.note(request, response.result);
    if (!keptMethods.has(method)) {
      this.write(response, line);
    } else if (response.result['resultType'] === 'input_required') {
      // Handshakes and lists must not be answered with questions.
      const message = `The server "${host.label}" asked a question in an answer where questions are not allowed.`;
      this.answer(response.id, { error: { code: unavailable, message } });
    } else {
      const result = namedAs(host.label, method, response.result);
      if (method === 'initialize') {
        // The client asked for its latest revision, and now decides whether it speaks the server's.
        this.server.speaks(String(result['protocolVersion']));
      }
      const shown = host.shown(method, result);
      this.write({ ...response, result: shown }, shown === response.result ? line : undefined);
      this.didSay.fire({ method, params, result });
    }
  }

  dispose(): void {
    for (const [, { cancelled, end }] of this.open.endAll()) {
      cancelled.abort();
      end();
    }
    this.didSay.dispose();
  }

  /** Calls `pass` when the request may pass. If that is not now, `pass` gets a copy of the line. */
  private admit(open: PendingRequest, line: Buffer, pass: (line: Buffer) => void): void {
    const { request, cancelled } = open;
    const admission = this.host.admit(request, cancelled.signal);
    if (admission || (usesRoots.has(request.method) && this.roots.holdsCalls)) {
      const kept = Buffer.from(line);
      void this.passLater(open, admission, () => pass(kept));
    } else {
      pass(line);
    }
  }

  /** Calls `pass` once the client is admitted, and the server had time to get its roots. */
  private async passLater(
    open: PendingRequest,
    admission: Promise<string | undefined> | undefined,
    pass: () => void,
  ): Promise<void> {
    const { request, cancelled } = open;
    try {
      let refusal = await admission;
      if (refusal === undefined && usesRoots.has(request.method) && this.roots.holdsCalls) {
        await this.roots.released(cancelled.signal);
        // The user may have changed the answer during the wait.
        refusal = await this.host.admit(request, cancelled.signal);
      }
      if (refusal !== undefined) {
        // A JSON-RPC error, because a tool result with `isError` would not fit a call as a task.
        this.respond(open, { error: { code: unavailable, message: refusal } });
      } else {
        // The server may have refused the handshake meanwhile.
        const problem = this.handshake.whyNot(request);
        if (problem) {
          this.respond(open, { error: { code: invalidRequest, message: problem } });
        }
      }
    } catch (error) {
      this.respond(open, { error: jsonRpcError(error) });
    }
    if (this.open.get(request.id) === open) {
      pass();
    }
  }

  /** Sends a modern request, and repeats it while the server asks only for roots. */
  private async repeat(
    open: PendingRequest,
    { method, params = {} }: JSONRPCRequest,
  ): Promise<void> {
    const { request, cancelled } = open;
    const send = async (sent: JsonObject) => {
      if (open.sentAs !== undefined) {
        const message = await this.host.admit(request, cancelled.signal);
        if (message !== undefined) {
          throw { code: unavailable, message };
        }
      }
      cancelled.signal.throwIfAborted();
      // (2026-07-28, basic/patterns/mrtr: each repetition has a new id.)
      open.sentAs = open.sentAs === undefined ? request.id : newId();
      const result = await this.server.ask(method, sent, open.sentAs, cancelled.signal);
      this.handshake.note(request, result);
      return result;
    };
    try {
      this.respond(open, { result: await this.roots.rounds.relay({ method, params, send }) });
    } catch (error) {
      this.respond(open, { error: jsonRpcError(error) });
    }
  }

  /** Passes on a request that is not repeated. Refuses it if it answers a question with roots. */
  private passOnce(open: PendingRequest, request: JSONRPCRequest, line?: Buffer): void {
    try {
      this.roots.rounds.refuseRoots(Object(request.params?.['inputResponses']));
      this.pass(open, request, line);
    } catch (error) {
      this.respond(open, { error: jsonRpcError(error) });
    }
  }

  private pass(open: PendingRequest, request: JSONRPCRequest, line?: Buffer): void {
    open.sentAs = request.id;
    this.server.send(request, line, open.cancelled.signal);
  }

  private respond(open: PendingRequest, body: ResponseBody): void {
    // A cancelled request gets no answer.
    if (this.open.settle(open.request.id, open)) {
      open.end(body);
      this.answer(open.request.id, body);
    }
  }

  private answer(id: RequestId | undefined, body: object): void {
    this.write({ jsonrpc: '2.0', id, ...body } as JSONRPCResponse, undefined);
  }

  private write(message: JSONRPCResponse, line: Buffer | undefined): void {
    this.host.write(clientLine(message, line));
  }
}

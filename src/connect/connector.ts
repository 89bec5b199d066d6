import type { IDisposable } from '../base/disposable.ts';
import { finishLimit, leftUnanswered, listen } from '../base/endOfInput.ts';
import { withLineEnd } from '../base/lineReader.ts';
import { idIsTaken, OpenRequests } from '../base/openRequests.ts';
import type { GatewayLink } from './gatewayLink.ts';
import { KeptHandshake } from './keptHandshake.ts';
import { type Json, lineOf, type Message, type MessageId, messageIn } from './messages.ts';
import { acknowledged, answerFrom } from './snapshot.ts';
import { type SearchHost, WindowSearch } from './windowSearch.ts';

export interface ConnectorHost extends SearchHost {
  readonly label: string;
  /** Writes a line to the client. The line must include its line end. */
  readonly write: (line: Buffer | string) => void;
  /** Whether the client's roots help to choose the window. */
  readonly needsRoots: boolean;
  /** Writes to the log of the client. */
  readonly report: (sentence: string) => void;
  /** Ends the process. Called when the connector can do nothing more. */
  readonly end: () => void;
}

interface OpenCall {
  readonly id: MessageId;
  readonly method: string;
  readonly line: Buffer;
  isSent: boolean;
  /** Whether the connector has told the client that its subscription is open. */
  isTold?: boolean;
}

/** Calls wait this long for the client to name its roots, in milliseconds. */
const rootsLimit = 1_000;
const rootsQuestion = 'mcp-roots-roots';
const unavailable = -32000;
const cancelled = 'notifications/cancelled';
/** Lists that never wait for a window, because some clients wait until all lists are there. */
const furtherList = /^(?:prompts|resources)\/.*list$/;

/**
 * Joins a client to its window's gateway, again after each reload of the window. Passes messages on
 * unchanged, and keeps the client's requests until they are answered.
 */
export class Connector implements IDisposable {
  private readonly host: ConnectorHost;
  private readonly search: WindowSearch;
  private readonly handshake = new KeptHandshake();
  private link: GatewayLink | undefined;
  /** Whether the server has received the client's handshake, so that further messages can pass. */
  private isReady = false;
  private readonly open = new OpenRequests<OpenCall>();
  /** The ids of the server's unanswered requests. The gateway makes each id unique. */
  private readonly questions = new Set<unknown>();
  /** Whether the client's input has ended, so that the client answers nothing more. */
  private hasEnded = false;
  /** Whether the next step is to ask the client for its roots. */
  private isRootsDue = false;
  /** Whether calls wait for the client's roots. */
  private holdsCalls = false;

  constructor(host: ConnectorHost) {
    this.host = host;
    this.search = new WindowSearch(host, link => (link ? this.join(link) : this.advanceAll()));
  }

  start(): void {
    this.search.begin();
    void this.search.look();
  }

  /** Takes a line of the client, without the line end. The buffer is valid only during the call. */
  takeFromClient(line: Buffer): void {
    const message = messageIn(line);
    const { id, method, params = {} } = message;
    if (id !== undefined && method !== undefined) {
      this.takeRequest(id, method, params, line);
    } else if (this.isForServer(message) && this.isReady) {
      this.link?.send(withLineEnd(line));
    }
  }

  /** Call it at the end of the client's input. Resolves when each request has an answer. */
  async finish(): Promise<void> {
    this.hasEnded = true;
    for (const id of this.questions) {
      this.refuse(id);
    }
    this.releaseCalls();
    const left = await leftUnanswered(this.open);
    const unanswered = `The client closed its input, and "${this.host.label}" did not answer in ${finishLimit / 1000} s. Keep the input open.`;
    const absence = this.link ? undefined : this.search.why;
    // Disposes first, because a late answer from the server would be a second answer.
    this.dispose();
    for (const [, open] of left) {
      this.fail(open, absence ?? unanswered);
    }
  }

  dispose(): void {
    this.search.dispose();
    const { link } = this;
    this.link = undefined;
    link?.close();
  }

  private takeRequest(id: MessageId, method: string, params: Json, line: Buffer): void {
    const open = { id, method, line: withLineEnd(line), isSent: false };
    if (!this.open.open(id, open)) {
      this.host.write(lineOf({ id, error: idIsTaken }));
      return;
    }
    this.handshake.keep(method, params);
    if (method === 'initialize') {
      this.search.words = { ...this.search.words, client: Object(params['clientInfo']).name };
    }
    if (!this.link && this.search.isOver) {
      void this.search.look();
    }
    void this.advance(open);
  }

  /** Whether a line that is no request goes on to the server, which itself refuses broken lines. */
  private isForServer(message: Message): boolean {
    const { id, method, params = {} } = message;
    if (method === 'notifications/initialized') {
      this.handshake.isOver = true;
      if (this.host.needsRoots && this.handshake.hasRoots) {
        this.isRootsDue = true;
        this.holdsCalls = true;
        this.askForRoots();
      }
    } else if (method === cancelled) {
      return this.open.settle(this.open.idOf(params['requestId']))?.isSent !== false;
    } else if (id === rootsQuestion) {
      void this.takeRoots(Object(message.result).roots);
      return false;
    }
    this.questions.delete(id);
    return true;
  }

  private takeFromServer(link: GatewayLink, line: Buffer): void {
    if (this.link === link && this.isForClient(link, messageIn(line))) {
      this.host.write(withLineEnd(line));
    }
    this.askForRoots();
  }

  private isForClient(link: GatewayLink, message: Message): boolean {
    const { id, method, params } = message;
    if (message['mcpRoots'] === 'bye' && message['jsonrpc'] === undefined) {
      const { passedOn, message: why } = message;
      this.search.isUsed = message['isUsed'] as boolean | undefined;
      this.lose(link, Array.isArray(passedOn) ? passedOn : undefined, why as string | undefined);
      return false;
    }
    if (id !== undefined && method === undefined) {
      return this.takeResponse(link, id, message);
    }
    if (id !== undefined && this.hasEnded) {
      this.refuse(id);
      return false;
    }
    if (id !== undefined) {
      this.questions.add(id);
    } else if (method === cancelled) {
      this.questions.delete(params?.['requestId']);
    }
    return true;
  }

  private takeResponse(link: GatewayLink, id: MessageId, message: Message): boolean {
    const { handshake } = this;
    if (!handshake.isOurs(id)) {
      if (this.open.settle(id)?.method === 'initialize' && message.result) {
        handshake.promise(message.result);
      }
      return true;
    }
    if (!this.isReady && handshake.isKeptBy(message)) {
      handshake.resume(link, this.host.write);
      this.isReady = true;
      this.advanceAll();
    } else if (!this.isReady) {
      this.giveUp(message);
    }
    return false;
  }

  private refuse(id: unknown): void {
    const error = { code: unavailable, message: 'The client closed its input.' };
    this.link?.send(lineOf({ id, error }));
  }

  private join(link: GatewayLink): void {
    this.link = link;
    link.listen(
      line => this.takeFromServer(link, line),
      () => this.lose(link, undefined),
    );
    if (this.link !== link) {
      return; // The gateway ended the connection right after it had accepted it.
    }
    const repeated = this.handshake.beginning();
    if (repeated) {
      link.send(repeated);
    } else {
      this.isReady = true;
      this.advanceAll();
    }
  }

  /**
   * Ends a broken link, and searches for the gateway again.
   *
   * @param passedOn the ids of requests that reached the server. `undefined`: nobody knows.
   * @param refusal why another search is useless.
   */
  private lose(
    link: GatewayLink,
    passedOn: readonly unknown[] | undefined,
    refusal?: string,
  ): void {
    if (this.link !== link) {
      return;
    }
    this.link = undefined;
    this.isReady = false;
    link.close();
    for (const requestId of this.questions) {
      const params = { requestId, reason: 'The server is gone.' };
      this.host.write(lineOf({ method: cancelled, params }));
    }
    this.questions.clear();
    for (const [, open] of this.open.all.filter(([, { isSent }]) => isSent)) {
      if (open.method === 'tools/call' && passedOn?.includes(open.id) !== false) {
        this.fail(open, withoutOutcome(refusal ?? wentAway(this.host.label)));
      } else {
        open.isSent = false;
      }
    }
    this.search.begin(refusal);
    this.advanceAll();
  }

  /** Ends the connector, because the server no longer keeps what its handshake promised. */
  private giveUp({ error }: Message): void {
    const sentence = error ? String(error['message']) : hasChanged(this.host.label);
    for (const [, open] of this.open.all) {
      this.fail(open, sentence);
    }
    this.host.report(sentence);
    this.host.end();
  }

  private advanceAll(): void {
    for (const [, open] of this.open.all) {
      void this.advance(open);
    }
  }

  /** Sends a request, answers it from the snapshot, fails it, or lets it wait. */
  private async advance(open: OpenCall): Promise<void> {
    const { host, search, handshake } = this;
    const { id, method, line } = open;
    const isCall = method === 'tools/call';
    if (this.link) {
      if (this.isReady && !open.isSent && !(isCall && this.holdsCalls)) {
        open.isSent = true;
        this.link.send(line);
        if (method === 'initialize') {
          // The client may have sent `notifications/initialized` before there was a link.
          handshake.end(this.link);
        }
      }
      return;
    }
    // There is no link. After a search that found no gateway, the connector answers for the server.
    if (search.isAway && method === listen) {
      if (!open.isTold) {
        open.isTold = true;
        host.write(lineOf(acknowledged(id)));
      }
      return;
    }
    if (!isCall && (search.isAway || search.isOver)) {
      const { params = {} } = messageIn(line);
      const answer = answerFrom((await host.known(search.words))?.snapshot, method, params);
      if (answer && !this.link && this.open.settle(id, open)) {
        if (method === 'initialize' && 'result' in answer) {
          // When the server is back, its own answer must make the same promises.
          handshake.promise(answer.result);
        }
        host.write(lineOf({ id, ...answer }));
        this.askForRoots();
      }
    }
    const isUnwaited = search.isOver || (search.isAway && furtherList.test(method));
    if (!this.link && isUnwaited && search.why !== undefined) {
      this.fail(open, search.why);
    }
  }

  private fail(open: OpenCall, sentence: string): void {
    if (this.open.settle(open.id, open)) {
      this.host.write(lineOf({ id: open.id, error: { code: unavailable, message: sentence } }));
      this.host.report(sentence);
    }
  }

  /** Asks for the client's roots, once its handshake is answered. (2025-11-25, basic/lifecycle.) */
  private askForRoots(): void {
    if (this.isRootsDue && this.open.all.every(([, { method }]) => method !== 'initialize')) {
      this.isRootsDue = false;
      this.host.after(rootsLimit, () => this.releaseCalls());
      this.host.write(lineOf({ id: rootsQuestion, method: 'roots/list' }));
    }
  }

  /** Takes the client's roots. If they lead to another window, leaves the present window. */
  private async takeRoots(named: unknown): Promise<void> {
    const { search, link, host } = this;
    const roots = Array.isArray(named) ? named.map(root => String(Object(root).uri)) : [];
    search.words = { ...search.words, roots };
    if (roots.length > 0 && link && (await host.meant(search.words)) !== link.window) {
      this.lose(link, this.holdsCalls ? [] : undefined);
    }
    this.releaseCalls();
  }

  private releaseCalls(): void {
    this.isRootsDue = false;
    this.holdsCalls = false;
    this.advanceAll();
  }
}

function withoutOutcome(cause: string): string {
  return `${cause} Check whether the call took effect before you repeat it.`;
}

function wentAway(label: string): string {
  return `The connection to "${label}" broke during this call.`;
}

function hasChanged(label: string): string {
  return `The server "${label}" has changed. Restart it in this client.`;
}

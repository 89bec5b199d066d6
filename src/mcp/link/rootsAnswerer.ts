import type { JSONRPCRequest } from '@modelcontextprotocol/client';
import { Debounce } from '../../base/debounce.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { Watchdog } from '../../base/watchdog.ts';
import type { Era, Trigger } from '../../domain/exposure.ts';
import { folderKey, type Root, sameRoots } from '../../domain/roots.ts';
import type { ConnectionTimes } from '../process/times.ts';
import type { Reply } from '../process/wire.ts';
import { busy, isKept } from './relayedRequests.ts';

/** The roots that a server got, and why. */
export interface RootsAnswer {
  readonly era: Era;
  readonly trigger: Trigger;
  /** The number of requests that got this answer. */
  readonly count: number;
  readonly roots: readonly Root[];
}

/**
 * Checks whether the roots have changed, and sets the new roots before it settles. Must not reject.
 * `undefined`: the check is done already.
 */
export type LookAgain = () => Promise<void> | undefined;

/** The client of a connection, which serves roots to the server. */
export interface RootsClient {
  /** The era of the server. `undefined` until the handshake has found the era. */
  getProtocolEra(): Era | undefined;
  notification(notice: { readonly method: string }): Promise<void>;
}

/** The roots capability of a client that serves roots. (Model Context Protocol, client/roots.) */
export const rootsCapability = { roots: { listChanged: true } } as const;

/** The request for roots, and the notice of a change. (client/roots.) */
export const rootsRequest = 'roots/list';
export const rootsNotice = 'notifications/roots/list_changed';

/** The answer to a server that asks for roots without an offer. (client/roots, Error Handling.) */
export const noRoots = {
  code: -32601,
  message: 'Roots not supported',
  data: { reason: 'Client does not have roots capability' },
} as const;

const asks = { kind: rootsRequest } as const;
const noticeTimes = { quiet: 50, longest: 1000 };
/** Limit of `roots/list` requests that wait for one answer. A flooding server may send many. */
const mostWaiting = 1000;

/**
 * Gives one server its roots on the wire. Only this class gives roots to servers.
 *
 * A legacy server asks with `roots/list`, and is answered from memory after a check of the roots. A
 * flood is answered at a limited rate. Every change causes a notice,
 * `notifications/roots/list_changed`. A modern server asks inside a call, which is then repeated
 * with the answer. It gets no notices.
 */
export class RootsAnswerer implements IDisposable {
  private readonly client: RootsClient;
  private readonly notice = new Debounce(() => this.notify(), noticeTimes);
  private readonly didAnswer = new Emitter<RootsAnswer>();
  private readonly asked: RateLimiter<Reply>;
  private readonly neglect: Watchdog;
  private readonly look: LookAgain | undefined;
  private isDisposed = false;
  private roots: readonly Root[] | undefined;
  /** The roots at the last answer or the last notice of a change. Before both: the first roots. */
  private told: readonly Root[] | undefined;
  /** The roots in the last answer. Notices don't count. `undefined`: the server has not asked. */
  private handed: readonly Root[] | undefined;

  readonly onDidAnswer: Event<RootsAnswer> = this.didAnswer.event;
  /**
   * Fires `true` when a legacy server that has asked before gets a notice and does not ask again:
   * it may go on with the roots it got earlier. Fires `false` when it asks after all, when the
   * roots it got are right again, or when it is gone.
   */
  readonly onDidNeglect: Event<boolean>;

  /**
   * @param roots `undefined`: the server is offered no roots, so that it can't ask for them.
   * @param look checks the roots before an answer. `undefined`: the roots that are set need no check.
   */
  constructor(
    client: RootsClient,
    roots: readonly Root[] | undefined,
    times: Pick<ConnectionTimes, 'answersPerSecond' | 'neglect'>,
    look?: LookAgain,
  ) {
    const pace = { perSecond: times.answersPerSecond, mostWaiting };
    this.client = client;
    this.asked = new RateLimiter(replies => this.replyToAll(replies), pace);
    this.neglect = new Watchdog(times.neglect);
    this.onDidNeglect = this.neglect.onDidChange;
    this.look = look;
    this.roots = roots;
    this.told = roots;
  }

  /**
   * Answers `roots/list` from a server that may ask for it, once the roots are checked. The SDK's
   * request handlers would take almost twice the time. Refuses a server that was not offered roots,
   * or that speaks a revision without this request. `false` for every other request.
   *
   * Requests above the rate, or during a check, share one later answer. It has the roots that hold
   * then. If too many requests wait for that answer, refuses further requests as busy.
   */
  takeRequest({ id, method }: JSONRPCRequest, reply: Reply): boolean {
    if (method !== rootsRequest) {
      return false;
    }
    if (!this.roots || this.client.getProtocolEra() === 'modern') {
      reply({ error: noRoots });
    } else if (!isKept(id) || !this.asked.add(reply)) {
      reply(busy);
    }
    return true;
  }

  /**
   * Sets the roots of the next answer. `true`: they differ from the roots set before, so a notice
   * follows. A server that was offered no roots gets none.
   */
  setRoots(roots: readonly Root[]): boolean {
    const isOther = this.roots !== undefined && !sameRoots(this.roots, roots);
    if (isOther) {
      this.roots = roots;
      this.notice.request();
      if (this.handed && sameRoots(this.handed, roots)) {
        this.neglect.settle();
      }
    }
    return isOther;
  }

  /** The roots in the last answer. Empty if the server has not asked. */
  get lastHanded(): readonly Root[] {
    return this.handed ?? [];
  }

  /** Whether questions of this method, within a call of a modern server, are answered here. */
  answersInput(method: string): boolean {
    return method === rootsRequest && this.roots !== undefined;
  }

  /** Checks the roots. Call it before {@link answerInput}, and wait for the promise, if any. */
  lookAgain(): Promise<void> | undefined {
    return this.look?.();
  }

  /**
   * The answers to questions for roots within a call, by the names of the questions. Gives no roots
   * without a question, or after the disposal.
   *
   * @param tool the tool of the call that asks; `undefined` for any other request.
   */
  answerInput(
    keys: readonly string[],
    tool: string | undefined,
  ): Readonly<Record<string, unknown>> {
    const trigger: Trigger = tool === undefined ? asks : { kind: 'tools/call', tool };
    const roots = keys.length > 0 && !this.isDisposed ? this.answer(trigger, keys.length) : [];
    return Object.fromEntries(keys.map(key => [key, { roots }]));
  }

  /** Whether a response holds roots. Only {@link answerInput} may give such a response. */
  isRootsAnswer(response: unknown): boolean {
    return Object.hasOwn(Object(response), 'roots');
  }

  dispose(): void {
    this.isDisposed = true;
    this.notice.dispose();
    this.asked.dispose();
    this.neglect.dispose();
    this.didAnswer.dispose();
  }

  private replyToAll(replies: readonly Reply[]): Promise<void> | undefined {
    const replyNow = () => {
      const roots = this.isDisposed ? [] : this.answer(asks, replies.length);
      for (const reply of this.isDisposed ? [] : replies) {
        reply({ result: { roots } });
      }
    };
    const looking = this.lookAgain();
    if (looking !== undefined) {
      return looking.then(replyNow);
    }
    replyNow();
    return undefined;
  }

  /** Notes that the server gets the roots, and returns them in the form for the wire. */
  private answer(trigger: Trigger, count: number): object[] {
    const roots = this.roots ?? [];
    this.told = roots;
    this.handed = roots;
    this.neglect.settle();
    // Only a legacy server can ask before the handshake has shown its era.
    const era = this.client.getProtocolEra() ?? 'legacy';
    const known = roots.map(({ uri, name }) => ({ uri, name }));
    this.didAnswer.fire({ era, trigger, count, roots: known });
    return roots.map(onWire);
  }

  private notify(): void {
    // The lists may be equal again, because a folder came and went within the burst.
    if (!this.roots || !this.told || sameRoots(this.told, this.roots)) {
      return;
    }
    const era = this.client.getProtocolEra();
    if (!era) {
      // Until the handshake is over, the notice waits, even if the server has asked for roots.
      this.notice.request();
      return;
    }
    this.told = this.roots;
    if (era === 'legacy') {
      // Fails only when the process is gone, which the connection reports.
      this.client.notification({ method: rootsNotice }).catch(() => {});
      if (this.handed && !sameRoots(this.handed, this.roots)) {
        this.neglect.expect();
      }
    }
  }
}

/** A root with everything that the server learns about it. (client/roots, `Root`.) */
function onWire(root: Root): object {
  return Object.assign({}, ...Object.values(partsOnWire).map(part => part(root)));
}

const partsOnWire: { readonly [K in keyof Root]-?: (root: Root) => object } = {
  uri: ({ uri }) => ({ uri }),
  name: ({ name }) => ({ name }),
  folder: ({ folder }) => (folder === undefined ? {} : { _meta: { [folderKey]: folder } }),
};

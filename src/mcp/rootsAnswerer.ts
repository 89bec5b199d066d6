import type { JSONRPCRequest } from '@modelcontextprotocol/client';
import { Debounce } from '../base/debounce.ts';
import type { IDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { RateLimiter } from '../base/rateLimiter.ts';
import { Watchdog } from '../base/watchdog.ts';
import type { Era, Trigger } from '../domain/exposure.ts';
import { folderKey, type Root, sameRoots } from '../domain/roots.ts';
import { busy, isKept } from './relayedRequests.ts';
import type { ConnectionTimes } from './times.ts';
import type { Reply } from './wire.ts';

/** The roots that a server was handed, and why. */
export interface RootsAnswer {
  readonly era: Era;
  readonly trigger: Trigger;
  /** The number of requests that it answered. */
  readonly count: number;
  readonly roots: readonly Root[];
}

/**
 * Looks whether the roots are still what they were, and sets others if they are not, before it
 * settles. Must not reject. `undefined`: that is done already.
 */
export type LookAgain = () => Promise<void> | undefined;

/** The side of a connection that serves roots. */
export interface RootsClient {
  /** `undefined` until the handshake has told it. */
  getProtocolEra(): Era | undefined;
  notification(notice: { readonly method: string }): Promise<void>;
}

/** The roots capability of a client that serves roots. (Model Context Protocol, client/roots.) */
export const rootsCapability = { roots: { listChanged: true } } as const;

/** The request for roots, and the notice of a change. (client/roots.) */
export const rootsRequest = 'roots/list';
export const rootsNotice = 'notifications/roots/list_changed';

/** The answer to a server that asks for roots it was not offered. (client/roots, Error Handling.) */
export const noRoots = {
  code: -32601,
  message: 'Roots not supported',
  data: { reason: 'Client does not have roots capability' },
} as const;

const asks = { kind: rootsRequest } as const;
const noticeTimes = { quiet: 50, longest: 1000 };
/** Limit of the requests of a flooding server that wait. */
const mostWaiting = 1000;

/**
 * Hands one server its roots on the wire: the only place on this side that does.
 *
 * Legacy servers ask with `roots/list`, are answered from memory after a look whether that still is
 * true (those that flood, at a pace), and are told of every change by
 * `notifications/roots/list_changed`. Modern ones ask inside a call, which is then repeated with the
 * answer; the notification does not exist there.
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
  /** The roots that the server was handed, or whose change it was told of. */
  private told: readonly Root[] | undefined;
  /** The roots that it was last handed; `undefined`: it has not asked. */
  private handed: readonly Root[] | undefined;

  readonly onDidAnswer: Event<RootsAnswer> = this.didAnswer.event;
  /**
   * `true` when a legacy server that has asked before was told of a change and does not ask again:
   * it may go on with what it was handed earlier. `false` when it asks after all, what it was handed
   * is right again, or it is gone.
   */
  readonly onDidNeglect: Event<boolean>;

  /**
   * @param roots `undefined` when the server is refused altogether: it then has nothing to ask for.
   * @param look `undefined`: what is set is always true.
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
   * Answers `roots/list` from a server that may ask for it, as soon as it is known that the roots are
   * still what they were: through the request handlers of the SDK it would take almost twice the
   * time. A server that was not offered them, or speaks a revision in which it does not ask like this,
   * is refused. `false` for every other request.
   *
   * Requests that come faster than the pace, or than a look, are answered together, with the roots of
   * that later moment; when too many wait for it, the server is told that we are busy.
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
   * Sets the roots of the next answer, and returns whether they are others. A server that was offered no
   * roots is offered none by this.
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

  /** The roots that the server was handed when it last asked. */
  get lastHanded(): readonly Root[] {
    return this.handed ?? [];
  }

  /** Whether questions of this method within a call of a modern server are answered here. */
  answersInput(method: string): boolean {
    return method === rootsRequest && this.roots !== undefined;
  }

  /** To be awaited before {@link answerInput}, unless it is `undefined`. */
  lookAgain(): Promise<void> | undefined {
    return this.look?.();
  }

  /**
   * The answers to such questions, by their names. Without a question nothing is handed out, nor
   * when it is disposed of.
   *
   * @param tool whose call asks; `undefined` for any other request.
   */
  answerInput(
    keys: readonly string[],
    tool: string | undefined,
  ): Readonly<Record<string, unknown>> {
    const trigger: Trigger = tool === undefined ? asks : { kind: 'tools/call', tool };
    const roots = keys.length > 0 && !this.isDisposed ? this.answer(trigger, keys.length) : [];
    return Object.fromEntries(keys.map(key => [key, { roots }]));
  }

  /** Whether a response holds roots, which only {@link answerInput} may give. */
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

  /** The roots as they go over the wire. */
  private answer(trigger: Trigger, count: number): object[] {
    const roots = this.roots ?? [];
    this.told = roots;
    this.handed = roots;
    this.neglect.settle();
    // Only a legacy server can ask before the handshake has told its era.
    const era = this.client.getProtocolEra() ?? 'legacy';
    const known = roots.map(({ uri, name }) => ({ uri, name }));
    this.didAnswer.fire({ era, trigger, count, roots: known });
    return roots.map(onWire);
  }

  private notify(): void {
    // Equal lists are no change: a folder that came and went within the burst is nobody's news.
    if (!this.roots || !this.told || sameRoots(this.told, this.roots)) {
      return;
    }
    const era = this.client.getProtocolEra();
    if (!era) {
      // The handshake is not over. A server that asked before its end is told after it.
      this.notice.request();
      return;
    }
    this.told = this.roots;
    if (era === 'legacy') {
      // It fails only when the process is gone, and the connection reports that.
      this.client.notification({ method: rootsNotice }).catch(() => {});
      if (this.handed && !sameRoots(this.handed, this.roots)) {
        this.neglect.expect();
      }
    }
  }
}

/** A root with all that is told of it. (client/roots, `Root`.) */
function onWire(root: Root): object {
  return Object.assign({}, ...Object.values(partsOnWire).map(part => part(root)));
}

const partsOnWire: { readonly [K in keyof Root]-?: (root: Root) => object } = {
  uri: ({ uri }) => ({ uri }),
  name: ({ name }) => ({ name }),
  folder: ({ folder }) => (folder === undefined ? {} : { _meta: { [folderKey]: folder } }),
};

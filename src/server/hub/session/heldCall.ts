import { isDeepStrictEqual } from 'node:util';
import type { ServerContext } from '@modelcontextprotocol/server';
import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import type { RelayedRequest } from '../../../mcp/clientRelay.ts';
import type { ForwardedRequest, InputRequests } from '../../../mcp/forwarding.ts';
import type { RootFolders } from '../../roots/rootFolders.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { RawResult } from '../hubHost.ts';
import type { GuardedCall } from './guardedCalls.ts';
import { HeldCallQuestions } from './heldCallQuestions.ts';
import { type PassedProgress, progressTo } from './progressTo.ts';

/** What a {@link HeldCall} is. */
export interface HeldCallParts {
  readonly call: GuardedCall;
  /** Where its child is. */
  readonly set: ChildSet;
  /** The roots that it was begun with. */
  readonly folders: RootFolders;
}

/** How to send it to its child, in the turn in which this is called. */
export type SendHeld = (
  request: Pick<ForwardedRequest, 'signal' | 'onProgress'>,
) => Promise<RawResult>;

/**
 * A call that a child works on, which may take several requests of the client: each of them lasts
 * until there is the result, or something to ask of the client.
 */
export class HeldCall {
  readonly folders: RootFolders;
  private readonly parts: HeldCallParts;
  private readonly questions = new HeldCallQuestions();
  private readonly end = new AbortController();
  private readonly store = new DisposableStore();
  private readonly outcome: Promise<RawResult>;
  private progress: PassedProgress | undefined;
  private kept: IDisposable | undefined;
  private isOpen = false;

  /** Sends it, in this very turn, for the request that it comes with. */
  constructor(parts: HeldCallParts, { mcpReq }: ServerContext, send: SendHeld) {
    this.parts = parts;
    this.folders = parts.folders;
    const onProgress: ForwardedRequest['onProgress'] = told => this.progress?.tell(told);
    const wantsProgress = mcpReq._meta?.progressToken !== undefined;
    const request = { signal: this.end.signal, ...(wantsProgress && { onProgress }) };
    this.outcome = send(request).finally(() => this.settle());
    // What it comes to may be known while the client is busy with a question.
    this.outcome.catch(() => {});
  }

  /** Where its child is. */
  get set(): ChildSet {
    return this.parts.set;
  }

  /** Whether a request of the client is open, which would be the one to answer with a question. */
  get isInRound(): boolean {
    return this.isOpen;
  }

  /** What is disposed of when there is the result. */
  own(item: IDisposable): void {
    this.store.add(item);
  }

  /** Whether it is the call of this request. */
  isFor({ serverName, toolName, method, args }: GuardedCall): boolean {
    const { call } = this.parts;
    return (
      [call.serverName, call.toolName, call.method].join('\n') ===
        [serverName, toolName, method].join('\n') && isDeepStrictEqual(call.args, args)
    );
  }

  /** Asks the client, in the round that is open or in the next. */
  ask(request: RelayedRequest, signal: AbortSignal): Promise<RawResult> {
    return this.questions.ask(request, signal);
  }

  /** Passes on what the client says to the questions that it was handed. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    this.questions.answer(responses);
  }

  /**
   * Lasts until there is the result, or something to ask: then it is `undefined`. Whoever calls off
   * this request of the client meanwhile calls off the call; afterwards, the request is over.
   * @throws what the call fails with.
   */
  async round(context: ServerContext): Promise<RawResult | undefined> {
    const { signal } = context.mcpReq;
    const callOff = () => this.cancel(signal.reason);
    signal.addEventListener('abort', callOff, { once: true });
    if (signal.aborted) {
      callOff();
    }
    this.progress = progressTo(context);
    this.isOpen = true;
    try {
      return await Promise.race([this.outcome, this.questions.arrival().then(() => undefined)]);
    } finally {
      this.isOpen = false;
      this.progress?.dispose();
      this.progress = undefined;
      signal.removeEventListener('abort', callOff);
    }
  }

  /** What to ask of the client, whose next request may be long in coming: the child is kept. */
  hold(sets: { keep(set: ChildSet): IDisposable }): InputRequests {
    this.kept ??= this.store.add(sets.keep(this.parts.set));
    return this.questions.take();
  }

  /** The client can't be asked what it was not asked yet. */
  refuseWaiting(why: string): void {
    this.questions.refuseWaiting(why);
  }

  /** Calls it off: the child is told, with the reason. */
  cancel(reason: unknown): void {
    this.end.abort(reason);
    this.questions.refuseAll(over);
  }

  private settle(): void {
    // What the client was handed may be about another call of it, and is answered yet.
    this.questions.refuseWaiting(over);
    this.store.dispose();
  }
}

const over = 'The call is over.';

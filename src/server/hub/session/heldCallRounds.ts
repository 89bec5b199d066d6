import type { ServerContext } from '@modelcontextprotocol/server';
import { areAmong, type RootFolders } from '../../roots/rootFolders.ts';
import type { Caller } from '../children/callsInFlight.ts';
import type { Child } from '../children/child.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { GuardedCall } from './guardedCalls.ts';
import { HeldCall } from './heldCall.ts';
import { HeldCallers } from './heldCallers.ts';
import { type HeldCalls, namesHeldCall } from './heldCalls.ts';
import { answersIn, answerTo } from './questions.ts';
import { refuseRevoked } from './refusals.ts';
import type { SessionTenant } from './sessionTenant.ts';

/** What {@link HeldCallRounds} work with. */
export interface HeldCallRoundsParts {
  readonly host: Pick<HubHost, 'era'>;
  readonly tenant: Pick<SessionTenant, 'held'>;
  readonly held: HeldCalls;
}

/** A call to be begun, where, and by which roots it was judged. */
export interface NewHeldCall {
  readonly call: GuardedCall;
  readonly child: Child;
  readonly set: ChildSet;
  readonly folders: RootFolders;
}

/**
 * The rounds of one modern session in which a legacy child comes to a result: what it asks meanwhile
 * is the answer to the client's request, and the client repeats that with its answers.
 */
export class HeldCallRounds {
  private readonly parts: HeldCallRoundsParts;
  private readonly callers = new HeldCallers();

  constructor(parts: HeldCallRoundsParts) {
    this.parts = parts;
  }

  /** Whether the child may have something to ask, and the request can be answered with that. */
  canBegin({ method }: GuardedCall): boolean {
    const { host, tenant } = this.parts;
    const offers = tenant.held?.relay.capabilities ?? {};
    return (
      host.era === 'modern' &&
      Object.keys(offers).length > 0 &&
      // The one request for a child that has no other answer than its result.
      method !== 'completion/complete'
    );
  }

  /** As whom the session calls this child; `undefined`: as itself. */
  callerOf(child: Child): Caller | undefined {
    return this.parts.host.era === 'modern' ? this.callers.of(child) : undefined;
  }

  /** Whether the request goes on with a call, or means to. */
  isLater(context: ServerContext): boolean {
    return namesHeldCall(answersIn(context)?.continuation ?? '');
  }

  /** Sends the call in this very turn. */
  begin({ child, ...parts }: NewHeldCall, context: ServerContext): Promise<RawResult> {
    const caller = this.callers.of(child);
    const answers = answersIn(context);
    const held = new HeldCall(parts, context, request =>
      answerTo(parts.call, {
        child,
        caller,
        request: answers ? { ...request, answers } : request,
      }),
    );
    caller.add(held);
    return this.parts.held.run(held, context);
  }

  /**
   * The call that this request goes on with; `undefined` for one that begins.
   * @throws {HumanError} when that has ended, or is another one; when a root that was in force as it
   * began no longer is: then it is called off.
   */
  take(call: GuardedCall, context: ServerContext, now: RootFolders): HeldCall | undefined {
    const { continuation = '' } = answersIn(context) ?? {};
    const held = this.parts.held.take(continuation, call);
    if (held && !areAmong(held.folders, now)) {
      held.cancel('A root was revoked.');
      refuseRevoked();
    }
    return held;
  }

  /** Passes on the answers, and waits for what comes of it. */
  goOn(held: HeldCall, context: ServerContext): Promise<RawResult> {
    held.answer(answersIn(context)?.responses ?? {});
    return this.parts.held.run(held, context);
  }
}

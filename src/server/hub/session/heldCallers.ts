import { toDisposable } from '../../../base/disposable.ts';
import type { ClientRelay } from '../../../mcp/clientRelay.ts';
import type { Caller } from '../children/callsInFlight.ts';
import type { Child } from '../children/child.ts';
import type { RawResult } from '../hubHost.ts';
import type { HeldCall } from './heldCall.ts';

/** As whom a modern session calls each of its children. */
export class HeldCallers {
  private readonly callers = new WeakMap<Child, HeldCaller>();

  of(child: Child): HeldCaller {
    const caller = this.callers.get(child) ?? new HeldCaller();
    this.callers.set(child, caller);
    return caller;
  }
}

/**
 * One session towards one child. What that asks does not say for which call, and goes with the
 * answer to any of those that are the session's: the same client is asked.
 */
export class HeldCaller implements Caller {
  readonly relay: ClientRelay;
  private readonly calls = new Set<HeldCall>();

  constructor() {
    this.relay = {
      // What a child is offered is up to its tenant.
      capabilities: {},
      answer: async ({ method, params }, signal): Promise<RawResult> => {
        const call = this.latest;
        if (!call) {
          const error = new Error(`Nobody can be asked for ${method} now.`);
          throw Object.assign(error, { code: methodNotFound });
        }
        return call.ask({ method, params }, signal);
      },
    };
  }

  /** Notes a call, until it has its result. */
  add(call: HeldCall): void {
    this.calls.add(call);
    call.own(toDisposable(() => this.calls.delete(call)));
  }

  /** One of which the client waits for the answer, if there is one. */
  private get latest(): HeldCall | undefined {
    const calls = [...this.calls];
    return calls.findLast(({ isInRound }) => isInRound) ?? calls.at(-1);
  }
}

const methodNotFound = -32601;

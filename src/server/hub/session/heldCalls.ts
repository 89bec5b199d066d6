import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { IDisposable } from '../../../base/disposable.ts';
import { HumanError } from '../../../domain/errors.ts';
import type { After } from '../../after.ts';
import type { ChildSets } from '../children/childSets.ts';
import type { RawResult } from '../hubHost.ts';
import type { GuardedCall } from './guardedCalls.ts';
import type { HeldCall } from './heldCall.ts';
import { asQuestions } from './questions.ts';

/** What {@link HeldCalls} work with. */
export interface HeldCallsParts {
  readonly sets: Pick<ChildSets, 'keep'>;
  readonly after: After;
}

interface Held {
  readonly call: HeldCall;
  readonly timer: IDisposable;
}

const mostHeld = 100;
const longestHeld = 5 * 60_000;
const prefix = 'held:';

/**
 * The calls of all sessions that wait for a modern client to come back with its answers. Over HTTP
 * it does so in another session, so what it brings with it is all that it is known by: a name that
 * nobody can guess and nobody else is told, good for one time.
 */
export class HeldCalls implements IDisposable {
  private readonly parts: HeldCallsParts;
  private readonly held = new Map<string, Held>();

  constructor(parts: HeldCallsParts) {
    this.parts = parts;
  }

  /** The result of the call, or what the child wants to know first: then the call is held. */
  async run(call: HeldCall, context: ServerContext): Promise<RawResult> {
    for (;;) {
      const result = await call.round(context);
      if (result) {
        return result;
      }
      if (this.held.size < mostHeld) {
        return this.hold(call);
      }
      call.refuseWaiting('Too many clients are being asked something already.');
    }
  }

  /**
   * The call that the client goes on with, which is held no more; `undefined` for any other.
   * @throws {HumanError} when there is none of that name, or it is not the same call.
   */
  take(name: string, call: GuardedCall): HeldCall | undefined {
    if (!namesHeldCall(name)) {
      return undefined;
    }
    const found = this.held.get(name);
    if (!found) {
      throw new HumanError(
        'The call that these answers are for has ended: they came too late, or a second time.',
      );
    }
    if (!found.call.isFor(call)) {
      throw new HumanError(
        'The answers are for another call. It has to be repeated with the same server, tool and ' +
          'arguments.',
      );
    }
    this.forget(name);
    return found.call;
  }

  /** Calls all of them off. */
  dispose(): void {
    for (const [name, { call }] of [...this.held]) {
      this.forget(name);
      call.cancel('The hub is ending.');
    }
  }

  private hold(call: HeldCall): RawResult {
    const name = prefix + randomUUID();
    const requests = call.hold(this.parts.sets);
    const timer = this.parts.after(longestHeld, () => {
      this.forget(name);
      call.cancel('The client did not come back with its answers.');
    });
    this.held.set(name, { call, timer });
    return asQuestions({ kind: 'questions', requests, continuation: name });
  }

  private forget(name: string): void {
    this.held.get(name)?.timer.dispose();
    this.held.delete(name);
  }
}

/** Whether it is a name as they have, though there may be none of it. */
export function namesHeldCall(name: string): boolean {
  return name.startsWith(prefix);
}

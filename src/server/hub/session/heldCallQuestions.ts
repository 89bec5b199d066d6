import { isJsonObject } from '../../../domain/settings/values.ts';
import type { RelayedRequest } from '../../../mcp/clientRelay.ts';
import type { InputRequests } from '../../../mcp/forwarding.ts';
import type { RawResult } from '../hubHost.ts';

interface Question {
  readonly request: RelayedRequest;
  readonly resolve: (answer: RawResult) => void;
  readonly reject: (error: unknown) => void;
}

/** What a child asks while it works on one call, until the client has answered it. */
export class HeldCallQuestions {
  private readonly waiting = new Map<string, Question>();
  /** Those that the client was handed. */
  private readonly asked = new Map<string, Question>();
  private lastKey = 0;
  private wake: () => void = () => {};

  /**
   * Settles with the client's answer, as it came.
   * @throws an error for the child when there is none; the reason of the signal when that says that
   * nobody waits for it any more.
   */
  ask(request: RelayedRequest, signal: AbortSignal): Promise<RawResult> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.lastKey += 1;
      const key = String(this.lastKey);
      const forget = () => {
        this.waiting.delete(key);
        this.asked.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener('abort', forget, { once: true });
      this.waiting.set(key, { request, resolve, reject });
      this.wake();
    });
  }

  /** Settles when there are some to {@link take}. One that listens at a time. */
  async arrival(): Promise<void> {
    while (this.waiting.size === 0) {
      await new Promise<void>(resolve => {
        this.wake = resolve;
      });
      // What a server asks side by side comes in one turn of the loop, and is one round.
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  /** Those that the client has not been handed yet; now it has. */
  take(): InputRequests {
    const taken = [...this.waiting];
    this.waiting.clear();
    for (const [key, question] of taken) {
      this.asked.set(key, question);
    }
    return Object.fromEntries(taken.map(([key, { request }]) => [key, request]));
  }

  /** Passes on the answers to all that the client was handed; to what it left out there is none. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    const asked = [...this.asked];
    this.asked.clear();
    for (const [key, { resolve, reject }] of asked) {
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (isJsonObject(response)) {
        resolve({ ...response });
      } else {
        reject(noAnswer('The client has not answered.'));
      }
    }
  }

  /** Those that the client was not handed will not be. */
  refuseWaiting(why: string): void {
    refuse(this.waiting, why);
  }

  /** Nobody will answer any of them. */
  refuseAll(why: string): void {
    refuse(this.waiting, why);
    refuse(this.asked, why);
  }
}

function refuse(questions: Map<string, Question>, why: string): void {
  for (const { reject } of questions.values()) {
    reject(noAnswer(why));
  }
  questions.clear();
}

/** Goes back to the server as the error of its request. */
function noAnswer(why: string): Error {
  return Object.assign(new Error(why), { code: internalError });
}

const internalError = -32603;

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { After } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { Progress } from '../../domain/progress.ts';
import { HumanError } from '../../domain/sentence.ts';
import {
  asInputRequired,
  type ForwardedRequest,
  type InputRequests,
} from '../../mcp/forwarding.ts';
import type { RelayedRequest } from '../../mcp/relayedRequests.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { RootFolders } from '../../server/roots/rootFolders.ts';
import type { RawResult } from '../hubHost.ts';

const longestSuspended = 5 * 60_000;
const namePrefix = 'held:';

/**
 * The calls of a session that wait for its modern client to come back with its answers. The name that
 * it brings tells which call it resumes, and is good for one time.
 */
export class SuspendedCalls implements IDisposable {
  private readonly after: After;
  private readonly suspended = new Map<string, Suspended>();

  constructor(after: After) {
    this.after = after;
  }

  /** The result of the call, or its server's questions: then the call is suspended. */
  async run(call: SuspendableCall, context: RequestContext): Promise<RawResult> {
    return (await call.round(context)) ?? this.suspend(call);
  }

  /**
   * The call that the client resumes, no longer suspended; `undefined` when the name is not one of
   * a suspended call.
   * @throws {HumanError} when the call of that name has ended, or the client repeats another one.
   */
  resume(name: string, call: CalledWith): SuspendableCall | undefined {
    if (!namesSuspendedCall(name)) {
      return undefined;
    }
    const found = this.suspended.get(name);
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

  dispose(): void {
    for (const [name, { call }] of [...this.suspended]) {
      this.forget(name);
      call.cancel('The hub is ending.');
    }
  }

  private suspend(call: SuspendableCall): RawResult {
    const name = namePrefix + randomUUID();
    const timer = this.after(longestSuspended, () => {
      this.forget(name);
      call.cancel('The client did not come back with its answers.');
    });
    this.suspended.set(name, { call, timer });
    return asQuestions(call.takeQuestions(), name);
  }

  private forget(name: string): void {
    this.suspended.get(name)?.timer.dispose();
    this.suspended.delete(name);
  }
}

interface Suspended {
  readonly call: SuspendableCall;
  readonly timer: IDisposable;
}

/** Whether a name has the form of those of suspended calls; the call may have ended. */
export function namesSuspendedCall(name: string): boolean {
  return name.startsWith(namePrefix);
}

/** The part of a request that has to be the same for it to resume a call. */
interface CalledWith {
  readonly serverName: string;
  readonly toolName: string;
  readonly method: string;
  readonly args: unknown;
}

interface Begun {
  readonly call: CalledWith;
  /** The id of the upstream that works on the call. */
  readonly upstream: string;
  /** The roots that were in force when the call began. */
  readonly folders: RootFolders;
}

interface ServerQuestion {
  readonly request: RelayedRequest;
  readonly resolve: (answer: RawResult) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the client was handed it. */
  isAsked: boolean;
}

/**
 * A call that a legacy server works on for a modern client. The client may make several requests
 * for it: each request lasts until there is the result, or a question for the client.
 */
export class SuspendableCall {
  readonly begun: Begun;
  /** Resolves when the call has its result, or has failed. */
  readonly over: Promise<unknown>;
  /** Questions of the server that the client has not answered. */
  private readonly questions = new Map<string, ServerQuestion>();
  private readonly end = new AbortController();
  private readonly outcome: Promise<RawResult>;
  private progress: PassedProgress | undefined;
  private isOpen = false;
  private lastKey = 0;
  private wake: () => void = () => {};

  /** @param send sends the call to its server; the constructor calls it, in the same turn. */
  constructor(
    begun: Begun,
    { mcpReq }: RequestContext,
    send: (request: Pick<ForwardedRequest, 'signal' | 'onProgress'>) => Promise<RawResult>,
  ) {
    this.begun = begun;
    const onProgress: ForwardedRequest['onProgress'] = told => this.progress?.tell(told);
    const wantsProgress = mcpReq._meta?.progressToken !== undefined;
    const request = { signal: this.end.signal, ...(wantsProgress && { onProgress }) };
    // Only questions that were not handed out yet are refused then. Those that the client has may
    // concern another of its calls, and it will still answer them.
    this.outcome = send(request).finally(() => this.refuse(this.waiting));
    // The call may fail while the client is busy with a question and nothing awaits the outcome.
    this.over = this.outcome.catch(() => {});
  }

  /** Whether a request of the client is open, so that a question can be its answer. */
  get isInRound(): boolean {
    return this.isOpen;
  }

  isFor({ serverName, toolName, method, args }: CalledWith): boolean {
    const { call } = this.begun;
    return (
      call.serverName === serverName &&
      call.toolName === toolName &&
      call.method === method &&
      isDeepStrictEqual(call.args, args)
    );
  }

  /**
   * Asks the client, in the open round or in the next; resolves with the client's answer,
   * unchanged.
   * @throws an error for the server when the client does not answer; the signal's reason when the
   * server no longer waits for an answer.
   */
  ask(request: RelayedRequest, signal: AbortSignal): Promise<RawResult> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.lastKey += 1;
      const key = String(this.lastKey);
      const forget = () => {
        this.questions.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener('abort', forget, { once: true });
      this.questions.set(key, { request, resolve, reject, isAsked: false });
      this.wake();
    });
  }

  /** Answers the questions that the client was handed, and refuses those that it left out. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    const asked = [...this.questions].filter(([, { isAsked }]) => isAsked);
    for (const [key, { resolve, reject }] of asked) {
      this.questions.delete(key);
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (isJsonObject(response)) {
        resolve({ ...response });
      } else {
        reject(noAnswer('The client has not answered.'));
      }
    }
  }

  /**
   * One round: resolves with the result, or with `undefined` when there is a question for the
   * client. A client that cancels the request of this round cancels the call; after the round it
   * can't.
   * @throws the error that the call fails with.
   */
  async round(context: RequestContext): Promise<RawResult | undefined> {
    const { signal } = context.mcpReq;
    const callOff = () => this.cancel(signal.reason);
    signal.addEventListener('abort', callOff, { once: true });
    if (signal.aborted) {
      callOff();
    }
    this.progress = progressTo(context);
    this.isOpen = true;
    try {
      return await Promise.race([this.outcome, this.arrival().then(() => undefined)]);
    } finally {
      this.isOpen = false;
      this.progress?.dispose();
      this.progress = undefined;
      signal.removeEventListener('abort', callOff);
    }
  }

  /** The questions that the client was not handed yet, to hand to it now. */
  takeQuestions(): InputRequests {
    const taken = this.waiting;
    for (const [, question] of taken) {
      question.isAsked = true;
    }
    return Object.fromEntries(taken.map(([key, { request }]) => [key, request]));
  }

  /** Cancels the call: the server is told, with the reason. */
  cancel(reason: unknown): void {
    this.end.abort(reason);
    this.refuse([...this.questions]);
  }

  private get waiting(): [string, ServerQuestion][] {
    return [...this.questions].filter(([, { isAsked }]) => !isAsked);
  }

  /** Resolves when there are questions to take. One caller may wait at a time. */
  private async arrival(): Promise<void> {
    while (this.waiting.length === 0) {
      await new Promise<void>(resolve => {
        this.wake = resolve;
      });
      // Questions that a server asks in parallel come in one turn of the event loop: one round.
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  private refuse(questions: readonly [string, ServerQuestion][]): void {
    for (const [key, { reject }] of questions) {
      this.questions.delete(key);
      reject(noAnswer('The call is over.'));
    }
  }
}

function noAnswer(why: string): Error {
  return Object.assign(new Error(why), { code: internalError });
}

const internalError = -32603;

// Tells the keys of a server's questions from those of the bundled server's own, such as for roots.
const questionPrefix = 'server.';

/** A server's questions as the result of the client's call. */
export function asQuestions(questions: InputRequests, continuation: string): RawResult {
  const asked = Object.entries(questions).map(([key, one]) => [questionPrefix + key, one]);
  return asInputRequired(Object.fromEntries(asked), continuation);
}

/** The client's answers to a server's questions; `undefined` in the first round of a call. */
export function answersIn({ mcpReq }: RequestContext): ForwardedRequest['answers'] | undefined {
  const continuation = mcpReq.requestState();
  if (typeof continuation !== 'string') {
    return undefined;
  }
  const given = Object.entries(mcpReq.inputResponses ?? {}).filter(([key]) =>
    key.startsWith(questionPrefix),
  );
  const responses = Object.fromEntries(
    given.map(([key, response]) => [key.slice(questionPrefix.length), response]),
  );
  return { responses, continuation };
}

/** Passes a call's progress on to the client; disposing sends the latest progress not sent yet. */
interface PassedProgress extends IDisposable {
  readonly tell: NonNullable<ForwardedRequest['onProgress']>;
}

/** A server may report as fast as it likes; when it reports faster than this, the latest counts. */
const pace = { perSecond: 50, mostWaiting: 1 };

/** `undefined` when the client did not ask for progress. */
export function progressTo({ mcpReq }: RequestContext): PassedProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return undefined;
  }
  let latest: Progress | undefined;
  const pass = () => {
    // Nobody waits for a cancelled request.
    if (latest && !mcpReq.signal.aborted) {
      const params = { ...latest, progressToken };
      // Sending fails only when the client has ended the session, which ends the call as well.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    }
    latest = undefined;
  };
  // The limiter queues only the moment of sending; what `pass` sends then is the latest progress.
  const limiter = new RateLimiter<'told'>(pass, pace);
  return {
    tell: progress => {
      latest = progress;
      limiter.add('told');
    },
    dispose: () => {
      limiter.dispose();
      pass();
    },
  };
}

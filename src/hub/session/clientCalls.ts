import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { whenAborted } from '../../base/abortSignals.ts';
import type { After } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import type { Progress } from '../../domain/progress.ts';
import { HumanError } from '../../domain/sentence.ts';
import {
  asInputRequired,
  type ForwardedRequest,
  type RelayedRequest,
} from '../../mcp/link/forwarding.ts';
import type { HubHost, RawResult } from '../../server/hubHost.ts';
import { asItCame, type RequestContext } from '../../server/requestContext.ts';
import type { RootFolders } from '../../server/roots/rootFolders.ts';

/** The most questions that a server may ask about one call. A server in a loop asked 400 a second. */
const mostQuestions = 50;

/** The longest wait for an answer, in milliseconds. The person who must answer may be away. */
const longestAnswer = 30 * 60_000;

/**
 * The session's calls that have no result yet. Their servers' questions go to the client. A legacy
 * client gets a question as a request, a modern client as the answer to the call. The modern call
 * is then suspended, under a name that is valid once, until the client repeats it with answers.
 */
export class ClientCalls {
  private readonly era: HubHost['era'];
  private readonly after: After;
  private readonly open = new Set<ClientCall>();
  private readonly suspended = new Map<string, ClientCall>();

  constructor(era: HubHost['era'], after: After) {
    this.era = era;
    this.after = after;
  }

  /** Begins a call. @param send sends the call to its server, in this turn of the event loop. */
  begin(begun: Begun, context: RequestContext, send: Send): ClientCall {
    const client = this.era === 'legacy' ? context : undefined;
    const call = new ClientCall(begun, context, send, client);
    this.open.add(call);
    void call.over.then(() => this.open.delete(call));
    return call;
  }

  /**
   * Passes a legacy server's question on to the client. The question does not name its call. So it
   * goes to the latest call that has an open request of the client, or else to the latest call.
   */
  async answer(request: RelayedRequest, signal: AbortSignal, upstream: string): Promise<RawResult> {
    const calls = [...this.open].filter(
      ({ begun }) => begun.upstream === upstream && begun.canBeAsked,
    );
    const call = calls.findLast(({ isInRound }) => isInRound) ?? calls.at(-1);
    return call ? call.ask(request, signal) : refuseQuestion(request);
  }

  /**
   * Returns the result of the call. Or suspends the call, and returns the questions of its server.
   *
   * @param revoked aborted when a root that the call began with is no longer shared.
   */
  async run(call: ClientCall, context: RequestContext, revoked?: AbortSignal): Promise<RawResult> {
    return (await call.round(context, revoked)) ?? this.suspend(call);
  }

  /**
   * Returns the call that the client resumes. The call is then no longer suspended.
   * @throws {HumanError} when the named call has ended, or the client repeats a different call.
   */
  resume(name: string, call: CalledWith): ClientCall {
    const found = this.suspended.get(name);
    if (!found) {
      throw new HumanError('The call has ended. The answers came too late, or a second time.');
    }
    if (!found.isFor(call)) {
      throw new HumanError(
        'The answers are for another call. Repeat the call with the same server, tool and arguments.',
      );
    }
    this.suspended.delete(name);
    return found;
  }

  private suspend(call: ClientCall): RawResult {
    const name = randomUUID();
    this.suspended.set(name, call);
    // The timer holds only the name. So a resumed call does not stay in memory.
    this.after(longestAnswer, () => {
      this.suspended.get(name)?.cancel("The client did not answer the server's questions in time.");
      this.suspended.delete(name);
    });
    return asInputRequired(call.takeQuestions(), name);
  }
}

/** The part of a request that must be the same to resume a call. */
interface CalledWith {
  readonly serverName: string;
  readonly toolName: string;
  readonly args: unknown;
}

interface Begun {
  readonly call: CalledWith;
  /** The id of the upstream that works on the call. */
  readonly upstream: string;
  /** The roots that were in force when the call began. */
  readonly folders: RootFolders;
  /** Whether the client declared a capability for servers' questions. */
  readonly canBeAsked: boolean;
}

/** Sends a call to its server. The function already has the call's parameters. */
type Send = (
  request: Pick<ForwardedRequest, 'signal' | 'onProgress' | 'answer'>,
) => Promise<RawResult>;

interface ServerQuestion {
  readonly request: RelayedRequest;
  readonly resolve: (answer: RawResult) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the client has the question. */
  isAsked: boolean;
}

/**
 * A call that a server works on. A modern client may make several requests for one call. Each
 * request lasts until there is the result, or a question for the client.
 */
export class ClientCall {
  readonly begun: Begun;
  /** Resolves when the call has its result, or has failed. */
  readonly over: Promise<unknown>;
  /** Whether a request of the client for this call is open. Its answer can be a question. */
  isInRound = false;
  /** The request of a legacy client, for questions to it. `undefined`: the client is modern. */
  private readonly client: RequestContext | undefined;
  /** Questions of the server that the client has not answered. */
  private readonly questions = new Map<string, ServerQuestion>();
  private readonly end = new AbortController();
  private readonly outcome: Promise<RawResult>;
  private progress: PassedProgress | undefined;
  /** The number of questions that the server asked. */
  private asked = 0;
  private wake: () => void = () => {};

  constructor(
    begun: Begun,
    { mcpReq }: RequestContext,
    send: Send,
    client: RequestContext | undefined,
  ) {
    this.begun = begun;
    this.client = client;
    const onProgress = (told: Progress) => this.progress?.tell(told);
    const wantsProgress = mcpReq._meta?.progressToken !== undefined;
    const answer = this.ask.bind(this);
    const { signal } = this.end;
    // Refuses only questions that the client does not have yet. The client still answers the
    // questions that it has, because they may concern another of its calls.
    this.outcome = send({ signal, answer, ...(wantsProgress && { onProgress }) }).finally(() =>
      this.refuse(this.waiting),
    );
    // The call may fail while the client is busy with a question and nothing awaits the outcome.
    this.over = this.outcome.catch(() => {});
  }

  isFor({ serverName, toolName, args }: CalledWith): boolean {
    const { call } = this.begun;
    return (
      call.serverName === serverName &&
      call.toolName === toolName &&
      isDeepStrictEqual(call.args, args)
    );
  }

  /**
   * Asks the client. A modern client gets the question as the answer to its open or next request.
   * Resolves with the client's answer.
   * @throws an error for the server when the client does not answer. The signal's reason when the
   * server no longer waits.
   */
  async ask(request: RelayedRequest, signal: AbortSignal): Promise<RawResult> {
    const { method, params } = request;
    if (!this.begun.canBeAsked) {
      return refuseQuestion(request);
    }
    this.asked += 1;
    if (this.asked > mostQuestions) {
      const template = 'The server "{0}" asked more than {1} questions within one call.';
      const { serverName } = this.begun.call;
      const tooMany = new HumanError(template, printable(serverName), String(mostQuestions));
      this.cancel(tooMany);
      throw tooMany;
    }
    if (this.client) {
      // The server and the client agree on the answer's form. The hub does not check it.
      const options = { signal, timeout: longestAnswer };
      return (await this.client.mcpReq.send({ method, params }, asItCame, options)) as RawResult;
    }
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // The prefix keeps these keys apart from the keys of the bundled server's own questions.
      const key = `server.${this.asked}`;
      const forget = () => {
        this.questions.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener('abort', forget, { once: true });
      this.questions.set(key, { request: { method, params }, resolve, reject, isAsked: false });
      this.wake();
    });
  }

  /** Answers the questions that the client has, and refuses the questions that it left out. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    const asked = [...this.questions].filter(([, { isAsked }]) => isAsked);
    for (const [key, { resolve, reject }] of asked) {
      this.questions.delete(key);
      const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (isJsonObject(response)) {
        resolve({ ...response });
      } else {
        reject(noAnswer('The client did not answer this question.'));
      }
    }
  }

  /**
   * Handles one request of the client for the call. Resolves with the result, or with `undefined`
   * when a question for the client waits. If the client cancels the request before that, cancels
   * the call. A later cancellation has no effect.
   * @throws the error that the call fails with.
   */
  async round(context: RequestContext, revoked?: AbortSignal): Promise<RawResult | undefined> {
    const { signal } = context.mcpReq;
    const ends = [signal, ...(revoked ? [revoked] : [])];
    const callOff = () => this.cancel(ends.find(({ aborted }) => aborted)?.reason);
    for (const end of ends) {
      whenAborted(end, callOff);
    }
    this.progress = progressTo(context);
    this.isInRound = true;
    try {
      return await (this.client ? this.outcome : Promise.race([this.outcome, this.arrival()]));
    } finally {
      this.isInRound = false;
      this.progress?.dispose();
      this.progress = undefined;
      for (const end of ends) {
        end.removeEventListener('abort', callOff);
      }
    }
  }

  /** Returns the questions that the client does not have yet. The caller must send them now. */
  takeQuestions(): Readonly<Record<string, RelayedRequest>> {
    const taken = this.waiting;
    for (const [, question] of taken) {
      question.isAsked = true;
    }
    return Object.fromEntries(taken.map(([key, { request }]) => [key, request]));
  }

  /** Cancels the call. The server gets the reason. */
  cancel(reason: unknown): void {
    this.end.abort(reason);
    this.refuse([...this.questions]);
  }

  private get waiting(): [string, ServerQuestion][] {
    return [...this.questions].filter(([, { isAsked }]) => !isAsked);
  }

  /** Resolves when there are questions to take. One caller may wait at a time. */
  private async arrival(): Promise<undefined> {
    while (this.waiting.length === 0) {
      await new Promise<void>(resolve => {
        this.wake = resolve;
      });
      // A server's parallel questions come in one turn of the event loop. The client gets them together.
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  private refuse(questions: readonly [string, ServerQuestion][]): void {
    for (const [key, { reject }] of questions) {
      this.questions.delete(key);
      reject(noAnswer('The call has ended.'));
    }
  }
}

/** The error that a server gets in the place of an answer. */
function noAnswer(why: string, code = -32603): Error {
  return Object.assign(new Error(why), { code });
}

function refuseQuestion({ method }: RelayedRequest): never {
  throw noAnswer(`${method}: no client can answer questions now.`, -32601);
}

/** Passes a call's progress on to the client. `dispose` sends the progress that still waits. */
interface PassedProgress extends IDisposable {
  readonly tell: NonNullable<ForwardedRequest['onProgress']>;
}

/** Limit of progress notices, because a server may report as fast as it likes. Only the latest waits. */
const pace = { perSecond: 50, mostWaiting: 1 };

/** Progress for the client of a request. `undefined`: the client did not ask for progress. */
export function progressTo({ mcpReq }: RequestContext): PassedProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return undefined;
  }
  let latest: Progress | undefined;
  const pass = () => {
    // The client of a cancelled request does not wait for progress.
    if (latest && !mcpReq.signal.aborted) {
      const params = { ...latest, progressToken };
      // Sending fails only when the client has ended the session. The call ends with the session.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    }
    latest = undefined;
  };
  // The limiter queues only the moment of sending. `pass` then sends the latest progress.
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

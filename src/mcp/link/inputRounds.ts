import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import {
  asInputRequired,
  type ForwardedQuestions,
  type InputAnswers,
  type InputRequest,
  type InputRequests,
} from './forwarding.ts';
import { type RootsAnswerer, rootsRequest } from './rootsAnswerer.ts';
import type { RootsOfClient } from './rootsOfClient.ts';

interface AnsweredRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** A request that is repeated until the server has no more questions about it. */
interface RepeatedRequest<T> extends AnsweredRequest {
  readonly answers?: InputAnswers | undefined;
  /** Sends the request once. The result may be questions. */
  readonly send: (params: JsonObject) => Promise<T>;
}

/** The answers to the server's last questions, for the next time that the request is sent. */
interface KnownAnswers {
  readonly responses: JsonObject;
  readonly continuation: Continuation;
}

/** The outcome of a request: its result, or questions for the client that made it. */
type RoundsOutcome<T> = { readonly kind: 'result'; readonly result: T } | ForwardedQuestions;

const mostRounds = 10;
/** The most questions in one answer of a server. A person or a model must answer each question. */
const mostQuestions = 50;

/** The key of the question to a client for its own roots. */
const clientRootsKey = 'mcp-roots/client-roots';
const clientRootsQuestion: [string, InputRequest] = [clientRootsKey, { method: rootsRequest }];

/**
 * Sends requests that may take several rounds. In a round, a modern server answers the request with
 * questions, and the request is repeated with answers. `RootsAnswerer` answers questions for roots.
 */
export class InputRounds {
  private readonly client: Pick<Client, 'getProtocolEra'>;
  private readonly answerer: RootsAnswerer;
  private readonly mayAsk: (method: string) => boolean;
  private readonly clientRoots: () => Pick<RootsOfClient, 'take'> | undefined;
  /** The key that seals the state that a client keeps for us from one round to the next. */
  private readonly key = randomBytes(32);

  /**
   * @param mayAsk whether the server may also ask questions of this method.
   * @param clientRoots receives the client's roots before the server gets any. `undefined`: no
   * client is asked for its roots.
   */
  constructor(
    client: Pick<Client, 'getProtocolEra'>,
    answerer: RootsAnswerer,
    mayAsk: (method: string) => boolean,
    clientRoots: () => Pick<RootsOfClient, 'take'> | undefined = () => undefined,
  ) {
    this.client = client;
    this.answerer = answerer;
    this.mayAsk = mayAsk;
    this.clientRoots = clientRoots;
  }

  /**
   * Sends a request until there is a result, or a question that is not about roots.
   *
   * @throws {HumanError} when the server asks for something it was not offered, or keeps asking,
   * and when the given answers are not valid.
   */
  async run<T extends object>(request: RepeatedRequest<T>): Promise<RoundsOutcome<T>> {
    const { params, answers, send } = request;
    let known = answers && this.answered(answers, request);
    for (let count = 0; count <= mostRounds; count++) {
      const isAsked = known !== undefined && known.continuation.roots.length > 0;
      const looking = isAsked ? this.answerer.lookAgain() : undefined;
      if (looking !== undefined) {
        await looking;
      }
      const result = await send(known ? this.repetition(known, request) : params);
      const asked = this.client.getProtocolEra() === 'modern' ? askedForInput(result) : undefined;
      if (!asked) {
        return { kind: 'result', result };
      }
      const { others, continuation } = this.sorted(asked, request);
      if (others.length > 0) {
        const requests = Object.fromEntries(others);
        return { kind: 'questions', requests, continuation: this.sealed(continuation, request) };
      }
      known = { responses: {}, continuation };
    }
    throw askedAgainAndAgain(request);
  }

  /**
   * Sends a request until there is a result. `answer` answers all other questions.
   *
   * @throws {HumanError} as {@link run}, and whatever `answer` rejects with.
   */
  async runToEnd<T extends object>(
    request: RepeatedRequest<T>,
    answer: (questions: InputRequests) => Promise<InputAnswers['responses']>,
  ): Promise<T> {
    let outcome = await this.run(request);
    for (let count = 0; outcome.kind === 'questions'; count++) {
      if (count === mostRounds) {
        throw askedAgainAndAgain(request);
      }
      const { requests, continuation } = outcome;
      const answers = { responses: await answer(requests), continuation };
      outcome = await this.run({ ...request, answers });
    }
    return outcome.result;
  }

  /**
   * Sends a request of a client that itself repeats the request. Its parameters have the answers in
   * `inputResponses`, and the result may be questions for the client.
   *
   * @throws {HumanError} as {@link run}.
   */
  async relay({ params, ...request }: RepeatedRequest<JsonObject>): Promise<JsonObject> {
    const { inputResponses, requestState, ...own } = params;
    const answers = { responses: Object(inputResponses), continuation: String(requestState) };
    const isFirst = requestState === undefined;
    const outcome = await this.run({ ...request, params: own, ...(!isFirst && { answers }) });
    return outcome.kind === 'result'
      ? outcome.result
      : asInputRequired(outcome.requests, outcome.continuation);
  }

  /**
   * Refuses answers of the client that hold roots: the client must not decide what the server may see.
   *
   * @throws {HumanError} when one of the answers holds roots.
   */
  refuseRoots(responses: JsonObject): void {
    if (Object.values(responses).some(response => this.answerer.isRootsAnswer(response))) {
      throw new HumanError(
        "An answer to the server's question contains roots. That is not allowed.",
      );
    }
  }

  private sorted({ requests, state }: AskedForInput, request: AnsweredRequest) {
    const questions = Object.entries(requests);
    if (questions.length > mostQuestions) {
      throw tooMany(request, questions.length);
    }
    const isOurs = ([, { method }]: [string, InputRequest]) => this.answerer.answersInput(method);
    const others = questions.filter(question => !isOurs(question));
    const [, refused] = others.find(([, { method }]) => !this.mayAsk(method)) ?? [];
    if (refused) {
      throw notOffered(request, refused.method);
    }
    const roots = questions.filter(isOurs).map(([key]) => key);
    const before = roots.length > 0 && this.clientRoots() ? [clientRootsQuestion] : [];
    const asked = [...others, ...before];
    const continuation: Continuation = { state, roots, asked: asked.map(([key]) => key) };
    return { others: asked, continuation };
  }

  private answered(
    { responses: { [clientRootsKey]: told, ...responses }, continuation }: InputAnswers,
    request: AnsweredRequest,
  ): KnownAnswers {
    this.refuseRoots(responses);
    const known = this.opened(continuation, request);
    if (known.roots.length > 0) {
      this.clientRoots()?.take(told);
    }
    const asked = new Set(known.asked);
    const wanted = Object.entries(responses).filter(([key]) => asked.has(key));
    return { responses: Object.fromEntries(wanted), continuation: known };
  }

  private sealed(continuation: Continuation, request: AnsweredRequest): string {
    const start = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, start).setAAD(subjectOf(request));
    const text = Buffer.concat([cipher.update(JSON.stringify(continuation)), cipher.final()]);
    return Buffer.concat([start, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** @throws {HumanError} when the text was not sealed here, for this request. */
  private opened(text: string, request: AnsweredRequest): Continuation {
    const bytes = Buffer.from(text, 'base64url');
    try {
      const [start, tag] = [bytes.subarray(0, 12), bytes.subarray(12, 28)];
      const options = { authTagLength: 16 };
      const decipher = createDecipheriv('aes-256-gcm', this.key, start, options)
        .setAAD(subjectOf(request))
        .setAuthTag(tag);
      const opened = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
      return JSON.parse(opened.toString());
    } catch (cause) {
      const error = new HumanError('The call has a wrong request state. Begin the call anew.');
      error.cause = cause;
      throw error;
    }
  }

  private repetition(
    { responses, continuation }: KnownAnswers,
    request: AnsweredRequest,
  ): JsonObject {
    const { state, roots } = continuation;
    const tool = request.method === 'tools/call' ? nameOf(request) : undefined;
    return {
      ...request.params,
      inputResponses: { ...responses, ...this.answerer.answerInput(roots, tool) },
      // The server gets its own state back exactly, or none if it sent none. (2026-07-28, basic/patterns/mrtr)
      ...(state !== undefined && { requestState: state }),
    };
  }
}

function tooMany(request: AnsweredRequest, count: number): HumanError {
  const template = 'The tool "{0}" asked {1} questions in one answer. The limit is {2} questions.';
  return new HumanError(template, nameOf(request), String(count), String(mostQuestions));
}

function notOffered(request: AnsweredRequest, method: string): HumanError {
  const template = 'The tool "{0}" asked for {1}, which the client does not offer.';
  return new HumanError(template, nameOf(request), method);
}

function askedAgainAndAgain(request: AnsweredRequest): HumanError {
  return new HumanError('The tool "{0}" asked for input too many times.', nameOf(request));
}

/** The name of the tool or prompt, or the URI of the resource; otherwise the method. */
function nameOf({ method, params }: AnsweredRequest): string {
  const { name, uri } = params;
  return [name, uri].find(value => typeof value === 'string') ?? method;
}

/** The questions that a modern server sends instead of a result. (2026-07-28, basic/patterns/mrtr) */
interface AskedForInput {
  readonly requests: InputRequests;
  /** The server's state for the next round. `undefined`: the server sent none. */
  readonly state: string | undefined;
}

/**
 * The questions in a server's answer. `undefined`: the answer is the result of the request.
 *
 * @throws {SdkError} when the server asks for input without any question.
 */
function askedForInput(result: object): AskedForInput | undefined {
  const {
    resultType,
    inputRequests = {},
    requestState,
  } = result as { readonly [key: string]: unknown };
  if (resultType !== 'input_required') {
    return undefined;
  }
  const isState = requestState === undefined || typeof requestState === 'string';
  const isEmpty = requestState === undefined && Object.keys(Object(inputRequests)).length === 0;
  if (!isState || isEmpty || !areInputRequests(inputRequests)) {
    throw new SdkError(
      SdkErrorCode.InvalidResult,
      'The server asks for input, but not with a valid question.',
    );
  }
  return { requests: inputRequests, state: requestState };
}

function areInputRequests(value: unknown): value is InputRequests {
  const isOne = (request: unknown) => typeof Object(request).method === 'string';
  return isJsonObject(value) && Object.values(value).every(isOne);
}

/** Returns what a sealed state is bound to: the method, and the tool, prompt or resource. */
function subjectOf(request: AnsweredRequest): Buffer {
  return Buffer.from(JSON.stringify([request.method, nameOf(request)]));
}

/** The state from a round with questions to the round with answers. The client keeps it, sealed. */
interface Continuation {
  /** The server's own state, which it gets back exactly; `undefined` when it sent none. */
  readonly state: string | undefined;
  /** The names of the server's questions for roots. */
  readonly roots: readonly string[];
  /** The names of the questions that the client was asked. Answers to other questions are dropped. */
  readonly asked: readonly string[];
}

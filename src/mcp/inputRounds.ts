import type { Client } from '@modelcontextprotocol/client';
import { HumanError } from '../domain/errors.ts';
import { type AskedForInput, askedForInput } from './askedForInput.ts';
import { type Continuation, continuationText, readContinuation } from './continuation.ts';
import type { InputAnswers, InputRequest, Questions } from './forwarding.ts';
import type { RootsAnswerer } from './rootsAnswerer.ts';

type Params = Readonly<Record<string, unknown>>;

interface Request {
  readonly method: string;
  readonly params: Params;
}

/** A request, which is sent as often as the server has questions about it. */
export interface RepeatedRequest<T> extends Request {
  /** What was answered to the questions of an earlier round. */
  readonly answers?: InputAnswers | undefined;
  /**
   * Sends it once, in the same turn unless roots have to be looked at again first; the result may be
   * a question.
   */
  readonly send: (params: Params) => Promise<T>;
}

/** What the next round says to the questions of the one before. */
interface KnownAnswers {
  readonly responses: Params;
  readonly continuation: Continuation;
}

/** What a request led to: its result, or questions that somebody else has to answer. */
export type RoundsOutcome<T> = { readonly kind: 'result'; readonly result: T } | Questions;

const mostRounds = 10;

/**
 * The rounds in which a modern server comes to a result: it answers a request with questions, and the
 * request is repeated with the answers. Those for roots are answered here, by the answerer.
 */
export class InputRounds {
  private readonly client: Pick<Client, 'getProtocolEra'>;
  private readonly answerer: RootsAnswerer;
  private readonly mayAsk: ReadonlySet<string>;

  /** @param mayAsk the methods of the other questions that the server may have. */
  constructor(
    client: Pick<Client, 'getProtocolEra'>,
    answerer: RootsAnswerer,
    mayAsk: ReadonlySet<string>,
  ) {
    this.client = client;
    this.answerer = answerer;
    this.mayAsk = mayAsk;
  }

  /**
   * Sends a request until there is a result, or a question that is not for us.
   *
   * @throws {HumanError} when the server asks for something it was not offered, or again and again,
   *   and when the answers that it is to be sent are none.
   */
  async run<T extends object>(request: RepeatedRequest<T>): Promise<RoundsOutcome<T>> {
    const { params, answers, send } = request;
    let known = answers && this.answered(answers);
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
        return { kind: 'questions', requests, continuation: continuationText(continuation) };
      }
      known = { responses: {}, continuation };
    }
    throw new HumanError('The tool "{0}" asked for input again and again.', nameOf(request));
  }

  /** The questions that are not for us, and what there is to know of the rest in the next round. */
  private sorted({ requests, state }: AskedForInput, request: Request) {
    const questions = Object.entries(requests);
    const isOurs = ([, { method }]: [string, InputRequest]) => this.answerer.answersInput(method);
    const others = questions.filter(question => !isOurs(question));
    const [, refused] = others.find(([, { method }]) => !this.mayAsk.has(method)) ?? [];
    if (refused) {
      throw notOffered(request, refused.method);
    }
    const roots = questions.filter(isOurs).map(([key]) => key);
    const continuation: Continuation = { state, roots };
    return { others, continuation };
  }

  private answered({ responses, continuation }: InputAnswers): KnownAnswers {
    // Whoever answers the other questions has no say in what the server may see.
    if (Object.values(responses).some(response => this.answerer.isRootsAnswer(response))) {
      throw new HumanError('An answer to a question of the server holds roots, which it may not.');
    }
    return { responses, continuation: readContinuation(continuation) };
  }

  private repetition({ responses, continuation }: KnownAnswers, request: Request): Params {
    const { state, roots } = continuation;
    const tool = request.method === 'tools/call' ? nameOf(request) : undefined;
    return {
      ...request.params,
      inputResponses: { ...responses, ...this.answerer.answerInput(roots, tool) },
      // The state is echoed exactly, and left out when none came. (2026-07-28, basic/patterns/mrtr)
      ...(state !== undefined && { requestState: state }),
    };
  }
}

/** That a request led to a question which the server may not ask. */
export function notOffered(request: Request, method: string): HumanError {
  const template = 'The tool "{0}" asked for {1}, which it was not offered.';
  return new HumanError(template, nameOf(request), method);
}

/** What was called, read or got; where it has no name, how. */
function nameOf({ method, params }: Request): string {
  const { name, uri } = params;
  return [name, uri].find(value => typeof value === 'string') ?? method;
}

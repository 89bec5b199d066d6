import { randomUUID } from 'node:crypto';
import {
  type ClientCapabilities,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { eitherSignal } from '../../base/abortSignals.ts';
import type { Era } from '../../domain/exposure.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { RawResult } from '../../hub/hubHost.ts';
import { asItCame, type RequestContext } from '../requestContext.ts';

/** The client of a session, as far as it can be asked. */
interface AskedClient {
  readonly era: Era;
  /** What the client declared: at the start of a legacy session, with each modern request. */
  capabilities(context: RequestContext): ClientCapabilities;
}

/**
 * Answers a request that may have questions to its client first. A modern client has them as the
 * answer, and comes again; a legacy one is asked them within its request, and `answer` is called
 * again with what it said. (Model Context Protocol 2026-07-28, basic/patterns/mrtr.)
 *
 * @throws {HumanError} when a legacy client can't be asked, or asking it failed; an error with the
 *   code -32021 when a modern one did not declare that it can be asked.
 */
export async function withQuestions<C extends RequestContext>(
  client: AskedClient,
  context: C,
  answer: (context: C) => Promise<RawResult>,
): Promise<RawResult> {
  let answered = await answer(context);
  for (let rounds = 0; isInputRequiredResult(answered); rounds++) {
    const questions = questionsIn(answered);
    const declared = client.capabilities(context);
    if (client.era === 'modern') {
      refuseUndeclared(questions, declared);
      return answered;
    }
    if (rounds === mostRounds) {
      throw new HumanError('The server asked for input again and again.');
    }
    const inputResponses = await allAnswers(questions, declared, context);
    const { requestState } = answered;
    answered = await answer({
      ...context,
      mcpReq: { ...context.mcpReq, inputResponses, requestState: () => requestState },
    });
  }
  return answered;
}

const mostRounds = 8;

interface Question {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

function questionsIn({ inputRequests = {}, requestState }: InputRequiredResult): Question[] {
  const questions = Object.entries(inputRequests).map(([key, { method, params }]) => ({
    key,
    method,
    params: isJsonObject(params) ? params : undefined,
  }));
  if (questions.length === 0 && requestState === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'The server asked for input, and not for which.',
    );
  }
  return questions;
}

function refuseUndeclared(questions: readonly Question[], declared: ClientCapabilities): void {
  for (const { key, method, params } of questions) {
    const missing = undeclared(method, params, declared);
    if (missing) {
      throw new ProtocolError(
        ProtocolErrorCode.MissingRequiredClientCapability,
        `The question "${key}" (${method}) takes a capability that the client did not declare.`,
        { requiredCapabilities: missing },
      );
    }
  }
}

/** What a question takes and the client did not declare, in the form of its capabilities. */
function undeclared(
  method: string,
  params: JsonObject = {},
  { elicitation, sampling, roots }: ClientCapabilities,
): ClientCapabilities | undefined {
  switch (method) {
    case 'elicitation/create': {
      const isByUrl = params['mode'] === 'url';
      // Without a mode, it is the one that there was before the modes.
      const hasForms = elicitation && (elicitation.form || !elicitation.url);
      const isDeclared = isByUrl ? elicitation?.url : hasForms;
      return isDeclared ? undefined : { elicitation: isByUrl ? { url: {} } : { form: {} } };
    }
    case 'sampling/createMessage': {
      const withTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
      const isDeclared = withTools ? sampling?.tools : sampling;
      return isDeclared ? undefined : { sampling: withTools ? { tools: {} } : {} };
    }
    default:
      return roots ? undefined : { roots: {} };
  }
}

/** Asks a legacy client all questions of a round, by the requests that its revision has for them. */
async function allAnswers(
  questions: readonly Question[],
  declared: ClientCapabilities,
  { mcpReq }: RequestContext,
): Promise<JsonObject> {
  const refused = questions.find(({ method, params }) => undeclared(method, params, declared));
  if (refused) {
    throw new HumanError(
      'The client has to be asked by {0}, and did not declare that it can be.',
      refused.method,
    );
  }
  const round = new AbortController();
  const either = eitherSignal(mcpReq.signal, round.signal);
  const options = { timeout: longestAnswer, signal: either.signal };
  try {
    const asked = questions.map(async ({ key, method, params }) => {
      return [
        key,
        await mcpReq.send({ method, params: named(params) }, asItCame, options),
      ] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
  } catch (error) {
    // One question without an answer is enough: the others are taken back.
    round.abort(error);
    const why = error instanceof Error ? error.message : String(error);
    throw mcpReq.signal.aborted ? error : new HumanError('The client was asked in vain: {0}', why);
  } finally {
    either.dispose();
  }
}

/** The older revision names each question with an address; the newer one has no names. */
function named(params: JsonObject = {}): JsonObject {
  return params['mode'] === 'url' ? { elicitationId: randomUUID(), ...params } : params;
}

/** In milliseconds: the person who is asked may be away. */
const longestAnswer = 30 * 60_000;

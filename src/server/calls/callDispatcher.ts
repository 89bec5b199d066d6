import {
  type ClientCapabilities,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  ProtocolError,
  type RequestId,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import type { IDisposable } from '../../base/disposable.ts';
import type { Era } from '../../domain/exposure.ts';
import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { isHumanError } from '../../domain/sentence.ts';
import type { RawResult } from '../../hub/hubHost.ts';
import type { RequestContext } from '../requestContext.ts';
import { refused } from '../tools/answers.ts';
import { withQuestions } from './clientQuestions.ts';
import { type ReadCall, readCall } from './readCall.ts';

/**
 * Answers a call, or asks its client something first. A {@link HumanError} that it throws becomes the
 * result of the call; an error with a `code` goes out with its message and `data`; any other is a bug.
 */
export type AnswerCall = (call: ReadCall, context: RequestContext) => Promise<RawResult>;

/** The session whose calls are answered. */
interface CallSession {
  readonly era: Era;
  /** What a modern client is told of the server with each result. */
  readonly info: { readonly name: string; readonly version: string };
  readonly protocol: Pick<McpServer['server'], 'notification' | 'request'>;
  /** What the client declared: at the start of a legacy session, with each modern request. */
  capabilities(context: RequestContext): ClientCapabilities;
}

/** The request of HTTP that a call came with, if any, and where its answer goes. */
interface CallChannel {
  readonly request: globalThis.Request | undefined;
  send(message: JSONRPCMessage): void;
}

/**
 * Answers the `tools/call` requests of one session, in both eras: from the message that came in to
 * the message that goes out. The SDK, which answers all else, never sees them: it looks at each
 * through half a dozen schemas, which takes longer than most calls.
 */
export class CallDispatcher implements IDisposable {
  /** Whoever takes part in calls takes this over, and asks what was there before. */
  answer: AnswerCall = unknownTool;
  private readonly session: CallSession;
  private readonly running = new Map<RequestId, AbortController>();

  constructor(session: CallSession) {
    this.session = session;
  }

  /** Answers a request once, unless it is cancelled before. */
  async take(request: JSONRPCRequest, channel: CallChannel): Promise<void> {
    const { id } = request;
    const call = readCall(request, this.session.era);
    if (typeof call === 'string') {
      const error = { code: INVALID_PARAMS, message: `Invalid request: ${call}` };
      channel.send({ jsonrpc: '2.0', id, error });
      return;
    }
    const cancelling = new AbortController();
    this.running.set(id, cancelling);
    const context = this.contextOf(id, call, channel.request, cancelling.signal);
    const outcome = await this.outcomeOf(call, context);
    // A client may use the id again while the call that had it first is cancelled, and still runs.
    if (this.running.get(id) === cancelling) {
      this.running.delete(id);
    }
    if (!cancelling.signal.aborted) {
      channel.send({ jsonrpc: '2.0', id, ...outcome });
    }
  }

  /** Ends a call that its client cancels: it is not answered. False where there is none with that id. */
  cancel(id: unknown, reason: unknown): boolean {
    const cancelling = this.running.get(id as RequestId);
    cancelling?.abort(reason);
    return cancelling !== undefined;
  }

  /** Ends all calls: nobody is there any more to be answered. */
  dispose(): void {
    for (const cancelling of this.running.values()) {
      cancelling.abort('The session has ended.');
    }
  }

  private async outcomeOf(call: ReadCall, context: RequestContext): Promise<Outcome> {
    try {
      const { session } = this;
      const result = await withQuestions(session, context, next => this.answer(call, next));
      return { result: this.finished(result) };
    } catch (error) {
      return isHumanError(error)
        ? { result: this.finished({ ...refused(error.message) }) }
        : { error: ofProtocol(error) };
    }
  }

  private contextOf(
    id: RequestId,
    { brought }: ReadCall,
    req: globalThis.Request | undefined,
    signal: AbortSignal,
  ): RequestContext {
    const { protocol } = this.session;
    return {
      http: req && { req },
      mcpReq: {
        ...brought,
        id,
        signal,
        notify: notification => protocol.notification(notification, { relatedRequestId: id }),
        send: (request, schema, options) =>
          protocol.request(request, schema, { ...options, relatedRequestId: id }),
      },
    };
  }

  /** The result, with what each says of itself in the modern era. (2026-07-28, basic.) */
  private finished(result: RawResult): RawResult {
    const { era, info } = this.session;
    if (era === 'legacy') {
      return result;
    }
    const { resultType = 'complete', _meta = {} } = result;
    const isNamed = !isJsonObject(_meta) || _meta[SERVER_INFO_META_KEY] !== undefined;
    const named = isNamed ? _meta : { ..._meta, [SERVER_INFO_META_KEY]: info };
    return { ...result, resultType, _meta: named };
  }
}

type Outcome =
  | { readonly result: RawResult }
  | { readonly error: { code: number; message: string; data?: unknown } };

/** Names come from the client, and may be of any length. */
const longestName = 200;

async function unknownTool({ name }: ReadCall): Promise<RawResult> {
  throw new ProtocolError(
    INVALID_PARAMS,
    `Tool ${printable(name.slice(0, longestName))} not found`,
  );
}

/** The error of the protocol that was thrown, or that says what was. */
function ofProtocol(error: unknown) {
  const { code, message, data } = Object(error) as Partial<ProtocolError>;
  return {
    code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
    message: String(message ?? error),
    ...(data !== undefined && { data }),
  };
}

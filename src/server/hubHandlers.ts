import {
  LOG_LEVEL_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Era } from '../domain/exposure.ts';
import { isJsonObject } from '../domain/json.ts';
import { type LogLevel, logLevels } from '../domain/logLevels.ts';
import type { Hub } from '../hub/hub.ts';
import type { Answers, HubHost, RawResult } from '../hub/hubHost.ts';
import type { HubSession } from '../hub/hubSession.ts';
import type { CallDispatcher } from './calls/callDispatcher.ts';
import { withQuestions } from './calls/clientQuestions.ts';
import type { DirectServer } from './directServer.ts';
import type { RequestContext } from './requestContext.ts';
import { type Handler, sdkInternals } from './sdkInternals.ts';

/**
 * Puts a hub into a session: its tools beside those of the bundled server. Call it when those are
 * registered, and before connecting.
 */
export function addHub(
  direct: DirectServer,
  hub: Hub,
  session: Pick<HubHost, 'era' | 'roots'>,
): HubSession {
  const { server } = direct;
  const added = hub.newSession({
    ...session,
    capabilities: context => direct.capabilities(context),
    logLevel: context => wantedLevel(context),
    fitted: (result, outputSchema) => fitted(server, result, outputSchema),
    notify: (method, params) => {
      // A client that can no longer be told has ended the session.
      server.notification({ method, ...(params && { params }) }).catch(() => {});
    },
  });
  server.registerCapabilities(added.capabilities);
  // Through the SDK's own map, because what comes from other servers is passed on as it is: its public
  // way would hold both the request and its result against schemas that leave things out.
  const { handlers } = sdkInternals(server);
  for (const [method, answers] of added.answers) {
    if (method === 'tools/call') {
      takePartInCalls(direct.calls, answers);
    } else {
      const handler = answeredByHub(answers, handlers.get(method) ?? notFound, direct);
      handlers.set(
        method,
        askingMethods.has(method) ? asking(handler, direct, session.era) : handler,
      );
    }
  }
  return added;
}

type Protocol = McpServer['server'];

/**
 * Lets the hub answer, which may ask the bundled server for its answer. The errors of that are put
 * into other words; those of the servers behind the hub go out as they came.
 */
function answeredByHub(answers: Answers, bundled: Handler, direct: DirectServer): Handler {
  return async (request, context) => {
    let bundledError: unknown;
    const askBundled = async () => {
      try {
        return await bundled(request, context);
      } catch (error) {
        bundledError = error;
        throw error;
      }
    };
    try {
      return await answers(request, context, askBundled);
    } catch (error) {
      // A call that was called off has no answer that could take the error along.
      if (error !== bundledError && hasCode(error) && !context.mcpReq.signal.aborted) {
        const { code, message, data } = error;
        direct.passError(context.mcpReq.id, { code, message, ...(data !== undefined && { data }) });
      }
      throw error;
    }
  };
}

function hasCode(
  error: unknown,
): error is Error & { readonly code: number; readonly data?: unknown } {
  return error instanceof Error && 'code' in error && Number.isSafeInteger(error.code);
}

function takePartInCalls(calls: CallDispatcher, answers: Answers): void {
  const own = calls.answer;
  calls.answer = (call, context) =>
    answers({ method: 'tools/call', params: call.params }, context, () => own(call, context));
}

/** The others that may be answered with questions. (Model Context Protocol 2026-07-28, basic/patterns/mrtr.) */
const askingMethods: ReadonlySet<string> = new Set(['resources/read', 'prompts/get']);

function asking(handler: Handler, direct: DirectServer, era: Era): Handler {
  const client = { era, capabilities: (context: RequestContext) => direct.capabilities(context) };
  return (request, context) => withQuestions(client, context, next => handler(request, next));
}

function notFound(): never {
  throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
}

function fitted(server: Protocol, result: RawResult, outputSchema: unknown): RawResult {
  const { content, structuredContent } = result;
  if (structuredContent === undefined || !Array.isArray(content)) {
    return result;
  }
  const schema = isJsonObject(outputSchema) ? outputSchema : undefined;
  return { ...server.projectCallToolResult({ ...result, content }, schema) };
}

function wantedLevel(context: RequestContext): LogLevel | undefined {
  const wanted = context.mcpReq.envelope?.[LOG_LEVEL_META_KEY];
  return logLevels.find(level => level === wanted);
}

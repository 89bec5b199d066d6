import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type LogLevel, logLevels } from '../domain/logLevels.ts';
import { isJsonObject } from '../domain/settings/values.ts';
import type { DirectServer } from './directServer.ts';
import type { Hub } from './hub/hub.ts';
import type { Answers, HubHost, RawResult } from './hub/hubHost.ts';
import type { HubSession } from './hub/hubSession.ts';
import { type Handler, type SdkInternals, sdkInternals } from './sdkInternals.ts';

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
    capabilities: context => declaredTo(server, context),
    logLevel: context => wantedLevel(context),
    fitted: (result, outputSchema) => fitted(server, result, outputSchema),
    notify: (method, params) => {
      // A client that can no longer be told has ended the session.
      server.notification({ method, ...(params && { params }) }).catch(() => {});
    },
  });
  server.registerCapabilities(added.capabilities);
  const internals = sdkInternals(server);
  for (const [method, answers] of added.answers) {
    wrap(method, internals, inner => passing(direct, answers, inner));
  }
  return added;
}

type Protocol = McpServer['server'];

/**
 * Through the map of handlers, because what comes from other servers is passed on as it is: the
 * SDK's own way in would hold both the call and its result against schemas that leave things out.
 */
function wrap(
  method: string,
  { handlers, asking }: SdkInternals,
  around: (inner: Handler) => Handler,
): void {
  const handler = around(handlers.get(method) ?? notFound);
  handlers.set(
    method,
    askingMethods.has(method)
      ? (request, context) => asking(method, handler, request, context)
      : handler,
  );
}

/** Answers, of whose errors only those of the bundled server are put into other words. */
function passing(direct: DirectServer, answers: Answers, inner: Handler): Handler {
  return async (request, context) => {
    let ofInner: unknown;
    const own = async () => {
      try {
        return await inner(request, context);
      } catch (error) {
        ofInner = error;
        throw error;
      }
    };
    try {
      return await answers(request, context, own);
    } catch (error) {
      // A call that was called off has no answer that could take the error along.
      if (error !== ofInner && hasCode(error) && !context.mcpReq.signal.aborted) {
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

/** Those that may be answered with questions. (Model Context Protocol 2026-07-28, basic/patterns/mrtr.) */
const askingMethods: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

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

function declaredTo(server: Protocol, context: ServerContext | undefined): ClientCapabilities {
  const declared = envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY];
  return (declared as ClientCapabilities | undefined) ?? server.getClientCapabilities() ?? {};
}

function wantedLevel(context: ServerContext): LogLevel | undefined {
  const wanted = envelopeOf(context)[LOG_LEVEL_META_KEY];
  return logLevels.find(level => level === wanted);
}

function envelopeOf(context: ServerContext | undefined): Readonly<Record<string, unknown>> {
  return context?.mcpReq.envelope ?? {};
}

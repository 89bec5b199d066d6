import type { ClientCapabilities } from '@modelcontextprotocol/server';
import type { Era } from '../domain/exposure.ts';
import type { RequestContext } from '../server/requestContext.ts';
import type { SessionRoots } from '../server/sessionRoots.ts';

/** A result as it goes out: plain JSON, of which the hub knows only as much as it has to. */
export type RawResult = Record<string, unknown>;

/** A request of a session's client, as it came. */
export interface RawRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A session of the bundled server, as the hub sees it. */
export interface HubHost {
  readonly era: Era;
  readonly roots: SessionRoots;
  /** The client's capabilities: declared at the start of a legacy session, with each modern request. */
  capabilities(context: RequestContext | undefined): ClientCapabilities;
  /**
   * The result of a tool in the form that the client's revision has for it: the earlier ones know
   * only structured content that is an object. `outputSchema` is what the tool was listed with.
   */
  fitted(result: RawResult, outputSchema: unknown): RawResult;
  /** Tells the client. One that can no longer be told has ended the session. */
  notify(method: string): void;
}

/**
 * Answers a request, with what the bundled server would answer at hand.
 * @throws an error whose `code` and `data` the client is told; of a tool, a {@link HumanError} becomes the
 * result of the call.
 */
export type Answerer = (
  request: RawRequest,
  context: RequestContext,
  own: () => Promise<RawResult>,
) => Promise<RawResult>;

/** A method that the hub takes part in, and its answerer. */
export type HubAnswer = readonly [method: string, answers: Answerer];

import type { ClientCapabilities, ServerCapabilities } from '@modelcontextprotocol/server';
import type { IDisposable } from '../base/disposable.ts';
import type { Era } from '../domain/exposure.ts';
import type { RequestContext } from './requestContext.ts';
import type { SessionRoots } from './sessionRoots.ts';

/** A result as sent to the client: plain JSON. The hub reads few of its fields. */
export type RawResult = Record<string, unknown>;

/** A request of a session's client, as received. */
export interface RawRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** A session of the bundled server, as the hub sees it. */
export interface HubHost {
  readonly era: Era;
  readonly roots: SessionRoots;
  /** The client's capabilities. A legacy client declares them once, a modern client with each request. */
  capabilities(context: RequestContext | undefined): ClientCapabilities;
  /**
   * Returns a tool's result in the form that the client's revision allows: earlier revisions take
   * only objects as structured content. `outputSchema` is the schema that `tools/list` showed.
   */
  fitted(result: RawResult, outputSchema: unknown): RawResult;
  /** Sends the client a notice. Ignores failures: they mean that the client has ended the session. */
  notify(method: string): void;
}

/**
 * Answers a request of the client. `own` asks the bundled server and returns its answer.
 * @throws an error. The client gets the error's `code` and `data`. For a tool call, a
 * {@link HumanError} becomes the result of the call.
 */
export type Answerer = (
  request: RawRequest,
  context: RequestContext,
  own: () => Promise<RawResult>,
) => Promise<RawResult>;

/** A method that the hub answers, alone or together with the bundled server, and its answerer. */
export type HubAnswer = readonly [method: string, answers: Answerer];

/** The hub's part in a session of the bundled server. It ends with the session. */
export interface HubSession extends IDisposable {
  /** The hub's answerers. If a method has two, the later one gets the request first. */
  readonly answers: readonly HubAnswer[];
  /** The hub's capabilities. The bundled server's own capabilities are not among them. */
  readonly capabilities: ServerCapabilities;
}

/** The hub: all servers behind the bundled server. */
export interface Hub {
  /** Adds the hub to a new session, which calls `dispose` of the result when the session ends. */
  newSession(host: HubHost): HubSession;
  /** Ends all servers. Settles when all processes of the servers have ended. */
  close(): Promise<void>;
}

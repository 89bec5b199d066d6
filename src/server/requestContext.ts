import type {
  Notification,
  Request,
  RequestId,
  RequestOptions,
  StandardSchemaV1,
} from '@modelcontextprotocol/server';

/** Of the SDK's context of a request as much as this server and its hub use. */
export interface RequestContext {
  /** Present where the request came over HTTP. */
  readonly http?: { readonly req?: globalThis.Request } | undefined;
  readonly mcpReq: {
    readonly id: RequestId;
    /** Aborted when the client cancels the request, or has gone. */
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
    /** What a modern request tells of its client, by the names that the protocol has for it. */
    readonly envelope?: Readonly<Record<string, unknown>> | undefined;
    /** The client's answers to the questions of the round before. (2026-07-28, basic/patterns/mrtr.) */
    readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
    /** Which of its answers were none. */
    readonly droppedInputResponseKeys?: readonly string[] | undefined;
    requestState(): string | undefined;
    /** Tells the client something, where it listens for this request. */
    notify(notification: Notification): Promise<void>;
    /** Asks the client, where it listens for this request; in the older era alone. */
    send<S extends StandardSchemaV1>(
      request: Request,
      schema: S,
      options?: RequestOptions,
    ): Promise<StandardSchemaV1.InferOutput<S>>;
  };
}

/** The schema for an answer of the client whose form is between others. */
export const asItCame = {
  '~standard': {
    version: 1,
    vendor: 'mcp-roots',
    validate: (value: unknown) => ({ value }),
  },
} as const;

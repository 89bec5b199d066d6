import type { ServerContext } from '@modelcontextprotocol/server';

/** The SDK's context of a request. */
export type RequestContext = ServerContext & {
  readonly mcpReq: {
    /** What a modern request tells of its client, by the names that the protocol has for it. */
    readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  };
};

/** The schema for an answer of the client whose form is between others. */
export const asItCame = {
  '~standard': {
    version: 1,
    vendor: 'mcp-roots',
    validate: (value: unknown) => ({ value }),
  },
} as const;

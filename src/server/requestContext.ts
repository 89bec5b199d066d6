import type { ServerContext } from '@modelcontextprotocol/server';

/** The SDK's context of a request. */
export type RequestContext = ServerContext & {
  readonly mcpReq: {
    /** The facts on its client that a modern request brings, by their names in the protocol. */
    readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  };
};

/** A schema that lets everything pass: the form is between others. */
export const asItCame = {
  '~standard': {
    version: 1,
    vendor: 'mcp-roots',
    validate: (value: unknown) => ({ value }),
  },
} as const;

import type { ServerContext } from '@modelcontextprotocol/server';

/** The SDK's context of a request. */
export type RequestContext = ServerContext & {
  readonly mcpReq: {
    /** The facts about the client in a modern request, by their names in the protocol. */
    readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  };
};

/** A schema that accepts any value, because the hub passes the value on to a server as it came. */
export const asItCame = {
  '~standard': {
    version: 1,
    vendor: 'mcp-roots',
    validate: (value: unknown) => ({ value }),
  },
} as const;

import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import type { Era } from '../../src/domain/exposure.ts';
import { furnish, type ServerOptions } from '../../src/server/createServer.ts';
import { registerContentTools } from './contentTools.ts';
import { FixtureTools } from './fixtureTools.ts';
import { registerInputTools } from './inputTools.ts';

/**
 * Makes bundled servers with the additional tools that the scenarios of the conformance suite name.
 * Prompts and resources would only test the SDK: the bundled server has none.
 */
export function conformanceServers(options: ServerOptions): (era: Era) => McpServer {
  const codec = createRequestStateCodec<string>({ key: randomBytes(32) });
  return era => {
    const server = new McpServer(
      { name: 'conformance', version: '1' },
      { requestState: { verify: codec.verify } },
    );
    furnish(server, era, options);
    const tools = new FixtureTools(server);
    registerContentTools(tools);
    registerInputTools(tools, codec);
    return server;
  };
}

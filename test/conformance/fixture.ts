import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import type { Era } from '../../src/domain/exposure.ts';
import { furnish, type ServerOptions } from '../../src/server/createServer.ts';
import { registerContentTools } from './contentTools.ts';
import { FixtureTools } from './fixtureTools.ts';
import { registerInputTools } from './inputTools.ts';
import { registerPrompts, registerResources } from './promptsAndResources.ts';

/**
 * Makes servers that have, besides all that the bundled one has, the tools, prompts and resources
 * which the scenarios of the conformance suite name.
 */
export function conformanceServers(options: ServerOptions): (era: Era) => McpServer {
  const codec = createRequestStateCodec<string>({ key: randomBytes(32) });
  return era => {
    const server = new McpServer(
      { name: 'conformance', version: '1' },
      { requestState: { verify: codec.verify }, capabilities },
    );
    furnish(server, era, options);
    const tools = new FixtureTools(server);
    registerContentTools(tools);
    registerInputTools(tools, codec);
    registerPrompts(server);
    registerResources(server);
    return server;
  };
}

/** The lists of prompts and resources never change. */
const capabilities = {
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
};

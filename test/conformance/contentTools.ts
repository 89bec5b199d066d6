import { setTimeout as delay } from 'node:timers/promises';
import type { FixtureTools } from './fixtureTools.ts';

const text = { type: 'text', text: 'This is a simple text response for testing.' } as const;

/** The tools that the scenarios call for the form of an answer; its contents do not matter. */
export function registerContentTools(tools: FixtureTools): void {
  // Of the second, the scenario wants that nothing is logged to the client, which the server never does.
  for (const name of ['test_simple_text', 'test_logging_tool']) {
    tools.add(name, { description: 'Answers with a text.' }, () => ({ content: [text] }));
  }
  tools.add('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tools.add(
    'test_header_parameter',
    {
      description: 'Takes a parameter that HTTP clients repeat in a header.',
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      },
    },
    ({ region }) => ({ content: [{ type: 'text', text: String(region) }] }),
  );
  const config = { description: 'Tells three times how far it is.' };
  tools.add('test_tool_with_progress', config, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      // The scenario asks for these pauses.
      await delay(50);
    }
    return { content: [text] };
  });
}

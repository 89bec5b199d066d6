import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { recorded } from './serverProgram.ts';

// A server made with the older SDK. Its only tool asks the client in several rounds, and then
// returns the answers; an unknown question lasts as long as the call. A program: its argument holds
// the record folder, as JSON.

recorded();
process.stdin.on('end', () => process.exit(0));

const name = {
  method: 'elicitation/create' as const,
  params: {
    message: 'Who are you?',
    requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } },
  },
};
const poem = {
  method: 'sampling/createMessage' as const,
  params: {
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'A poem' } }],
    maxTokens: 10,
  },
};

const server = new Server({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'ask', inputSchema: { type: 'object' } }],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendRequest, ...extra }) => {
  const { rounds = [] } = params.arguments as { readonly rounds?: readonly string[][] };
  const progressToken = extra._meta?.progressToken;
  const told: unknown[] = [];
  for (const [index, questions] of rounds.entries()) {
    const answers = questions.map(question => {
      switch (question) {
        case 'name':
          return sendRequest(name, ElicitResultSchema);
        case 'poem':
          return sendRequest(poem, CreateMessageResultSchema);
        default:
          return new Promise<never>((_, reject) => {
            extra.signal.addEventListener('abort', () => reject(new Error('called off')));
          });
      }
    });
    const settled = await Promise.allSettled(answers);
    told.push(settled.map(one => (one.status === 'fulfilled' ? one.value : one.reason.message)));
    if (progressToken !== undefined) {
      const progress = { progressToken, progress: index + 1 };
      await extra.sendNotification({ method: 'notifications/progress', params: progress });
    }
  }
  return { content: [{ type: 'text', text: JSON.stringify(told) }] };
});
await server.connect(new StdioServerTransport());

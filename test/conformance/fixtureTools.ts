import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/domain/json.ts';
import { type RawHandler, rawHandlerOf, setRawHandler } from '../../src/server/rawHandlers.ts';
import type { RequestContext } from '../../src/server/requestContext.ts';
import { refused } from '../../src/server/tools/answers.ts';
import { readCall } from '../../src/server/tools/toolSet.ts';

/** What a tool of the suite answers. What it throws becomes an error for the model. */
export type RunFixtureTool = (
  args: JsonObject,
  context: RequestContext,
) => Result | Promise<Result>;

type Result = CallToolResult | InputRequiredResult;

/** Tools that a server has before those that it has already. */
export class FixtureTools {
  private readonly tools = new Map<string, { readonly tool: Tool; readonly run: RunFixtureTool }>();

  constructor(server: McpServer) {
    const { server: protocol } = server;
    const listBundled = rawHandlerOf(protocol, 'tools/list') as RawHandler;
    setRawHandler(protocol, 'tools/list', async (request, context) => {
      const listed = await listBundled(request, context);
      const own = [...this.tools.values()].map(({ tool }) => tool);
      return { ...listed, tools: [...own, ...(listed['tools'] as Tool[])] };
    });
    const callBundled = rawHandlerOf(protocol, 'tools/call') as RawHandler;
    setRawHandler(protocol, 'tools/call', async (request, context) => {
      const { name, args } = readCall(request);
      const run = this.tools.get(name)?.run;
      return run ? answered(run, args, context) : callBundled(request, context);
    });
    server.toolInputSchemaJson = name => this.tools.get(name)?.tool.inputSchema;
  }

  add(
    name: string,
    { description, inputSchema = { type: 'object' } }: Pick<Tool, 'description'> & Partial<Tool>,
    run: RunFixtureTool,
  ): void {
    this.tools.set(name, { tool: { name, description, inputSchema }, run });
  }
}

async function answered(
  run: RunFixtureTool,
  args: JsonObject,
  context: ServerContext,
): Promise<Result> {
  try {
    return await run(args, context);
  } catch (error) {
    return refused(String(error));
  }
}

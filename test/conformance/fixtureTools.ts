import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/domain/json.ts';
import { handlerOf, type RawHandler, setCallHandler } from '../../src/server/callHandler.ts';
import { asItCame, type RequestContext } from '../../src/server/requestContext.ts';
import { refused } from '../../src/server/tools/answers.ts';
import { readCall } from '../../src/server/tools/toolSet.ts';

/** Answers a call of a tool of the suite. An exception becomes an error for the model. */
export type RunFixtureTool = (
  args: JsonObject,
  context: RequestContext,
) => Result | Promise<Result>;

type Result = CallToolResult | InputRequiredResult;

/** Tools that a server lists before the tools it has already. */
export class FixtureTools {
  private readonly tools = new Map<string, { readonly tool: Tool; readonly run: RunFixtureTool }>();

  constructor(server: McpServer) {
    const { server: protocol } = server;
    const listBundled = handlerOf(protocol, 'tools/list') as RawHandler;
    const method = 'tools/list';
    protocol.setRequestHandler(method, { params: asItCame }, async (_params, context) => {
      const listed = await listBundled({ method }, context);
      const own = [...this.tools.values()].map(({ tool }) => tool);
      return { ...listed, tools: [...own, ...(listed['tools'] as Tool[])] };
    });
    const callBundled = handlerOf(protocol, 'tools/call') as RawHandler;
    setCallHandler(protocol, async (request, context) => {
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

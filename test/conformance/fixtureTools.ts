import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/domain/json.ts';
import type { DirectServer } from '../../src/server/directServer.ts';
import type { RequestContext } from '../../src/server/requestContext.ts';
import { sdkInternals } from '../../src/server/sdkInternals.ts';
import { refused } from '../../src/server/tools/answers.ts';

/** What a tool of the suite answers. What it throws becomes an error for the model. */
export type RunFixtureTool = (
  args: JsonObject,
  context: RequestContext,
) => Result | Promise<Result>;

type Result = CallToolResult | InputRequiredResult;

/** Tools that a server has before those that it has already. */
export class FixtureTools {
  private readonly codec: RequestStateCodec<string>;
  private readonly tools = new Map<string, { readonly tool: Tool; readonly run: RunFixtureTool }>();

  constructor(server: DirectServer, codec: RequestStateCodec<string>) {
    this.codec = codec;
    const { handlers } = sdkInternals(server.server);
    const bundled = handlers.get('tools/list');
    handlers.set('tools/list', async (request, context) => {
      const listed = await bundled?.(request, context);
      const own = [...this.tools.values()].map(({ tool }) => tool);
      return { ...listed, tools: [...own, ...((listed?.['tools'] as Tool[]) ?? [])] };
    });
    const others = server.calls.answer;
    server.calls.answer = (call, context) => {
      const run = this.tools.get(call.name)?.run;
      return run ? this.answered(run, call.args, context) : others(call, context);
    };
    server.toolInputSchemaJson = name => this.tools.get(name)?.tool.inputSchema;
  }

  add(
    name: string,
    { description, inputSchema = { type: 'object' } }: Pick<Tool, 'description'> & Partial<Tool>,
    run: RunFixtureTool,
  ): void {
    this.tools.set(name, { tool: { name, description, inputSchema }, run });
  }

  private async answered(
    run: RunFixtureTool,
    args: JsonObject,
    context: RequestContext,
  ): Promise<Result> {
    const state = await this.verified(context);
    const mcpReq = { ...context.mcpReq, requestState: () => state };
    try {
      return await run(args, { ...context, mcpReq });
    } catch (error) {
      return refused(String(error));
    }
  }

  /** @throws when the state is none that the server gave out. */
  private async verified(context: RequestContext): Promise<string | undefined> {
    const state = context.mcpReq.requestState();
    try {
      return state === undefined ? state : await this.codec.verify(state, context as ServerContext);
    } catch {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
    }
  }
}

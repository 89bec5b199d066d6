import {
  type CallToolResult,
  INVALID_PARAMS,
  type McpServer,
  ProtocolError,
  type Tool,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import type { RawRequest, RawResult } from '../../hub/hubHost.ts';
import { setCallHandler } from '../callHandler.ts';
import { mistakeInWords } from '../mistakesInWords.ts';
import type { RequestContext } from '../requestContext.ts';
import { type CallParts, type RunningCall, runCall } from '../runningCall.ts';
import { refused } from './answers.ts';

/** The entry of a tool in the list. */
interface ToolConfig<Input extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  /** A strict one: an argument that is misspelt may be the one that says not to write. */
  readonly inputSchema: Input;
  readonly outputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
}

/** Runs a tool. It throws only for a bug, or when its signal is aborted. */
type RunTool<Input extends z.ZodObject> = (
  args: z.output<Input>,
  call: RunningCall,
) => CallToolResult | Promise<CallToolResult>;

interface SessionTool {
  readonly config: ToolConfig<z.ZodObject>;
  /** Runs it with arguments as they came. */
  readonly run: (args: JsonObject, context: RequestContext) => Promise<RawResult>;
}

/** The tools of one session. Each call takes its turn and runs with the roots of that moment. */
export class ToolSet {
  private readonly parts: CallParts;
  private readonly allowWrite: boolean;
  private readonly tools = new Map<string, SessionTool>();
  private readonly withheld = new Set<string>();

  /** Call it before connecting. */
  constructor(server: McpServer['server'], parts: CallParts, allowWrite: boolean) {
    this.parts = parts;
    this.allowWrite = allowWrite;
    server.setRequestHandler('tools/list', () => ({ tools: this.listed() }));
    setCallHandler(server, async (request, context) => {
      const { name, args } = readCall(request);
      return this.tools.get(name)?.run(args, context) ?? this.notFound(name);
    });
  }

  /**
   * Adds a tool that answers even where the roots are not known. Where nothing may be written, one that does
   * not say that it only reads is not offered.
   */
  add<Input extends z.ZodObject>(
    name: string,
    config: ToolConfig<Input>,
    run: RunTool<Input>,
  ): void {
    if (!config.annotations.readOnlyHint && !this.allowWrite) {
      this.withheld.add(name);
      return;
    }
    const runChecked = async (args: JsonObject, context: RequestContext) => {
      const checked = config.inputSchema.safeParse(args, { error: mistakeInWords });
      return checked.success
        ? runCall(this.parts, context, call => run(checked.data, call), refused)
        : refused(
            `Invalid arguments for ${name}: ${checked.error.issues.map(({ message }) => message).join(' ')}`,
          );
    };
    this.tools.set(name, { config, run: runChecked });
  }

  /** Adds a tool that works on paths: while the roots are not known, it is refused with the reason. */
  addForPaths<Input extends z.ZodObject>(
    name: string,
    config: ToolConfig<Input>,
    run: RunTool<Input>,
  ): void {
    this.add(name, config, (args, call) => {
      const { problem } = call.view;
      return problem === undefined
        ? run(args, call)
        : refused(`It is not known which folders are shared, so no path is served. ${problem}`);
    });
  }

  private notFound(name: string): never {
    const shown = printable(name.slice(0, longestName));
    const why = this.withheld.has(name) ? `: ${onlyReads}` : '';
    throw new ProtocolError(INVALID_PARAMS, `Tool ${shown} not found${why}`);
  }

  private listed(): Tool[] {
    return [...this.tools].map(([name, { config }]) => ({
      name,
      title: config.title,
      description: config.description,
      inputSchema: plainSchema(config.inputSchema, 'input'),
      outputSchema: plainSchema(config.outputSchema, 'output'),
      annotations: config.annotations,
    }));
  }
}

/**
 * The name and arguments of a `tools/call` request.
 * @throws an error of the protocol that says what is wrong with it.
 */
export function readCall({ params = {} }: RawRequest): {
  readonly name: string;
  readonly args: JsonObject;
} {
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string') {
    throw new ProtocolError(INVALID_PARAMS, 'Invalid request: "params.name" must be a text.');
  }
  if (!isJsonObject(args)) {
    const message = 'Invalid request: "params.arguments" must be an object.';
    throw new ProtocolError(INVALID_PARAMS, message);
  }
  return { name, args };
}

/** Names come from the client, and may be of any length. */
const longestName = 200;

/**
 * The schema as JSON, which does not name its dialect. MCP says which one that is then, and VS Code
 * 1.105 leaves out every tool whose dialect it cannot download.
 */
export function plainSchema(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  return rest as Tool['inputSchema'];
}

/** Said to a model, which is not to start a second server that writes. */
const onlyReads =
  'this server only reads. Who set it up can let it write: with --allow-write, or by a setting of MCP Roots.';

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
import { setCallHandler } from '../callHandler.ts';
import { type ArgumentSchema, fittedArguments } from '../fittedArguments.ts';
import type { RawRequest, RawResult } from '../hubHost.ts';
import { mistakeInWords } from '../mistakesInWords.ts';
import type { RequestContext } from '../requestContext.ts';
import { type CallParts, type RunningCall, runCall } from '../runningCall.ts';
import { refused, withNote } from './answers.ts';

/** The entry of a tool in the list. */
interface ToolConfig<Input extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  /** A strict object, because a misspelled argument may be a request not to write. */
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
  /** Runs the tool with arguments as sent by the client. */
  readonly run: (args: JsonObject, context: RequestContext) => Promise<RawResult>;
}

/** The tools of one session. Each call waits in a queue, and uses the roots at its start. */
export class ToolSet {
  private readonly parts: CallParts;
  private readonly allowWrite: boolean;
  private readonly tools = new Map<string, SessionTool>();
  private readonly withheld = new Set<string>();
  /** The names of all tools' arguments. */
  private readonly names = new Set<string>();

  /** Sets the handlers of `server`, so construct the set before the server connects. */
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
   * Adds a tool that answers even while the roots are unknown. A server without permission to write
   * offers only tools that are marked as read-only.
   */
  add<Input extends z.ZodObject>(
    name: string,
    config: ToolConfig<Input>,
    run: RunTool<Input>,
  ): void {
    const { inputSchema, annotations } = config;
    for (const key of Object.keys(inputSchema.shape)) {
      this.names.add(key);
    }
    if (!annotations.readOnlyHint && !this.allowWrite) {
      this.withheld.add(name);
      return;
    }
    const check = (args: JsonObject) => inputSchema.safeParse(args, { error: mistakeInWords });
    const runChecked = async (sent: JsonObject, context: RequestContext) => {
      const names = annotations.readOnlyHint ? this.names : undefined;
      let [checked, note] = [check(sent), ''];
      if (!checked.success) {
        const schema = plainSchema(inputSchema, 'input') as ArgumentSchema;
        const fitted = fittedArguments(sent, schema, names);
        [checked, note] = [check(fitted.args), fitted.note];
      }
      if (!checked.success) {
        const mistakes = checked.error.issues.map(({ message }) => message).join(' ');
        return refused(`Invalid arguments for ${name}: ${mistakes}`);
      }
      const { data } = checked;
      const work = async (call: RunningCall) => withNote(await run(data, call), note);
      return runCall(this.parts, context, work, refused);
    };
    this.tools.set(name, { config, run: runChecked });
  }

  /** Adds a tool that works on paths. While the roots are unknown, the tool refuses and says why. */
  addForPaths<Input extends z.ZodObject>(
    name: string,
    config: ToolConfig<Input>,
    run: RunTool<Input>,
  ): void {
    this.add(name, config, (args, call) => {
      const { problem } = call.view;
      return problem === undefined
        ? run(args, call)
        : refused(`The shared folders are unknown, so no path is served. ${problem}`);
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
 * @throws an error of the protocol that says what is wrong with the request.
 */
export function readCall({ params = {} }: RawRequest): {
  readonly name: string;
  readonly args: JsonObject;
} {
  const { name, arguments: sent } = params;
  const args = sent ?? {};
  if (typeof name !== 'string') {
    throw new ProtocolError(INVALID_PARAMS, 'Invalid request: "params.name" must be a string.');
  }
  if (!isJsonObject(args)) {
    const message = 'Invalid request: "params.arguments" must be an object.';
    throw new ProtocolError(INVALID_PARAMS, message);
  }
  return { name, args };
}

/** The most characters of a name in a message. Names come from the client, and may have any length. */
const longestName = 200;

/**
 * The schema as JSON, without the key for its dialect. MCP defines the default dialect, and VS Code
 * 1.105 drops every tool with a dialect that it cannot download.
 */
export function plainSchema(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  return rest as Tool['inputSchema'];
}

/** The wording keeps a model from starting a second server that writes. */
const onlyReads =
  'this server only reads. The person who set it up can let it write, with --allow-write or a setting of MCP Roots.';

import {
  type CallToolResult,
  INVALID_PARAMS,
  type InputRequiredResult,
  type McpServer,
  ProtocolError,
  type Tool,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Limiter } from '../../base/limiter.ts';
import type { Logger } from '../../base/logger.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import type { RawRequest, RawResult } from '../../hub/hubHost.ts';
import { setCallHandler } from '../callHandler.ts';
import { rootsInWords } from '../paths/refusal.ts';
import type { RequestContext } from '../requestContext.ts';
import type { RootsView } from '../roots/rootsView.ts';
import { RunningCall } from '../runningCall.ts';
import type { SessionRoots } from '../sessionRoots.ts';
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

/** Parts that the tools of a session share. */
export interface ToolSetParts {
  readonly roots: SessionRoots;
  readonly limiter: Limiter;
  readonly logger: Logger;
}

/**
 * The tools of one session. Each call takes its turn and runs with the roots of that moment; the
 * descriptions name the roots as far as they are known outside of calls.
 */
export class ToolSet {
  private readonly parts: ToolSetParts;
  private readonly allowWrite: boolean;
  private readonly tools = new Map<string, SessionTool>();
  private readonly withheld = new Set<string>();
  private note: string | undefined;

  /** Call it before connecting. */
  constructor(server: McpServer['server'], parts: ToolSetParts, allowWrite: boolean) {
    this.parts = parts;
    this.allowWrite = allowWrite;
    server.setRequestHandler('tools/list', () => ({ tools: this.listed() }));
    setCallHandler(server, async (request, context) => {
      const { name, args } = readCall(request);
      return this.tools.get(name)?.run(args, context) ?? this.notFound(name);
    });
    parts.roots.onDidChange(view => {
      const note = rootsNote(view);
      if (this.note !== note) {
        this.note = note;
        // A client that can no longer be told has ended the session.
        server.sendToolListChanged().catch(() => {});
      }
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
      const checked = config.inputSchema.safeParse(args);
      return checked.success
        ? this.answer(context, call => run(checked.data, call))
        : refused(`Invalid arguments for ${name}: ${inWords(checked.error)}`);
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

  private async answer(
    context: RequestContext,
    run: (call: RunningCall) => CallToolResult | Promise<CallToolResult>,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { roots, limiter, logger } = this.parts;
    const { signal } = context.mcpReq;
    try {
      const work = (view: RootsView, revoked?: AbortSignal) =>
        run(new RunningCall(view, context, revoked));
      const answered = await limiter.run(() => roots.use(context, work, revoked), signal);
      return answered === 'busy' ? busy() : answered;
    } catch (error) {
      // Nobody reads the answer to a call that was cancelled.
      if (!signal.aborted) {
        logger.error(error instanceof Error ? error : new Error(String(error)));
      }
      return refused('That did not work. What the server wrote to stderr has the details.');
    }
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
      description:
        this.note === undefined ? config.description : `${config.description} ${this.note}`,
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
    throw new ProtocolError(INVALID_PARAMS, 'Invalid request: params.name has to be a string.');
  }
  if (!isJsonObject(args)) {
    const message = 'Invalid request: params.arguments has to be an object.';
    throw new ProtocolError(INVALID_PARAMS, message);
  }
  return { name, args };
}

/** Names come from the client, and may be of any length. */
const longestName = 200;

function rootsNote({ folders: { scope } }: RootsView): string {
  const shared = rootsInWords(scope);
  return shared === '' ? 'At this moment no folder is shared.' : `Shared now: ${shared}.`;
}

function revoked(): CallToolResult {
  return refused(
    'The folders shared with this server changed while the call ran, and one that it worked with ' +
      'is no longer shared. See get-roots for those that are.',
  );
}

function busy(): CallToolResult {
  return refused('The server is busy: too many calls are waiting already. Try again in a moment.');
}

/** The mistakes in the arguments, each at its place. */
function inWords({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join(', ');
}

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

import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RegisteredTool,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Limiter } from '../../base/limiter.ts';
import type { Logger } from '../../base/logger.ts';
import { quotePath } from '../../domain/printable.ts';
import type { RootsView } from '../roots/rootsView.ts';
import type { SessionRoots } from '../sessionRoots.ts';
import { refused } from './answers.ts';
import { Call } from './call.ts';

/** How a tool presents itself to clients. */
interface ToolConfig<Input extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  /** A strict one: an argument that is misspelt may be the one that says not to write. */
  readonly inputSchema: Input;
  readonly outputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
}

/** What a tool does. What it throws is a bug, or says that its signal was aborted. */
type RunTool<Input extends z.ZodObject> = (
  args: z.output<Input>,
  call: Call,
) => CallToolResult | Promise<CallToolResult>;

/** What the tools of a session share. */
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
  private readonly server: McpServer;
  private readonly parts: ToolSetParts;
  private readonly tools: { readonly tool: RegisteredTool; readonly description: string }[] = [];

  constructor(server: McpServer, parts: ToolSetParts) {
    this.server = server;
    this.parts = parts;
    parts.roots.onDidChange(view => this.describe(view));
  }

  /** Adds a tool that answers even where the roots are not known. */
  add<Input extends z.ZodObject>(
    name: string,
    config: ToolConfig<Input>,
    run: RunTool<Input>,
  ): void {
    const handle = (args: z.output<Input>, context: ServerContext) =>
      this.answer(context, call => run(args, call));
    const inputSchema = plainSchema(config.inputSchema);
    const outputSchema = shownSchema(config.outputSchema);
    const registered = { ...config, inputSchema, outputSchema };
    const tool = this.server.registerTool(name, registered, handle);
    this.tools.push({ tool, description: config.description });
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
    context: ServerContext,
    run: (call: Call) => CallToolResult | Promise<CallToolResult>,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { roots, limiter, logger } = this.parts;
    const { signal } = context.mcpReq;
    try {
      const work = (view: RootsView, revoked?: AbortSignal) =>
        run(new Call(view, context, revoked));
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

  private describe(view: RootsView): void {
    const note = rootsNote(view);
    for (const { tool, description } of this.tools) {
      const next = `${description} ${note}`;
      if (tool.description !== next) {
        tool.update({ description: next });
      }
    }
  }
}

function rootsNote({ folders: { scope } }: RootsView): string {
  const shown = scope.roots.slice(0, 5).map(({ announced }) => quotePath(announced));
  const more = scope.roots.length > 5 ? ` and ${scope.roots.length - 5} more (see get-roots)` : '';
  return shown.length > 0
    ? `Shared now: ${shown.join(', ')}${more}.`
    : 'At this moment no folder is shared.';
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

/**
 * The same schema, which does not name its dialect when it is written as JSON. MCP says which one
 * that is then, and VS Code 1.105 leaves out every tool whose dialect it cannot download.
 */
export function plainSchema<S extends z.ZodObject>(
  schema: S,
): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const standard = (schema as StandardSchemaWithJSON<z.input<S>, z.output<S>>)['~standard'];
  const { input, output } = standard.jsonSchema;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: options => withoutDialect(input(options)),
        output: options => withoutDialect(output(options)),
      },
    },
  };
}

/**
 * The schema as it is shown to clients, which takes every value: what a tool answers is our own,
 * and the clients that the tests are run with check it.
 */
function shownSchema<S extends z.ZodObject>(
  schema: S,
): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const { '~standard': standard } = plainSchema(schema);
  return { '~standard': { ...standard, validate: value => ({ value: value as z.output<S> }) } };
}

function withoutDialect({ $schema, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

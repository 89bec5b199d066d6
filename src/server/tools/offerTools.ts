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
import { rootsInWords } from '../paths/refusal.ts';
import type { RequestContext } from '../requestContext.ts';
import type { RootsView } from '../roots/rootsView.ts';
import { type CallParts, type RunningCall, runCall } from '../runningCall.ts';
import { refused } from './answers.ts';

/** A tool: its entry in the list, and what it does. */
export interface BundledTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A strict one: an argument that is misspelt may be the one that says not to write. */
  readonly inputSchema: Input;
  readonly outputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** Runs it. It throws only for a bug, or when its signal is aborted. */
  run(args: z.output<Input>, call: RunningCall): CallToolResult | Promise<CallToolResult>;
}

/** A tool that answers even where the roots are not known. */
export function tool<Input extends z.ZodObject>(made: BundledTool<Input>): BundledTool<Input> {
  return made;
}

/** A tool that works on paths: while the roots are not known, it is refused with the reason. */
export function pathTool<Input extends z.ZodObject>(made: BundledTool<Input>): BundledTool<Input> {
  return {
    ...made,
    run(args, call) {
      const { problem } = call.view;
      return problem === undefined
        ? made.run(args, call)
        : refused(`It is not known which folders are shared, so no path is served. ${problem}`);
    },
  };
}

/**
 * Offers tools to the client of one session; where nothing may be written, none that may. Each call
 * takes its turn and runs with the roots of that moment; the descriptions name the roots as far as
 * they are known outside of calls. Call it before connecting.
 */
export function offerTools(
  server: McpServer['server'],
  parts: CallParts,
  tools: readonly BundledTool[],
  allowWrite: boolean,
): void {
  const offered = tools.filter(({ annotations }) => allowWrite || annotations.readOnlyHint);
  let note: string | undefined;
  server.setRequestHandler('tools/list', () => ({
    tools: offered.map(each => listed(each, note)),
  }));
  setCallHandler(server, async (request, context) => {
    const { name, args } = readCall(request);
    const called = offered.find(each => each.name === name);
    return called
      ? runTool(called, args, parts, context)
      : notFound(
          name,
          tools.some(each => each.name === name),
        );
  });
  parts.roots.onDidChange(view => {
    const now = rootsNote(view);
    if (note !== now) {
      note = now;
      // A client that can no longer be told has ended the session.
      server.sendToolListChanged().catch(() => {});
    }
  });
}

function listed(tool: BundledTool, note: string | undefined): Tool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    title,
    description: note === undefined ? description : `${description} ${note}`,
    inputSchema: plainSchema(inputSchema, 'input'),
    outputSchema: plainSchema(outputSchema, 'output'),
    annotations,
  };
}

async function runTool(
  { name, inputSchema, run }: BundledTool,
  args: JsonObject,
  parts: CallParts,
  context: RequestContext,
): Promise<RawResult> {
  const checked = inputSchema.safeParse(args, { error: mistakeInWords });
  if (checked.success) {
    return runCall(parts, context, call => run(checked.data, call), refused);
  }
  const mistakes = checked.error.issues.map(({ message }) => message).join(' ');
  return { ...refused(`Invalid arguments for ${name}: ${mistakes}`) };
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

function notFound(name: string, isWithheld: boolean): never {
  const shown = printable(name.slice(0, longestName));
  const why = isWithheld ? `: ${onlyReads}` : '';
  throw new ProtocolError(INVALID_PARAMS, `Tool ${shown} not found${why}`);
}

/** Names come from the client, and may be of any length. */
const longestName = 200;

function rootsNote({ folders: { scope } }: RootsView): string {
  const shared = rootsInWords(scope);
  return shared === '' ? 'At this moment no folder is shared.' : `Shared now: ${shared}.`;
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

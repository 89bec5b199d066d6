import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { jsonLine } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type ArgumentSchema, fittedArguments } from '../../server/fittedArguments.ts';
import type { HubAnswer, HubHost, RawRequest, RawResult } from '../../server/hubHost.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import { whyNoRoots } from '../../server/roots/rootsView.ts';
import { readOnly, withNote } from '../../server/tools/answers.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { withMoreTools } from '../offers/sessionOffers.ts';
import type { OfferedTool } from '../offers/upstreamOffers.ts';
import type { GuardedCalls } from '../session/guardedCalls.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { listServers } from './listServers.ts';
import { listTools } from './listTools.ts';

interface ToolSession {
  readonly host: HubHost;
  readonly upstreams: Upstreams;
  readonly calls: GuardedCalls;
  readonly config: ConfigFile;
}

/** Lists and answers the hub's own tools, beside those of the bundled server. */
export function hubToolAnswers(session: ToolSession): HubAnswer[] {
  return [
    ['tools/list', async (_request, _context, own) => withMoreTools(await own(), hubTools)],
    [
      'tools/call',
      async (request, context, own) => {
        const tool = hubTools.find(({ name }) => name === request.params?.['name']);
        return tool
          ? session.host.fitted(await callHubTool(session, tool, request, context), undefined)
          : own();
      },
    ],
  ];
}

/** Answers a call of a hub's own tool. @throws the error of a server, unchanged. */
async function callHubTool(
  { upstreams, calls, config }: ToolSession,
  tool: HubTool,
  { params }: RawRequest,
  context: RequestContext,
): Promise<RawResult> {
  // The bundled server checks the form of a call before it asks the hub.
  const { name, inputSchema, annotations } = tool;
  const sent = (params?.['arguments'] ?? {}) as JsonObject;
  const names = annotations.readOnlyHint ? argumentNames() : undefined;
  const { args, note } = fittedArguments(sent, inputSchema, names);
  const mistake = mistakeIn(inputSchema, args);
  const [serverName, toolName] = ['serverName', 'toolName'].map(key =>
    typeof args[key] === 'string' ? args[key] : '',
  ) as [string, string];
  if (mistake !== undefined) {
    const error = new HumanError('{0}', `Invalid arguments for ${name}: ${mistake}`);
    if (name === 'call-tool') {
      calls.noteUnrun({ serverName, toolName }, error, context);
    }
    throw error;
  }
  switch (name) {
    case 'list-servers':
      return upstreams.use(context, view =>
        withNote(listServers(upstreams.byName, config, whyNoRoots(view)), note),
      );
    case 'list-tools':
      return upstreams.use(context, async () =>
        withNote(await listTools(upstreams.byName, config, args, context.mcpReq.signal), note),
      );
    default: {
      const { toolArgs = {} } = args;
      const params = { name: toolName, arguments: toolArgs };
      const call = { serverName, toolName, args: toolArgs, params };
      return calls.run(call, context);
    }
  }
}

type HubTool = OfferedTool & {
  readonly inputSchema: ArgumentSchema;
  readonly annotations: ToolAnnotations;
};

/** The hub's own tools in the order of the list, besides those of the bundled server. */
export const hubTools: readonly HubTool[] = [
  {
    name: 'list-servers',
    title: 'List Servers',
    description:
      'List the MCP servers of this hub. The answer has the state of each server, the instructions ' +
      'of running servers, and how each server gets the shared folders.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: readOnly,
  },
  {
    name: 'list-tools',
    title: 'List Tools',
    description:
      'List the tools of one server, or of all servers of this hub, as "server › tool(arguments)", with ' +
      'schemas. The hub starts servers that do not run yet. Use call-tool to call a tool.',
    inputSchema: {
      type: 'object',
      properties: {
        serverName: {
          type: 'string',
          description: 'List only the tools of this server, and the instructions of the server.',
        },
        search: {
          type: 'string',
          description: 'List only tools that have all of these words in their name or description.',
        },
      },
      additionalProperties: false,
    },
    annotations: readOnly,
  },
  {
    name: 'call-tool',
    title: 'Call Tool',
    description:
      'Call a tool of a server of this hub. Paths in the arguments must be in the shared folders (see get-roots). Relative paths start in the first shared folder.',
    inputSchema: {
      type: 'object',
      properties: {
        serverName: { type: 'string', description: 'The name of the server, from list-servers.' },
        toolName: { type: 'string', description: 'The name of the tool, from list-tools.' },
        toolArgs: {
          type: 'object',
          description: 'The arguments of the tool, in the form of its schema.',
          additionalProperties: true,
        },
      },
      required: ['serverName', 'toolName'],
      additionalProperties: false,
    },
    // The hub can't know what the called tool does, so the annotations expect the worst.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
];

function argumentNames(): Set<string> {
  return new Set(hubTools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {})));
}

/** The first mistake in the arguments by the schema, which has few rules. `undefined`: none. */
function mistakeIn(
  { properties = {}, required = [] }: ArgumentSchema,
  given: JsonObject,
): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type === undefined) {
      const known = Object.keys(properties).join(', ') || 'none';
      return `The argument ${jsonLine(name.slice(0, 100))} is unknown. Known arguments: ${known}.`;
    }
    if (type === 'object' ? !isJsonObject(value) : typeof value !== type) {
      return `"${name}" must be ${type === 'object' ? 'an object' : 'a text'}.`;
    }
  }
  const missing = required.find(name => !Object.hasOwn(given, name));
  return missing === undefined ? undefined : `"${missing}" is missing.`;
}

import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { jsonLine } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import { whyNoRoots } from '../../server/roots/rootsView.ts';
import { readOnly } from '../../server/tools/answers.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { HubAnswer, HubHost, RawRequest, RawResult } from '../hubHost.ts';
import { withMoreTools } from '../offers/offerRequests.ts';
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
        if (!isHubTool(request.params?.['name'])) {
          return own();
        }
        return session.host.fitted(await callHubTool(session, request, context), undefined);
      },
    ],
  ];
}

/** @throws the error of a server, as it came. */
async function callHubTool(
  { upstreams, calls, config }: ToolSession,
  { params }: RawRequest,
  context: RequestContext,
): Promise<RawResult> {
  // Their form is known before the hub is asked.
  const { name, arguments: args = {} } = params as { name: string; arguments?: JsonObject };
  const mistake = mistakeIn(name, args);
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
        listServers(upstreams.byName, config, whyNoRoots(view)),
      );
    case 'list-tools':
      return upstreams.use(context, () =>
        listTools(upstreams.byName, config, args, context.mcpReq.signal),
      );
    default: {
      const { toolArgs = {} } = args;
      const params = { name: toolName, arguments: toolArgs };
      const call = { serverName, toolName, args: toolArgs, params };
      return calls.run(call, context);
    }
  }
}

/** The hub's own tools, besides those of the bundled server, in the order of the list. */
export const hubTools: readonly OfferedTool[] = [
  {
    name: 'list-servers',
    title: 'List Servers',
    description:
      'List the MCP servers that this hub can call, their state, what those that run say of ' +
      'themselves, and how each learns of the shared folders.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: readOnly,
  },
  {
    name: 'list-tools',
    title: 'List Tools',
    description:
      'List the tools of one server of this hub or of all, each as "server › tool(arguments)", ' +
      'with their schemas. Servers that do not run yet are started. Call them with call-tool.',
    inputSchema: {
      type: 'object',
      properties: {
        serverName: {
          type: 'string',
          description: 'Only the tools of this server, and how it says that it is to be used.',
        },
        search: {
          type: 'string',
          description: 'Only tools whose name or description has all of these words.',
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
      'Call a tool of a server of this hub. Paths in its arguments have to lie in the shared ' +
      'folders (get-roots); relative ones start in the first.',
    inputSchema: {
      type: 'object',
      properties: {
        serverName: { type: 'string', description: 'As in list-servers.' },
        toolName: { type: 'string', description: 'As in list-tools.' },
        toolArgs: {
          type: 'object',
          description: 'The arguments, as the schema of the tool says.',
          additionalProperties: true,
        },
      },
      required: ['serverName', 'toolName'],
      additionalProperties: false,
    },
    // The work of a tool behind it is that tool's own matter.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
];

function isHubTool(name: unknown): boolean {
  return hubTools.some(tool => tool.name === name);
}

/**
 * The mistake in the arguments of one of the hub's own tools, held against the little that its schema
 * says; `undefined`: none.
 */
function mistakeIn(tool: string, given: JsonObject): string | undefined {
  const schema = hubTools.find(({ name }) => name === tool)?.['inputSchema'];
  const { properties, required = [] } = schema as {
    readonly properties: Readonly<Record<string, { readonly type: string }>>;
    readonly required?: readonly string[];
  };
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (type === undefined) {
      const known = Object.keys(properties).join(', ') || 'none';
      return `There is no argument ${jsonLine(name.slice(0, 100))}; there are: ${known}.`;
    }
    if (type === 'object' ? !isJsonObject(value) : typeof value !== type) {
      return `"${name}" must be ${type === 'object' ? 'an object' : 'a text'}.`;
    }
  }
  const missing = required.find(name => !Object.hasOwn(given, name));
  return missing === undefined ? undefined : `"${missing}" is missing.`;
}

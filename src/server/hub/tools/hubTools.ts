import { readOnly } from '../../tools/answers.ts';

/** A tool as it is listed to clients. */
export interface ListedTool {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** What the hub offers besides the tools of the bundled server, in the order of its listing. */
export const hubTools: readonly ListedTool[] = [
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
    // What a tool behind it does is its own matter.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
];

/** Whether it is one of the tools that the hub answers for. */
export function isHubTool(name: unknown): boolean {
  return hubTools.some(tool => tool.name === name);
}

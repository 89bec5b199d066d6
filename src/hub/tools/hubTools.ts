import { isJsonObject } from '../../domain/json.ts';
import { jsonLine } from '../../domain/printable.ts';
import { readOnly } from '../../server/tools/answers.ts';

/** A tool as it is listed to clients. */
interface ListedTool {
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

/** The arguments of a call, or their mistake in a sentence. */
type ReadArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

interface ToolProperty {
  readonly type: string;
}

/** Checks the arguments of one of the hub's own tools against the little its schema says. */
export function readArguments(tool: string, given: unknown = {}): ReadArguments {
  const schema = hubTools.find(({ name }) => name === tool)?.['inputSchema'];
  const { properties, required = [] } = schema as {
    readonly properties: Readonly<Record<string, ToolProperty>>;
    readonly required?: readonly string[];
  };
  if (!isJsonObject(given)) {
    return refuse(tool, 'The arguments must be an object.');
  }
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) {
      const known = Object.keys(properties).join(', ') || 'none';
      return refuse(
        tool,
        `There is no argument ${jsonLine(name.slice(0, 100))}; there are: ${known}.`,
      );
    }
    if (!fits(property, value)) {
      return refuse(tool, `"${name}" must be ${kinds[property.type] ?? property.type}.`);
    }
  }
  const missing = required.find(name => !Object.hasOwn(given, name));
  return missing === undefined
    ? { ok: true, args: given }
    : refuse(tool, `"${missing}" is missing.`);
}

const kinds: Readonly<Record<string, string>> = { string: 'a text', object: 'an object' };

function fits({ type }: ToolProperty, value: unknown): boolean {
  return type === 'object' ? isJsonObject(value) : typeof value === type;
}

function refuse(tool: string, problem: string): ReadArguments {
  return { ok: false, problem: `Invalid arguments for ${tool}: ${problem}` };
}

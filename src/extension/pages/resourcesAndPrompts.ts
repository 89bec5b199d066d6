import { messageOf } from '../../base/messageOf.ts';
import type { JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type {
  CallToolResult,
  Prompt,
  Resource,
  ResourceTemplateType,
  Tool,
} from '../../mcp/link/connection.ts';
import { loadClient } from '../servers/loadClient.ts';
import type { Server } from '../servers/server.ts';

/** What a person calls in a tab: a tool, or a resource or prompt in the form of a tool. */
export interface Callable {
  readonly kind: 'tool' | 'resource' | 'prompt';
  /** Unique among the server's callables of this kind. */
  readonly id: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** What the server says about the effects. Nobody checks it. */
  readonly annotations?: Tool['annotations'];
  readonly inputSchema: object;
  /** Whether the tab calls when it opens, because the call has no arguments and only reads. */
  readonly isCalledAtOnce: boolean;
  readonly call: (
    server: Server,
    args: JsonObject,
    options: CallOptions,
  ) => Promise<CallToolResult>;
}

type CallOptions = Pick<Parameters<Server['requests']['callTool']>[0], 'signal' | 'onProgress'>;

export function toolCallable(tool: Tool): Callable {
  const { name } = tool;
  return {
    ...tool,
    kind: 'tool',
    id: name,
    isCalledAtOnce: false,
    call: ({ requests }, args, options) => requests.callTool({ name, arguments: args, ...options }),
  };
}

export function resourceCallable(resource: Pick<Resource, 'uri'> & Partial<Resource>): Callable {
  const { uri, name = uri, title, description } = resource;
  return {
    ...{ kind: 'resource', id: uri, name, title, description },
    inputSchema: textsSchema([]),
    isCalledAtOnce: true,
    call: (server, _, options) => readResource(server, uri, options),
  };
}

/** @throws {HumanError} for a template that we can't fill in. (RFC 6570.) */
export async function templateCallable(resource: ResourceTemplateType): Promise<Callable> {
  const { uriTemplate, name, title, description } = resource;
  const { UriTemplate } = await loadClient();
  try {
    const template = new UriTemplate(uriTemplate);
    return {
      ...{ kind: 'resource', id: uriTemplate, name, title, description },
      inputSchema: textsSchema(template.variableNames.map(variable => ({ name: variable }))),
      isCalledAtOnce: false,
      call: (server, args, options) =>
        readResource(server, template.expand(args as Readonly<Record<string, string>>), options),
    };
  } catch (error) {
    const reason = printable(messageOf(error));
    throw new HumanError('{0} could not be read: {1}', printable(uriTemplate), reason);
  }
}

export function promptCallable(prompt: Prompt): Callable {
  const { name, title, description, arguments: asked = [] } = prompt;
  return {
    ...{ kind: 'prompt', id: name, name, title, description },
    inputSchema: textsSchema(asked),
    isCalledAtOnce: asked.length === 0,
    call: async ({ requests }, args, options) => {
      const params = { name, arguments: args };
      const { messages } = await requests.request('prompts/get', params, options);
      return {
        content: messages.flatMap(({ role, content }) => [{ type: 'text', text: role }, content]),
      };
    },
  };
}

async function readResource(
  { requests }: Server,
  uri: string,
  options: CallOptions,
): Promise<CallToolResult> {
  const { contents } = await requests.request('resources/read', { uri }, options);
  return { content: contents.map(resource => ({ type: 'resource', resource })) };
}

/** The schema of an object that has only texts, for the arguments of prompts and templates. */
function textsSchema(asked: NonNullable<Prompt['arguments']>): object {
  return {
    type: 'object',
    properties: Object.fromEntries(
      asked.map(({ name, description }) => [name, { type: 'string', description }]),
    ),
    required: asked.filter(({ required }) => required).map(({ name }) => name),
  };
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import { propertiesOf } from '../../domain/forms/jsonSchema.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { cut, printable } from '../../domain/printable.ts';
import { answer, refused } from '../../server/tools/answers.ts';
import { type ConfigFile, unknownServer } from '../config/configFile.ts';
import { listProblem, type OfferedTool } from '../offers/upstreamOffers.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { longestWaitOfList } from '../upstreams/upstreams.ts';
import { atLength, noServer } from './listServers.ts';

/**
 * `list-tools`: the tools of servers. Starts servers that do not run. If a server fails, only its
 * tools are missing. If `serverName` is given, the answer also has the instructions of the server.
 * If `search` is given, a tool must contain all its words.
 */
export async function listTools(
  upstreams: ReadonlyMap<string, Upstream>,
  config: Pick<ConfigFile, 'leftOut' | 'switchedOff' | 'whyLeftOut'>,
  { serverName, search }: { readonly serverName?: string; readonly search?: string },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const asked = [...upstreams.values()].filter(
    ({ server }) => server.name === (serverName ?? server.name),
  );
  if (asked.length === 0 && serverName !== undefined) {
    return refused(unknownServer(serverName, upstreams.keys(), config));
  }
  const listed = await Promise.all(asked.map(upstream => toolsOf(upstream, signal)));
  const all = listed.flatMap(({ tools }) => tools);
  const tools = search === undefined ? all : searchTools(all, search);
  const leftOut = serverName === undefined ? config.leftOut : [];
  const problems = [
    ...listed.flatMap(one => one.problems),
    ...leftOut.map(name => `"${printable(name)}" does not run. ${config.whyLeftOut(name)}`),
  ];
  const named = asked.length + leftOut.length + config.switchedOff.length;
  // If no server has a tool, the problems say why.
  const isSaid = tools.length > 0 || (all.length === 0 && problems.length > 0);
  const none = isSaid ? [] : [whyNone(all.length, named)];
  const said = atLength(serverName === undefined ? undefined : asked[0]?.managed.link);
  return answer(
    { tools, problems, ...said },
    [...none, ...tools.map(signatureOf), ...problems].join('\n'),
    // Separate from the tools, because a server could imitate other tools' lines.
    said.instructions ? `${printable(serverName ?? '')}'s instructions:\n${said.instructions}` : '',
  );
}

function whyNone(unfound: number, servers: number): string {
  if (unfound > 0) {
    const count = unfound === 1 ? '1 tool' : `${unfound} tools`;
    return `No tool has all of these words. Without "search", the list has ${count}.`;
  }
  return servers === 0 ? noServer : noTool;
}

const noTool = 'None of the servers has a tool.';

async function toolsOf(upstream: Upstream, signal: AbortSignal) {
  const { name } = upstream.server;
  try {
    await upstream.comeUp(signal, longestWaitOfList);
    const tools = await upstream.offerings.tools();
    const remark = upstream.offerings.toolsRemark;
    return {
      tools: tools.map(tool => ({ ...tool, serverName: name })),
      problems: [
        ...(remark === undefined ? [] : [ofServer(name, remark)]),
        ...upstream.ruleProblems,
      ],
    };
  } catch (error) {
    return { tools: [], problems: [ofServer(name, listProblem(error))] };
  }
}

/** Puts the server's name in front of sentences about it, unless they begin with it. */
function ofServer(name: string, sentences: string): string {
  const shown = printable(name);
  return sentences.startsWith(`The server "${shown}"`) ? sentences : `${shown}: ${sentences}`;
}

/** A tool in one line: its server, name, arguments, and the first line of its description. */
export function signatureOf(tool: ListedTool): string {
  const { serverName, name, title, inputSchema, description } = tool;
  const schema = isJsonObject(inputSchema) ? inputSchema : {};
  const about = [description, title].map(firstLine).find(line => line !== '') ?? '';
  return printable(`${serverName} › ${name}(${argumentsOf(schema)})${about && ` — ${about}`}`);
}

/** The arguments. If they are too long, the contents of lists and objects are left out. */
function argumentsOf(schema: JsonObject): string {
  const fitting = [deepest, 0]
    .map(depth => fieldsIn(schema, depth))
    .find(text => text.length <= longestArguments);
  return fitting ?? cut(fieldsIn(schema, 0), longestArguments);
}

/** The most levels of lists and objects that are written out. */
const deepest = 2;

/** The longest arguments in a line, in characters. The structured result has the whole schema. */
const longestArguments = 300;

function fieldsIn(schema: JsonObject, depth: number): string {
  return propertiesOf(schema)
    .map(({ name, schema, isRequired }) => {
      return `${name}${isRequired ? '' : '?'}: ${typeOf(schema, depth)}`;
    })
    .join(', ');
}

/** The possible values if they are few, and otherwise the type. `value` may be no schema at all. */
function typeOf(value: unknown, depth: number): string {
  const schema = isJsonObject(value) ? value : {};
  const { type, enum: choices, items, properties } = schema;
  if (Array.isArray(choices) && choices.length > 0 && choices.length <= mostChoices) {
    return cut(choices.map(choice => JSON.stringify(choice)).join(' | '), longest);
  }
  if (type === 'array' && depth > 0 && isJsonObject(items)) {
    return listOf(typeOf(items, depth - 1));
  }
  if (type === 'object' && depth > 0 && isJsonObject(properties)) {
    return `{${fieldsIn(schema, depth - 1)}}`;
  }
  const types = [type].flat().filter(one => typeof one === 'string');
  return types.length > 0 ? cut(types.join(' | '), longest) : 'any';
}

function listOf(item: string): string {
  const isChoice = !item.startsWith('{') && item.includes(' | ');
  return item === 'any' ? 'array' : `${isChoice ? `(${item})` : item}[]`;
}

const mostChoices = 8;

/** The longest type or description in a line, in characters. */
const longest = 200;

function firstLine(text: unknown): string {
  const [line = ''] = typeof text === 'string' ? text.trim().split('\n') : [];
  return cut(line, longest);
}

/** A tool with its server. A title or description may have any type. */
type ListedTool = OfferedTool & { readonly serverName: string };

/**
 * The tools that contain every word of the query, in any case: in the name of the server, or in the
 * name, title or description of the tool. A query without words finds all.
 */
export function searchTools<T extends ListedTool>(tools: readonly T[], query: string): T[] {
  const words = query.toLowerCase().split(/\s+/);
  return tools.filter(({ serverName, name, title, description }) => {
    const texts = [serverName, name, title, description].filter(text => typeof text === 'string');
    const whole = texts.join('\n').toLowerCase();
    return words.every(word => whole.includes(word));
  });
}

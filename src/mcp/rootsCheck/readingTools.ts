import type { Tool } from '@modelcontextprotocol/client';
import { requiredOf } from '../../domain/forms/jsonSchema.ts';
import { isJsonObject } from '../../domain/json.ts';

/** A tool that reads a file by its path alone, and the argument for that. */
export interface ReadingTool {
  readonly name: string;
  readonly parameter: string;
}

const pathParameters = [
  ...['file', 'filename', 'filepath'],
  ...['path', 'pathname', 'fullpath', 'absolutepath'],
];

/** The tools that read by path and are safe to call, the most promising first. */
export function readingTools(tools: readonly Tool[]): ReadingTool[] {
  return safeTools(tools).flatMap(tool => {
    const parameter = onlyRequired(tool);
    return pathParameters.includes(parameter.replace(/[-_]/g, '').toLowerCase())
      ? [{ name: tool.name, parameter }]
      : [];
  });
}

/** The tools that change nothing, by their own word or by their name; the word goes first. */
function safeTools(tools: readonly Tool[]): readonly Tool[] {
  const declared = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  const named = tools.filter(
    ({ name, annotations }) =>
      annotations?.readOnlyHint === undefined &&
      annotations?.destructiveHint !== true &&
      /^(?:read|list|get|stat)(?![a-z])/.test(name),
  );
  return [...declared, ...named];
}

/** The one argument that a tool requires, if that is a text; empty otherwise. */
function onlyRequired({ inputSchema }: Tool): string {
  const [only, ...others] = requiredOf(inputSchema, 2);
  const schema = only?.schema;
  const isText = isJsonObject(schema) && schema['type'] === 'string' && !schema['enum'];
  return only && isText && others.length === 0 ? only.name : '';
}

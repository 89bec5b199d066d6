import { cut } from '../../../domain/cut.ts';
import { printable } from '../../../domain/printable.ts';
import { isJsonObject, type JsonObject } from '../../../domain/settings/values.ts';
import { fieldsOf } from '../../../domain/toolArguments.ts';

/** A tool as one line that a person or a model can call it by: its server, its name, what it takes. */
export function signatureOf(tool: {
  readonly serverName: string;
  readonly name: string;
  readonly [key: string]: unknown;
}): string {
  const { serverName, name, title, inputSchema, description } = tool;
  const schema = isJsonObject(inputSchema) ? inputSchema : {};
  const about = [description, title].map(firstLine).find(line => line !== '') ?? '';
  return printable(`${serverName} › ${name}(${argumentsOf(schema)})${about && ` — ${about}`}`);
}

/** What is in lists and objects is left out where all of it would be too long. */
function argumentsOf(schema: JsonObject): string {
  const fitting = [deepest, 0]
    .map(depth => fieldsIn(schema, depth))
    .find(text => text.length <= longestArguments);
  return fitting ?? cut(fieldsIn(schema, 0), longestArguments);
}

/** How many lists and objects within each other are written out. */
const deepest = 2;

/** In characters: the whole schema is in the structured result. */
const longestArguments = 300;

function fieldsIn(schema: JsonObject, depth: number): string {
  const { properties } = schema;
  return fieldsOf(schema)
    .map(({ name, isRequired }) => {
      const type = typeOf(isJsonObject(properties) ? properties[name] : undefined, depth);
      return `${name}${isRequired ? '' : '?'}: ${type}`;
    })
    .join(', ');
}

/** The values there are, if they are few; else the type, which may be any. */
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

/** In characters. */
const longest = 200;

function firstLine(text: unknown): string {
  const [line = ''] = typeof text === 'string' ? text.trim().split('\n') : [];
  return cut(line, longest);
}

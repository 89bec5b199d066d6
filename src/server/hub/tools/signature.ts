import { printable } from '../../../domain/printable.ts';
import { isJsonObject } from '../../../domain/settings/values.ts';
import { type Field, fieldsOf } from '../../../domain/toolArguments.ts';

/** A tool as one line that a person or a model can call it by: its server, its name, what it takes. */
export function signatureOf(tool: {
  readonly serverName: string;
  readonly name: string;
  readonly [key: string]: unknown;
}): string {
  const { serverName, name, title, inputSchema, description } = tool;
  const schema = isJsonObject(inputSchema) ? inputSchema : {};
  const fields = fieldsOf(schema).map(
    field => `${field.name}${field.isRequired ? '' : '?'}: ${typeOf(field, schema)}`,
  );
  const about = [description, title].map(firstLine).find(line => line !== '') ?? '';
  return printable(`${serverName} › ${name}(${fields.join(', ')})${about && ` — ${about}`}`);
}

/** The values there are, if they are few; else the type, which may be any. */
function typeOf({ name, kind, choices = [] }: Field, { properties }: Schema): string {
  if (kind !== 'boolean' && choices.length > 0 && choices.length <= mostChoices) {
    return choices
      .map(choice => JSON.stringify(choice))
      .join(' | ')
      .slice(0, longest);
  }
  if (kind !== 'json') {
    return kind;
  }
  const field = isJsonObject(properties) ? properties[name] : undefined;
  const type = isJsonObject(field) ? field['type'] : undefined;
  return type === 'array' || type === 'object' ? type : 'any';
}

interface Schema {
  readonly properties?: unknown;
}

const mostChoices = 8;

/** In characters: the whole text is in the structured result. */
const longest = 200;

function firstLine(text: unknown): string {
  const [line = ''] = typeof text === 'string' ? text.trim().split('\n') : [];
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

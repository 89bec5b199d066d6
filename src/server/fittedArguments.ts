import { isTooComplex } from '../base/complexityLimit.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { jsonLine } from '../domain/printable.ts';

/** The part of a JSON schema that describes an argument's form. */
export interface ArgumentSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
  readonly items?: ArgumentSchema;
  readonly additionalProperties?: unknown;
}

/**
 * Converts arguments to the form of a schema if another form means the same: `null` for an absent
 * argument (OpenAI's strict mode, CrewAI), an object or a list as JSON text, one item instead of a list.
 *
 * For a tool that only reads, `names` has the argument names of all tools. Other arguments are
 * dropped, because clients add their own (n8n's `toolCallId`). `note` names the dropped arguments.
 */
export function fittedArguments(
  sent: JsonObject,
  schema: ArgumentSchema,
  names?: ReadonlySet<string>,
): { readonly args: JsonObject; readonly note: string } {
  const isKept = (key: string) => !names || names.has(key);
  const kept = Object.entries(sent).filter(([key]) => isKept(key));
  const args = fitted(Object.fromEntries(kept), schema) as JsonObject;
  const aside = Object.keys(sent).filter(key => !isKept(key));
  const shown = aside.slice(0, 10).map(key => jsonLine(key.slice(0, 100)));
  const known = Object.keys(schema.properties ?? {}).join(', ') || 'none';
  return {
    args,
    note: aside[0] === undefined ? '' : `(Ignored: ${shown.join(', ')}. Known names: ${known}.)`,
  };
}

function fitted(sent: unknown, schema: ArgumentSchema): unknown {
  const { type, items, properties = {}, required = [] } = schema;
  const isJson = typeof sent === 'string' && (type === 'object' || type === 'array');
  const value = isJson ? parsed(sent) : sent;
  if (items && Array.isArray(value)) {
    return value.map(item => fitted(item, items));
  }
  if (items) {
    const item = fitted(sent, items);
    return typeof item === items.type ? [item] : sent;
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const form = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const isLeftOut = form && member === null && !required.includes(key);
    return isLeftOut ? [] : [[key, form ? fitted(member, form) : member]];
  });
  return Object.fromEntries(members);
}

/** Parses a text as JSON. Returns the text itself if the text is not JSON, or is too complex. */
function parsed(text: string): unknown {
  try {
    return isTooComplex(text) ? text : JSON.parse(text);
  } catch {
    return text;
  }
}

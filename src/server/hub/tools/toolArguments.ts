import { jsonLine } from '../../../domain/printable.ts';
import { isJsonObject } from '../../../domain/settings/values.ts';
import { hubTools } from './hubTools.ts';

/** The arguments of a call, or what is wrong with them, in sentences. */
export type ReadArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

interface Property {
  readonly type: string;
}

/** Checks the arguments of one of the hub's own tools against the little its schema says. */
export function readArguments(tool: string, given: unknown = {}): ReadArguments {
  const schema = hubTools.find(({ name }) => name === tool)?.['inputSchema'];
  const { properties, required = [] } = schema as {
    readonly properties: Readonly<Record<string, Property>>;
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

function fits({ type }: Property, value: unknown): boolean {
  return type === 'object' ? isJsonObject(value) : typeof value === type;
}

function refuse(tool: string, problem: string): ReadArguments {
  return { ok: false, problem: `Invalid arguments for ${tool}: ${problem}` };
}

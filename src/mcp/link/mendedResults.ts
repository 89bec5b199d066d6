import { specTypeSchemas } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';

/** A type of the protocol, by the SDK's name for it, such as `Tool`. */
export type Form = keyof typeof specTypeSchemas;

/** The keys that lead to a part of a value. Without keys: the value itself. */
type Path = readonly PropertyKey[];

/** The most members of a value to check. With more, the SDK may take seconds and gigabytes. */
const mostMembers = 100_000;

/**
 * Returns the value without members that break its form, such as `null`. If a part lacks a required
 * member, the part is left out. `undefined`: nothing is left, or the value has too many members.
 */
export function mended(form: Form, value: unknown): JsonObject | undefined {
  if (membersLeft(value, mostMembers) < 0) {
    return undefined;
  }
  const { issues } = specTypeSchemas[form]['~standard'].validate(value);
  if (!issues || value === undefined) {
    return value as JsonObject | undefined;
  }
  const faults = issues.map(({ path = [] }) => path as Path);
  return mended(form, without(value, faults));
}

function membersLeft(value: unknown, most: number): number {
  const members = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const within = (left: number, one: unknown) => (left < 0 ? left : membersLeft(one, left));
  return members.reduce<number>(within, most - members.length);
}

function without(value: unknown, faults: readonly Path[]): unknown {
  const within = new Map<string, Path[]>();
  for (const [key, ...rest] of faults) {
    if (key === undefined || !Object.hasOwn(Object(value), key)) {
      return undefined;
    }
    const others = within.get(String(key)) ?? [];
    within.set(String(key), others);
    others.push(rest);
  }
  const members = Object.entries(Object(value)).map(([key, member]) => {
    const inner = within.get(key);
    return [key, inner ? without(member, inner) : member] as const;
  });
  const kept = members.filter(([, member]) => member !== undefined);
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

/** Mends a tool's schemas. An input schema without a type gets the type `object`. */
export function mendedTool({ inputSchema, outputSchema, ...tool }: JsonObject): JsonObject {
  const { type, ...schema } = mendedSchema(isJsonObject(inputSchema) ? inputSchema : {});
  const isOfObjects = [type ?? 'object'].flat().includes('object');
  return {
    ...tool,
    inputSchema: { ...schema, type: isOfObjects ? 'object' : type },
    ...(isJsonObject(outputSchema) && { outputSchema: mendedSchema(outputSchema) }),
  };
}

/** Mends a schema. A property whose schema is no object, such as `true`, gets an empty schema. */
function mendedSchema({ properties, required, ...rest }: JsonObject): JsonObject {
  const schemas = Object.entries(Object(properties)).map(
    ([name, one]) => [name, typeof one === 'object' && one !== null ? one : {}] as const,
  );
  return {
    ...rest,
    ...(isJsonObject(properties) && { properties: Object.fromEntries(schemas) }),
    ...(Array.isArray(required) && { required: required.filter(one => typeof one === 'string') }),
  };
}

/** Mends base64: removes the start of a `data:` address, and replaces the letters of base64url. */
function base64(value: unknown): string {
  const letters = String(value).replace(/^data:[^,]*,|\s|=+\s*$/g, '');
  const common = letters.replaceAll('-', '+').replaceAll('_', '/');
  return common.padEnd(Math.ceil(common.length / 4) * 4, '=');
}

const contents: ReadonlyMap<unknown, Form> = new Map([
  ['text', 'TextContent'],
  ['image', 'ImageContent'],
  ['audio', 'AudioContent'],
  ['resource', 'EmbeddedResource'],
  ['resource_link', 'ResourceLink'],
]);

/** Mends a part of a result. A part of unknown type becomes a text: its JSON. */
function mendedPart(part: unknown): JsonObject {
  const { type, data, mimeType, uri, name, resource } = Object(part) as JsonObject;
  const [, inData = 'application/octet-stream'] = /^data:([^;,]+)/.exec(String(data)) ?? [];
  const form = contents.get(type);
  const own = form && {
    ...Object(part),
    ...(typeof data === 'string' && { data: base64(data), mimeType: mimeType ?? inData }),
    ...(type === 'resource_link' && { name: name ?? uri }),
    ...(type === 'resource' && { resource: mendedContents(resource) }),
  };
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  return (form && mended(form, own)) ?? { type: 'text', text };
}

/** Mends the contents of a resource: a text, or bytes in base64. */
function mendedContents(resource: unknown): JsonObject | undefined {
  const { text, blob, ...rest } = Object(resource) as JsonObject;
  return typeof text === 'string'
    ? mended('TextResourceContents', { ...rest, text })
    : mended('BlobResourceContents', {
        ...rest,
        blob: typeof blob === 'string' ? base64(blob) : blob,
      });
}

/** The items of a list, without nulls. A single value counts as a list of one. */
function itemsOf(value: unknown): readonly unknown[] {
  return [value].flat().filter(one => (one ?? null) !== null);
}

function message(value: unknown): readonly JsonObject[] {
  const { role, content } = Object(value) as JsonObject;
  const of = typeof role === 'string' ? role : 'user';
  return itemsOf(content).map(part => ({ ...Object(value), role: of, content: mendedPart(part) }));
}

/** The result of a request in the protocol's form. A faulty part changes no other part. */
export function mendedResult(method: string, result: JsonObject): JsonObject {
  const { resultType, content, messages, contents, structuredContent, ...rest } = result;
  // A `resultType` that is still there marks questions, which are not mended.
  if (resultType !== undefined) {
    return result;
  }
  switch (method) {
    case 'tools/call':
      return {
        ...mended('CallToolResult', rest),
        content: itemsOf(content).map(mendedPart),
        ...((structuredContent ?? null) !== null && { structuredContent }),
      };
    case 'prompts/get':
      return {
        ...mended('GetPromptResult', { ...rest, messages: [] }),
        messages: itemsOf(messages).flatMap(message),
      };
    case 'resources/read':
      return {
        ...mended('ReadResourceResult', { ...rest, contents: [] }),
        contents: itemsOf(contents).flatMap(
          part => mendedContents({ uri: '', ...Object(part) }) ?? [],
        ),
      };
    default:
      return result;
  }
}

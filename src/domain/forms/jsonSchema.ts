import { isJsonObject, type JsonObject } from '../json.ts';

/** A named property of an object schema. */
export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

/** The named properties of an object schema, in its order. */
export function propertiesOf({ properties, required }: JsonObject): readonly Property[] {
  const wanted = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => {
    return { name, schema, isRequired: wanted.has(name) };
  });
}

/**
 * The most parts that are merged into one schema, and the most properties of these parts. Without a
 * limit, a reference that leads back to itself would never end.
 */
const limits = { parts: 100, properties: 2000 };

/**
 * Merges a schema and everything it includes (`$ref`, `allOf`) into one object. If two parts set
 * the same key, the outer part wins. Properties of all parts are collected. The result is empty
 * when a reference leads nowhere, out of the document or in a circle.
 */
export function flattened(schema: unknown, root: unknown): JsonObject {
  const parts = [schema];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (!isJsonObject(part) || parts.length > limits.parts) {
      return {};
    }
    const { $ref, allOf } = part;
    const next = $ref === undefined ? [] : [atPointer(root, $ref)];
    parts.splice(at + 1, 0, ...next, ...(Array.isArray(allOf) ? allOf : []));
  }
  return parts.length === 1 ? (schema as JsonObject) : merged(parts as JsonObject[]);
}

function merged(parts: readonly JsonObject[]): JsonObject {
  const { $ref: _, allOf: __, ...rest } = united(parts);
  const properties = parts.map(part => part['properties']).filter(isJsonObject);
  const required = parts.flatMap(part => part['required'] ?? []);
  if (properties.length > 1 && hasMore(properties, limits.properties)) {
    return {};
  }
  return {
    ...rest,
    ...(properties.length > 1 && { properties: united(properties) }),
    ...(required.length > 0 && { required }),
  };
}

function hasMore(objects: readonly JsonObject[], most: number): boolean {
  let left = most;
  return objects.some(one => {
    left -= Object.keys(one).length;
    return left < 0;
  });
}

/** All members of the objects. Of several members with one name, the first counts. */
function united(objects: readonly JsonObject[]): JsonObject {
  const members = new Map<string, unknown>();
  for (const [name, value] of objects.flatMap(one => Object.entries(one))) {
    if (!members.has(name)) {
      members.set(name, value);
    }
  }
  return Object.fromEntries(members);
}

/** The most characters of a reference. A hostile server could slow calls by longer references. */
const longestReference = 1000;

/** The target of a reference within the document (RFC 6901); `undefined` when it is missing. */
export function atPointer(root: unknown, reference: unknown): unknown {
  const isShort = typeof reference === 'string' && reference.length <= longestReference;
  const [, pointer] = /^#((?:\/.*)?)$/s.exec(isShort ? reference : '') ?? [];
  if (pointer === undefined) {
    return undefined;
  }
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = decoded(token).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = (value as JsonObject)[key];
  }
  return value;
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token; // A percent sign that encodes nothing is not an error.
  }
}

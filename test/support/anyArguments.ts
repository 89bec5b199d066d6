import fc from 'fast-check';
import { pathCases } from './pathCases.ts';

/** The parts of a JSON Schema that tools describe their arguments with. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const hostileNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', ''];

const hostileTexts = [
  ...hostileNames,
  ...['\0', 'a\0b', '\ud800', 'a\udfff/b', '\u202egnp.exe', '\n'],
  ...'. .. ../.. ~ $HOME %2e%2e%2f file: file:// file:% http://localhost/ CON a:b:c'.split(' '),
  ...String.raw`\\server\share [ [!a- ( (a+)+$ (?<n>a)\k<n> \ * - --help`.split(' '),
  ...['x'.repeat(300), 'x'.repeat(200_000), 'x/'.repeat(5000), '../'.repeat(2000)],
  ...['**/'.repeat(500), '{a,b}'.repeat(12)],
];

const hostileNumbers = [
  ...[0, -0, -1, 1, 0.5, 2_147_483_648, -2_147_483_648, 1e308, -1e308, 5e-324],
  ...[Number.MAX_SAFE_INTEGER, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY],
];

/** A text that an attacker, or a client with a bug, might send. */
export function anyText(names: readonly string[]): fc.Arbitrary<string> {
  const inputs = pathCases().map(({ input }) => input);
  const adversarial = inputs.filter(input => typeof input === 'string');
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names) },
    { weight: 3, arbitrary: fc.constantFrom(...adversarial) },
    { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom(...names).map(name => `${name}\0`) },
  );
}

/** Any value of JSON, and its replacements for other values. */
export function junk(text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const leaf = fc.oneof(
    fc.constantFrom(null, true, false),
    fc.constantFrom(...hostileNumbers),
    text,
  );
  const deep = fc.integer({ min: 1, max: 60 }).map(depth => nest({ path: '..' }, depth));
  const name = fc.oneof(fc.constantFrom(...hostileNames), fc.string());
  const wide = fc.constant(Array.from({ length: 3000 }, () => 'a'));
  return fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 2, arbitrary: fc.array(leaf, { maxLength: 4 }) },
    { weight: 2, arbitrary: fc.dictionary(name, leaf, { maxKeys: 4 }) },
    { weight: 1, arbitrary: fc.oneof(deep, wide) },
  );
}

/** Arguments for a tool with this schema: mostly of the right types, seldom of good sense. */
export function anyArguments(schema: Schema, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const garbage = junk(text);
  const part = (inner: Schema): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 6, arbitrary: fitting(inner, text, part) },
      { weight: 1, arbitrary: garbage },
    );
  const more = fc.dictionary(fc.constantFrom(...hostileNames, 'more'), garbage, { maxKeys: 2 });
  const members = fitting(schema, text, part);
  return fc.oneof(
    { weight: 12, arbitrary: members },
    { weight: 2, arbitrary: fc.tuple(members, more).map(([some, other]) => merged(some, other)) },
    { weight: 1, arbitrary: garbage },
  );
}

type PartOf = (schema: Schema) => fc.Arbitrary<unknown>;

function fitting(schema: Schema, text: fc.Arbitrary<string>, part: PartOf): fc.Arbitrary<unknown> {
  if (schema.enum) {
    return fc.constantFrom(...schema.enum);
  }
  if (schema.anyOf) {
    return fc.oneof(...schema.anyOf.map(part));
  }
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {});
      const model = Object.fromEntries(members.map(([name, inner]) => [name, part(inner)]));
      return fc.record(model, { requiredKeys: [...(schema.required ?? [])] });
    }
    case 'array':
      return fc.array(part(schema.items ?? {}), { maxLength: 4 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.constantFrom(...hostileNumbers),
        fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 50, 50) }),
      );
    default:
      return text;
  }
}

/** Unlike a spread, this sets no prototype: the name is one like others. */
function merged(some: unknown, other: unknown): unknown {
  const entries = [some, other].flatMap(part => Object.entries(part as object));
  return Object.fromEntries(entries);
}

function nest(value: unknown, depth: number): unknown {
  return depth === 0 ? value : { path: [nest(value, depth - 1)] };
}

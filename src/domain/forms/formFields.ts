import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { cut, printable, printableLines } from '../printable.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { flattened, type Property, propertiesOf } from './jsonSchema.ts';

/** A value that can be chosen, and its label. */
interface FormChoice {
  readonly value: unknown;
  readonly label: string;
}

/** One question of a form. Its texts are already cut to a readable length, and are safe to show. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** The description may have several lines. */
  readonly description: string;
  readonly isRequired: boolean;
  /**
   * `one`, `many`: one or several of the choices. `list`: texts or numbers, one in each line.
   * `json`: no other kind can express what the schema allows.
   */
  readonly kind: 'text' | 'number' | 'integer' | 'one' | 'many' | 'list' | 'json';
  readonly choices: readonly FormChoice[];
  /** The question for each item of a list. */
  readonly item: FormField | undefined;
  readonly format: Format | undefined;
  /** The limits of a number, or of how many characters, choices or items an answer has. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** The default value. */
  readonly preset: unknown;
  /** True if the question's name suggests a secret. */
  readonly looksSecret: boolean;
  /** The question's schema. For kind `json`, it has the definitions that it may refer to. */
  readonly schema: JsonObject;
}

type Format = keyof typeof formats;

/** The formats that are checked: a pattern that each text must match, and an example. */
export const formats = {
  email: [/^[^\s@]+@[^\s@]+$/, 'ada@example.com'],
  uri: [/^[a-z][a-z\d+.-]*:\S+$/i, 'https://example.com'],
  date: [/^\d{4}-\d\d-\d\d$/, '2026-01-31'],
  'date-time': [
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
    '2026-01-31T18:00:00Z',
  ],
} as const;

const longestLabel = 200;
const longestDescription = 4000;

/** The most choices. With more, the user types the value: nobody picks from so many. */
const mostChoices = 500;

/** The most questions. With more, the form asks for JSON: nobody fills in so many. */
const mostFields = 200;

/**
 * The questions of a form for an object of this schema, in order; `undefined` when a form can't
 * express the schema. Unless the schema says otherwise, a tool takes only the named properties.
 */
export function formFields(schema: unknown): readonly FormField[] | undefined {
  const whole = flattened(schema, schema);
  const properties = propertiesOf(whole);
  const { additionalProperties: more } = whole;
  const isOpen = properties.length === 0 && (more === true || isJsonObject(more));
  // Alternatives that only require properties need no form: the server checks them.
  const isOneOf = branchesOf(whole).some(branch =>
    isJsonObject(flattened(branch, schema)['properties']),
  );
  return isOpen || isOneOf || properties.length > mostFields
    ? undefined
    : properties.map(property => fieldOf(property, schema));
}

/** One question for a whole object of this schema, as JSON. */
export function objectField(label: string, schema: unknown): FormField {
  const object = { type: 'object', title: label };
  const field = fieldOf({ name: '', schema: object, isRequired: true }, object);
  return { ...field, schema: { ...(isJsonObject(schema) && schema), type: 'object' } };
}

/** True if a value can be the answer. Only its type and the choices are checked. */
export function isValueOf(field: Omit<FormField, 'preset'>, value: unknown): boolean {
  const { kind, choices, item } = field;
  const isChoice = (one: unknown) => choices.some(choice => isSameJson(choice.value, one));
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
    case 'integer':
      return typeof value === 'number';
    case 'one':
      return isChoice(value);
    case 'many':
      return Array.isArray(value) && value.every(isChoice);
    case 'list':
      return Array.isArray(value) && value.every(one => !item || isValueOf(item, one));
    case 'json':
      switch (shapeOf(field.schema)) {
        case 'object':
          return isJsonObject(value);
        case 'array':
          return Array.isArray(value);
        default:
          return value !== undefined;
      }
  }
}

/** The type that a schema names, or the type that its other keys imply. */
export function shapeOf({ type, properties, items }: JsonObject): unknown {
  return type ?? (isJsonObject(properties) ? 'object' : isJsonObject(items) ? 'array' : undefined);
}

function fieldOf({ name, schema: given, isRequired }: Property, root: unknown): FormField {
  const schema = settled(flattened(given, root), isRequired, root);
  const own = choicesOf(schema, root);
  const ofItems = own ? undefined : choicesOf(flattened(schema['items'], root), root);
  const item = own || ofItems || shapeOf(schema) !== 'array' ? undefined : itemOf(schema, root);
  const kind = own ? 'one' : kindOf(schema, ofItems !== undefined, item);
  const { description, format, default: preset } = schema;
  const [least, most] = limits[kind].map(key => numberOf(schema[key]));
  const label = labelOf(schema) ?? printable(cut(name, longestLabel));
  const field = {
    name,
    label,
    description:
      typeof description === 'string' ? printableLines(cut(description, longestDescription)) : '',
    isRequired,
    kind,
    choices: own ?? (kind === 'many' ? ofItems : undefined) ?? [],
    item: kind === 'list' ? item : undefined,
    format: kind === 'text' && isFormat(format) ? format : undefined,
    least,
    most,
    looksSecret: isSecretName(cut(name, longestLabel)) || isSecretName(label),
    schema: kind === 'json' ? { ...schema, ...definitionsIn(root) } : schema,
  };
  return { ...field, preset: isValueOf(field, preset) ? preset : undefined };
}

/** The members in which most schemas hold definitions for references. */
function definitionsIn(root: unknown): JsonObject {
  const members = isJsonObject(root) ? Object.entries(root) : [];
  return Object.fromEntries(members.filter(([key]) => /^(?:\$defs|definitions)$/.test(key)));
}

const limits = {
  text: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  one: [],
  many: ['minItems', 'maxItems'],
  list: ['minItems', 'maxItems'],
  json: [],
} as const;

/** The question for one item of a list, if an item fits into a line. */
function itemOf({ items }: JsonObject, root: unknown): FormField | undefined {
  const schema = flattened(items, root);
  const isLine = typeof schema['type'] === 'string' && lineTypes.includes(schema['type']);
  return isLine ? fieldOf({ name: '', schema, isRequired: true }, root) : undefined;
}

const lineTypes: readonly string[] = ['string', 'number', 'integer'];

/** The kind of a question that has no choices. */
function kindOf(
  schema: JsonObject,
  hasChosenItems: boolean,
  item: FormField | undefined,
): FormField['kind'] {
  if (branchesOf(schema).length > 0) {
    return 'json';
  }
  switch (shapeOf(schema)) {
    case 'string':
      return 'text';
    case 'array':
      return hasChosenItems ? 'many' : item && !schema['prefixItems'] ? 'list' : 'json';
    case 'number':
      return 'number';
    case 'integer':
      return 'integer';
    default:
      return 'json';
  }
}

/**
 * The schema without the alternative `null`, if the value can be left out instead. If one
 * alternative remains, it becomes part of the schema.
 */
function settled(schema: JsonObject, isRequired: boolean, root: unknown): JsonObject {
  const branches = branchesOf(schema);
  const isNull = (branch: unknown) => flattened(branch, root)['type'] === 'null';
  const others = isRequired ? branches : branches.filter(branch => !isNull(branch));
  if (others.length === branches.length && others.length !== 1) {
    return schema;
  }
  const rest = withoutBranches(schema);
  return others.length === 1
    ? flattened({ allOf: [rest, others[0]] }, root)
    : { ...rest, anyOf: others };
}

/** The alternatives of a schema; empty when the schema has none. */
function branchesOf({ type, anyOf, oneOf }: JsonObject): readonly unknown[] {
  const branches = [anyOf, oneOf].find(one => Array.isArray(one) && one.length > 0);
  if (Array.isArray(branches)) {
    return branches;
  }
  return Array.isArray(type) ? type.map(one => ({ type: one })) : [];
}

function withoutBranches({ anyOf: _, oneOf: __, type, ...rest }: JsonObject): JsonObject {
  return Array.isArray(type) || type === undefined ? rest : { ...rest, type };
}

/** The choices, named by their titles, by `enumNames` (earlier revisions) or by their values. */
function choicesOf(schema: JsonObject, root: unknown): readonly FormChoice[] | undefined {
  const { type, enum: values, enumNames, const: only, title, oneOf, anyOf } = schema;
  if (Array.isArray(values) && values.length > 0 && values.length <= mostChoices) {
    const names = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, at) => choiceOf(value, names[at]));
  }
  if (only !== undefined) {
    return [choiceOf(only, title)];
  }
  if (type === 'boolean') {
    return [choiceOf(true), choiceOf(false)];
  }
  if (type === 'null') {
    return [choiceOf(null)];
  }
  const titled = oneOf ?? anyOf;
  if (!Array.isArray(titled) || titled.length === 0 || titled.length > mostChoices) {
    return undefined;
  }
  const branches = titled.map(branch => flattened(branch, root));
  return branches.every(branch => branch['const'] !== undefined)
    ? branches.map(branch => choiceOf(branch['const'], branch['title']))
    : undefined;
}

function choiceOf(value: unknown, title?: unknown): FormChoice {
  const name = typeof title === 'string' && title !== '' ? title : value;
  const words = typeof name === 'string' ? name : JSON.stringify(name);
  return { value, label: printable(cut(words, longestLabel)) };
}

function labelOf({ title }: JsonObject): string | undefined {
  return typeof title === 'string' && title !== ''
    ? printable(cut(title, longestLabel))
    : undefined;
}

function isFormat(value: unknown): value is Format {
  return typeof value === 'string' && Object.hasOwn(formats, value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { cut, printable, printableLines } from '../printable.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { flattened, type Property, propertiesOf } from './jsonSchema.ts';

/** A value that can be chosen, and the words that it is shown by. */
interface FormChoice {
  readonly value: unknown;
  readonly label: string;
}

/** One question of a form. Its texts are printable, and no longer than a person reads. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** May have several lines. */
  readonly description: string;
  readonly isRequired: boolean;
  /**
   * `one` and `many`: of the choices. `object` has members, `list` items, and of `variants` one is
   * filled in. `json`: what the schema allows can't be said in fields.
   */
  readonly kind:
    | 'text'
    | 'number'
    | 'integer'
    | 'one'
    | 'many'
    | 'object'
    | 'list'
    | 'variants'
    | 'json';
  readonly choices: readonly FormChoice[];
  readonly format: Format | undefined;
  /** The least and most there may be: of characters, of choices or items, or as the number itself. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** The value that it has unless another one is given. */
  readonly preset: unknown;
  /** True if its name suggests that it asks for a secret. */
  readonly looksSecret: boolean;
  /** Its schema, with all that this refers to. */
  readonly schema: JsonObject;
  /** The document of the schema, which references are into. */
  readonly root: unknown;
}

type Format = keyof typeof formats;

/** The formats that are checked, by a form that each text of them has, and an example. */
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

/** With more of them, a question is answered by typing: nobody picks from so many. */
const mostChoices = 500;
const mostVariants = 50;

export function argumentsField(inputSchema: unknown): FormField {
  const field = fieldOf({ name: '', schema: inputSchema, isRequired: true }, inputSchema);
  const { additionalProperties = false } = field.schema;
  // A tool takes an object, also where nothing is said of it, and nothing else than what it says.
  const schema = { ...field.schema, additionalProperties };
  return { ...field, schema, kind: field.kind === 'json' ? 'object' : field.kind };
}

/**
 * The questions of a form that the protocol lets a server ask, in their order. `undefined` when the
 * schema is none: it has to be flat, of texts, numbers, switches and choices. (2025-11-25,
 * client/elicitation.)
 */
export function formFields(schema: unknown): readonly FormField[] | undefined {
  const fields = propertiesOf(flattened(schema, schema)).map(property => fieldOf(property, schema));
  return fields.every(({ kind }) => flatKinds.has(kind)) ? fields : undefined;
}

const flatKinds: ReadonlySet<FormField['kind']> = new Set([
  ...(['text', 'number', 'integer', 'one', 'many'] as const),
]);

export function memberOf({ root }: FormField, property: Property): FormField {
  return fieldOf(property, root);
}

/** True if its schema invites properties besides those that it names; one that names none does. */
export function hasFurtherMembers({ schema }: FormField): boolean {
  const { additionalProperties: further, properties } = schema;
  const namesNone = isJsonObject(properties) && Object.keys(properties).length === 0;
  return further === true || isJsonObject(further) || (namesNone && further === undefined);
}

export function itemOf({ label, schema, root }: FormField, at: number): FormField {
  const field = fieldOf({ name: '', schema: schema['items'], isRequired: true }, root);
  return { ...field, label: `${field.label || label}[${at}]` };
}

/** The questions of which one is to be answered; one that has no name of its own has no label. */
export function variantsOf({ schema, root }: FormField): readonly FormField[] {
  const { title: _, description: __, default: ___, ...shared } = withoutBranches(schema);
  return branchesOf(schema, root).map(branch => {
    const own = labelOf(flattened(branch, root)) ?? definitionName(branch);
    const field = fieldOf(
      { name: '', schema: { allOf: [branch, shared] }, isRequired: true },
      root,
    );
    return { ...field, label: own };
  });
}

/** True if a value could be the answer, as far as type and choices tell. */
export function isValueOf(
  { kind, choices }: Pick<FormField, 'kind' | 'choices'>,
  value: unknown,
): boolean {
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
    case 'object':
      return isJsonObject(value);
    case 'list':
      return Array.isArray(value);
    default:
      return value !== undefined;
  }
}

function fieldOf({ name, schema: given, isRequired }: Property, root: unknown): FormField {
  const schema = settled(flattened(given, root), isRequired, root);
  const own = choicesOf(schema, root);
  const ofItems = own ? undefined : choicesOf(flattened(schema['items'], root), root);
  const kind = own ? 'one' : kindOf(schema, root, ofItems !== undefined);
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
    format: kind === 'text' && isFormat(format) ? format : undefined,
    least,
    most,
    looksSecret: isSecretName(cut(name, longestLabel)) || isSecretName(label),
    schema,
    root,
  };
  return { ...field, preset: isValueOf(field, preset) ? preset : undefined };
}

const limits = {
  text: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  one: [],
  many: ['minItems', 'maxItems'],
  object: [],
  list: ['minItems', 'maxItems'],
  variants: [],
  json: [],
} as const;

/** The kind of a question that is not about one of some choices. */
function kindOf(schema: JsonObject, root: unknown, hasChosenItems: boolean): FormField['kind'] {
  const { type, items, prefixItems } = schema;
  const { length } = branchesOf(schema, root);
  if (length > 0) {
    return length <= mostVariants ? 'variants' : 'json';
  }
  if (namesProperties(schema)) {
    return 'object';
  }
  switch (type ?? (isJsonObject(items) ? 'array' : undefined)) {
    case 'string':
      return 'text';
    case 'array':
      return hasChosenItems ? 'many' : isJsonObject(items) && !prefixItems ? 'list' : 'json';
    case 'number':
      return 'number';
    case 'integer':
      return 'integer';
    default:
      return 'json';
  }
}

/**
 * The schema without the alternative of being `null`, where it can be left out instead; if that
 * leaves one alternative, it is that.
 */
function settled(schema: JsonObject, isRequired: boolean, root: unknown): JsonObject {
  const branches = branchesOf(schema, root);
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

/** The alternatives that a schema is one of; empty when it names none. */
function branchesOf(schema: JsonObject, root: unknown): readonly unknown[] {
  const { type, anyOf, oneOf } = schema;
  const branches = [anyOf, oneOf].find(one => Array.isArray(one) && one.length > 0);
  if (Array.isArray(branches)) {
    // A branch that only requires one property or another is left to the server to judge.
    const isOfItsOwn = (branch: unknown) => namesProperties(flattened(branch, root));
    return namesProperties(schema) && !branches.some(isOfItsOwn) ? [] : branches;
  }
  return Array.isArray(type) ? type.map(one => ({ type: one })) : [];
}

function withoutBranches({ anyOf: _, oneOf: __, type, ...rest }: JsonObject): JsonObject {
  return Array.isArray(type) || type === undefined ? rest : { ...rest, type };
}

/** There may be none among them: to count them takes its time where there are many. */
function namesProperties({ properties }: JsonObject): boolean {
  return isJsonObject(properties);
}

/** Named by a title each, by a list of names as in earlier revisions, or by themselves. */
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

/** The name that a document gives the schema that is referred to. */
function definitionName(branch: unknown): string {
  const { $ref } = Object(branch) as JsonObject;
  const [, name = ''] = /\/([^/]+)$/.exec(typeof $ref === 'string' ? $ref : '') ?? [];
  return printable(cut(name, longestLabel));
}

function isFormat(value: unknown): value is Format {
  return typeof value === 'string' && Object.hasOwn(formats, value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

import { printable } from '../printable.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';

/** A value that the protocol lets a person give in a form. */
export type FormValue = string | number | boolean | readonly string[];

/** A value that can be chosen, and the words that it is shown by. */
export interface FormChoice {
  readonly value: string | boolean;
  readonly label: string;
}

/** One question of a form. Its texts are printable. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** `one` and `many`: of the choices. */
  readonly kind: 'text' | 'number' | 'integer' | 'one' | 'many';
  readonly choices: readonly FormChoice[];
  readonly format: Format | undefined;
  /** The least and most there may be: of characters, of choices, or as the number itself. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** The value that it has unless the person gives another. */
  readonly preset: FormValue | undefined;
  /** Whether its name suggests that it asks for a secret, which the protocol forbids a form to do. */
  readonly looksSecret: boolean;
}

/** What was typed as a value, or what is wrong with it. */
export type ReadText =
  | { readonly ok: true; readonly value: string | number }
  | { readonly ok: false; readonly problem: Sentence };

type Format = keyof typeof formats;
type JsonObject = Readonly<Record<string, unknown>>;

/** The formats of the protocol, by a form that each text of them has, and an example. */
const formats = {
  email: [/^[^\s@]+@[^\s@]+$/, 'ada@example.com'],
  uri: [/^[a-z][a-z\d+.-]*:\S+$/i, 'https://example.com'],
  date: [/^\d{4}-\d\d-\d\d$/, '2026-01-31'],
  'date-time': [
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
    '2026-01-31T18:00:00Z',
  ],
} as const;

/**
 * The questions of a form, in its order. `undefined` when the schema is none that the protocol
 * allows: flat, of texts, numbers, switches and choices. (2025-11-25, client/elicitation.)
 */
export function formFields(schema: unknown): readonly FormField[] | undefined {
  const { properties, required } = asObject(schema);
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const fields = Object.entries(asObject(properties)).map(([name, property]) =>
    fieldOf(name, asObject(property), isRequired(name)),
  );
  return fields.every(field => field !== undefined) ? fields : undefined;
}

/** Reads what was typed for a text or a number. */
export function readText(field: FormField, text: string): ReadText {
  const { kind, label, format, least = Number.NEGATIVE_INFINITY, most = Infinity } = field;
  const isText = kind === 'text';
  const value = isText ? text : Number(text);
  // The protocol counts characters, of which some take two units.
  const size = typeof value === 'number' ? value : [...value].length;
  const [pattern, example] = formats[format ?? 'email'];
  if (!isText && (text.trim() === '' || !Number.isFinite(size))) {
    return wrong('{0} must be a number.', label);
  }
  if (kind === 'integer' && !Number.isInteger(size)) {
    return wrong('{0} must be a whole number.', label);
  }
  if (size < least) {
    return isText
      ? wrong('{0} must have at least {1} characters.', label, String(least))
      : wrong('{0} must be at least {1}.', label, String(least));
  }
  if (size > most) {
    return isText
      ? wrong('{0} must have at most {1} characters.', label, String(most))
      : wrong('{0} must be at most {1}.', label, String(most));
  }
  return format && !pattern.test(text)
    ? wrong('{0} must have a form like {1}.', label, example)
    : { ok: true, value };
}

/** What is wrong with this many choices; `undefined`: nothing. */
export function countProblem(field: FormField, count: number): Sentence | undefined {
  const { label, least = 0, most = Infinity } = field;
  if (count < least) {
    return sentence('{0}: choose at least {1}.', label, String(least));
  }
  return count > most ? sentence('{0}: choose at most {1}.', label, String(most)) : undefined;
}

/** The value as a person reads it. */
export function shownValue({ choices }: FormField, value: FormValue): string {
  const shown = (one: unknown) =>
    choices.find(choice => choice.value === one)?.label ?? printable(String(one));
  return Array.isArray(value) ? value.map(shown).join(', ') : shown(value);
}

function fieldOf(name: string, property: JsonObject, isRequired: boolean): FormField | undefined {
  const kind = kindOf(property);
  if (!kind) {
    return undefined;
  }
  const { title, description, format, default: preset } = property;
  const choices = choicesOf(kind === 'many' ? asObject(property['items']) : property);
  const [least, most] = limits[kind].map(key => numberOf(property[key]));
  const shown = printable(typeof title === 'string' && title !== '' ? title : name);
  const field = {
    name,
    label: shown,
    description: typeof description === 'string' ? printable(description) : '',
    isRequired,
    kind,
    choices,
    format: kind === 'text' && isFormat(format) ? format : undefined,
    least,
    most,
    looksSecret: isSecretName(name) || isSecretName(shown),
  };
  return { ...field, preset: isValueOf(field, preset) ? preset : undefined };
}

/** The keys of the least and most of a property. */
const limits = {
  text: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  one: [],
  many: ['minItems', 'maxItems'],
} as const;

function kindOf({ type, enum: values, oneOf }: JsonObject): FormField['kind'] | undefined {
  switch (type) {
    case 'string':
      return values !== undefined || oneOf !== undefined ? 'one' : 'text';
    case 'boolean':
      return 'one';
    case 'array':
      return 'many';
    case 'number':
    case 'integer':
      return type;
    default:
      return undefined;
  }
}

/** Named by a title each, by a list of names as in earlier revisions, or by themselves. */
function choicesOf(property: JsonObject): readonly FormChoice[] {
  const { type, enum: values, enumNames, oneOf, anyOf } = property;
  if (type === 'boolean') {
    return [
      { value: true, label: 'true' },
      { value: false, label: 'false' },
    ];
  }
  const names = asList(enumNames);
  const listed = asList(values).map((value, index) => [value, names[index]] as const);
  const titled = asList(oneOf ?? anyOf).map(choice => {
    const { const: value, title } = asObject(choice);
    return [value, title] as const;
  });
  return [...listed, ...titled].flatMap(([value, title]) =>
    typeof value === 'string'
      ? [{ value, label: printable(typeof title === 'string' ? title : value) }]
      : [],
  );
}

/** Whether a default is one that the person could have given. */
function isValueOf(field: Omit<FormField, 'preset'>, value: unknown): value is FormValue {
  const isChoice = (one: unknown) => field.choices.some(choice => choice.value === one);
  switch (field.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
    case 'integer':
      return typeof value === 'number';
    case 'one':
      return isChoice(value);
    case 'many':
      return Array.isArray(value) && value.every(isChoice);
  }
}

function isFormat(value: unknown): value is Format {
  return typeof value === 'string' && Object.hasOwn(formats, value);
}

function wrong(template: string, ...values: readonly string[]): ReadText {
  return { ok: false, problem: sentence(template, ...values) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

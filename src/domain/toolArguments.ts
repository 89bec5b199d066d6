import { printable } from './printable.ts';
import { type Sentence, sentence } from './sentence.ts';

/** One argument of a tool, as far as its JSON Schema says what a person must type. */
export interface Field {
  readonly name: string;
  /** The name as it is shown: printable, as the description is. */
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'json';
  /** The only values there are, when the schema lists them. */
  readonly choices: readonly unknown[] | undefined;
}

/** A typed text as an argument's value, or what is wrong with it. */
export type ParsedField =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Sentence };

/** The arguments an object schema names, in its order. What it does not say is asked for as JSON. */
export function fieldsOf(schema: Readonly<Record<string, unknown>>): Field[] {
  const properties = asObject(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, value]) => {
    const { type, enum: values, description } = asObject(value);
    const kind = isScalar(type) ? type : 'json';
    return {
      name,
      label: printable(name),
      description: typeof description === 'string' ? printable(description) : '',
      isRequired: required.includes(name),
      kind,
      choices: Array.isArray(values) ? values : kind === 'boolean' ? [true, false] : undefined,
    };
  });
}

/** Reads what was typed for a field. An empty text is a value only of a string. */
export function parseField({ label, kind }: Field, text: string): ParsedField {
  if (kind === 'string') {
    return { ok: true, value: text };
  }
  if (kind === 'json') {
    return parseJson(label, text);
  }
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    return { ok: false, problem: sentence('{0} must be a number.', label) };
  }
  return kind === 'integer' && !Number.isInteger(value)
    ? { ok: false, problem: sentence('{0} must be a whole number.', label) }
    : { ok: true, value };
}

function parseJson(label: string, text: string): ParsedField {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, problem: sentence('{0} must be JSON, such as ["a"] or {"b": 1}.', label) };
  }
}

function isScalar(type: unknown): type is Exclude<Field['kind'], 'json'> {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

import type { JsonObject } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { type FormField, formats, isValueOf, shapeOf } from './formFields.ts';

/** An answer that was read. */
interface ReadAnswer {
  /** `undefined`: left out, or no value yet. */
  readonly value?: unknown;
  /** The reason why it can't be sent; `undefined`: it can. */
  readonly problem?: Sentence | undefined;
}

/** Reads what was typed for a text, a number or a list of them; for any other question, JSON. */
export function readText(field: FormField, text: string): ReadAnswer {
  switch (field.kind) {
    case 'text':
      return checkedText(field, text);
    case 'number':
    case 'integer':
      return checkedNumber(field, text);
    case 'list':
      return checkedList(field, text);
    default:
      return readJson(field, text);
  }
}

function checkedText(
  { label, format, least = 0, most = Infinity }: FormField,
  text: string,
): ReadAnswer {
  // The protocol counts characters, of which some take two units.
  const { length } = [...text];
  if (length < least) {
    return least === 1
      ? wrong('{0} must have at least 1 character.', label)
      : wrong('{0} must have at least {1} characters.', label, String(least));
  }
  if (length > most) {
    return most === 1
      ? wrong('{0} must have at most 1 character.', label)
      : wrong('{0} must have at most {1} characters.', label, String(most));
  }
  const [pattern, example] = formats[format ?? 'email'];
  return format && !pattern.test(text)
    ? wrong('{0} must have a form like {1}.', label, example)
    : { value: text };
}

function checkedNumber({ label, kind, least, most, schema }: FormField, text: string): ReadAnswer {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    return wrong('{0} must be a number.', label);
  }
  if (kind === 'integer' && !Number.isInteger(value)) {
    return wrong('{0} must be a whole number.', label);
  }
  const { exclusiveMinimum: below, exclusiveMaximum: above, multipleOf: step } = schema;
  const limits: readonly (readonly [unknown, (limit: number) => boolean, string])[] = [
    [least, limit => value >= limit, '{0} must be at least {1}.'],
    [most, limit => value <= limit, '{0} must be at most {1}.'],
    [below, limit => value > limit, '{0} must be more than {1}.'],
    [above, limit => value < limit, '{0} must be less than {1}.'],
    [step, one => isMultiple(value, one), '{0} must be a multiple of {1}.'],
  ];
  for (const [limit, isKept, problem] of limits) {
    if (typeof limit === 'number' && !isKept(limit)) {
      return wrong(problem, label, String(limit));
    }
  }
  return { value };
}

/** Fractions are not exact: 0.3 is no whole number of times 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return !(Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times)));
}

/** A list with an item in each line, but for empty ones. */
function checkedList(field: FormField, text: string): ReadAnswer {
  const { label, item, least = 0, most = Infinity, schema } = field;
  const lines = text.split(/\r?\n/).filter(line => line !== '');
  const read = lines.flatMap((line, at) =>
    item ? readText({ ...item, label: `${label}[${at}]` }, line) : [],
  );
  const wrongItem = read.find(({ problem }) => problem);
  if (wrongItem) {
    return wrongItem;
  }
  const value = read.map(one => one.value);
  if (value.length < least) {
    return least === 1
      ? wrong('{0} must have at least 1 item.', label)
      : wrong('{0} must have at least {1} items.', label, String(least));
  }
  if (value.length > most) {
    return most === 1
      ? wrong('{0} must have at most 1 item.', label)
      : wrong('{0} must have at most {1} items.', label, String(most));
  }
  return schema['uniqueItems'] === true && new Set(value).size < value.length
    ? wrong('{0} may have no item twice.', label)
    : { value };
}

function readJson(field: FormField, text: string): ReadAnswer {
  const { label } = field;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('{0} must be JSON, such as ["a"] or {"b": 1}.', label);
  }
  if (isValueOf(field, value)) {
    return { value };
  }
  return shapeOf(field.schema) === 'object'
    ? wrong('{0} must be an object, such as {"b": 1}.', label)
    : wrong('{0} must be a list, such as ["a"].', label);
}

function checkedChoices(
  { label, least = 0, most = Infinity }: FormField,
  value: readonly unknown[],
): ReadAnswer {
  if (value.length < least) {
    return wrong('{0}: choose at least {1}.', label, String(least));
  }
  return value.length > most ? wrong('{0}: choose at most {1}.', label, String(most)) : { value };
}

/**
 * The input for a question so far, whether it is a value of it or not yet. It is JSON, so that a page can
 * keep it. Where nothing is given there is none.
 */
export type Draft =
  /** Typed for a text, a number or a list of them, or JSON. */
  | { readonly as: 'text'; readonly text: string }
  /** One of the choices. */
  | { readonly as: 'one'; readonly value: unknown }
  | { readonly as: 'many'; readonly values: readonly unknown[] };

/** The input for a form so far, by the names of its questions; one JSON for all has the empty name. */
export interface FormDraft {
  readonly isJson: boolean;
  readonly given: readonly (readonly [name: string, draft: Draft])[];
}

/** The draft for a value of the question; `undefined`: a list that no lines can say. */
export function draftOf({ kind }: FormField, value: unknown): Draft | undefined {
  switch (kind) {
    case 'text':
    case 'number':
    case 'integer':
      return { as: 'text', text: String(value) };
    case 'one':
      return { as: 'one', value };
    case 'many':
      return { as: 'many', values: value as unknown[] };
    case 'list': {
      const lines = (value as unknown[]).map(String);
      const isTyped = lines.length > 0 && lines.every(line => /^[^\r\n]+$/.test(line));
      return isTyped ? { as: 'text', text: lines.join('\n') } : undefined;
    }
    case 'json':
      return { as: 'text', text: JSON.stringify(value, undefined, 2) };
  }
}

export interface FormProblem {
  /** The name of the question. */
  readonly name: string;
  readonly problem: Sentence;
}

/**
 * Reads what was given for questions, by their names: the object of it, with the text of what is wrong,
 * and what keeps it from being sent.
 */
export function readForm(
  fields: readonly FormField[],
  given: ReadonlyMap<string, Draft>,
): { readonly value: JsonObject; readonly problems: readonly FormProblem[] } {
  const read = fields.map(field => {
    const { name } = field;
    const draft = given.get(name);
    // What can't be read yet is not lost when all is written as JSON.
    const typed = draft?.as === 'text' && draft.text !== '' ? { value: draft.text } : {};
    const ticked = draft?.as === 'many' ? { value: draft.values } : {};
    return { name, ...typed, ...ticked, ...readDraft(field, draft) };
  });
  const entries = read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  return {
    value: Object.fromEntries(entries),
    problems: read.flatMap(({ name, problem }) => (problem ? [{ name, problem }] : [])),
  };
}

/** Reads what was given for a question. */
export function readDraft(field: FormField, draft: Draft | undefined): ReadAnswer {
  switch (draft?.as) {
    case undefined:
      return readAbsent(field);
    case 'text':
      return readTyped(field, draft.text);
    case 'one':
      return { value: draft.value };
    case 'many':
      return checkedChoices(field, draft.values);
  }
}

function readTyped(field: FormField, text: string): ReadAnswer {
  // A text that was deleted must not become the default again. A list without a line is empty.
  if (text === '' && !(field.isRequired && field.kind === 'list')) {
    return field.isRequired ? missing(field) : {};
  }
  return readText(field, text);
}

/** The value of a question without an answer: its default, where it can't be left out. */
function readAbsent(field: FormField): ReadAnswer {
  const { kind, isRequired, least = 0, preset, choices } = field;
  if (!isRequired) {
    return {};
  }
  const only = kind === 'one' && choices.length === 1 ? choices[0]?.value : undefined;
  const isEmpty = (kind === 'list' || kind === 'many') && least === 0;
  const value = preset ?? only ?? (isEmpty ? [] : undefined);
  return value === undefined ? missing(field) : { value };
}

function missing({ label }: FormField): ReadAnswer {
  return wrong('{0} must be given.', label);
}

function wrong(template: string, ...values: readonly string[]): ReadAnswer {
  return { problem: sentence(template, ...values) };
}

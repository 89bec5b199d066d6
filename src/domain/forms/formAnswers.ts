import type { JsonObject } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { type FormField, formats, isValueOf, shapeOf } from './formFields.ts';

/** The result of reading an answer. */
interface ReadAnswer {
  /** `undefined` if the question has no answer that can be read. */
  readonly value?: unknown;
  /** Why the answer can't be sent; `undefined` when it can. */
  readonly problem?: Sentence | undefined;
}

/** Reads typed text by the question's kind. For choices and for kind `json`, the text is JSON. */
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

function checkedText(field: FormField, text: string): ReadAnswer {
  const { label, format } = field;
  // The protocol counts characters, and some characters take two UTF-16 units.
  const wrongLength = wrongCount(field, [...text].length, counts.characters);
  const [pattern, example] = formats[format ?? 'email'];
  const isOfForm = !format || pattern.test(text);
  return (
    wrongLength ?? (isOfForm ? { value: text } : wrong('{0} must look like {1}.', label, example))
  );
}

/** The messages for too few and for too many characters, items or choices. */
const counts = {
  characters: ['{0} must have {1} or more characters.', '{0} must have {1} or fewer characters.'],
  items: ['{0} must have {1} or more items.', '{0} must have {1} or fewer items.'],
  choices: ['{0} must have {1} or more choices.', '{0} must have {1} or fewer choices.'],
} as const;

function wrongCount(
  { label, least = 0, most = Infinity }: FormField,
  count: number,
  [few, many]: readonly [few: string, many: string],
): ReadAnswer | undefined {
  if (count < least) {
    return wrong(few, label, String(least));
  }
  return count > most ? wrong(many, label, String(most)) : undefined;
}

function checkedNumber({ label, kind, least, most, schema }: FormField, text: string): ReadAnswer {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    return wrong('{0} must be a number.', label);
  }
  if (kind === 'integer' && !Number.isInteger(value)) {
    return wrong('{0} must be a whole number.', label);
  }
  const { exclusiveMinimum: below, exclusiveMaximum: above } = schema;
  const limits: readonly (readonly [unknown, (limit: number) => boolean, string])[] = [
    [least, limit => value >= limit, '{0} must be at least {1}.'],
    [most, limit => value <= limit, '{0} must be at most {1}.'],
    [below, limit => value > limit, '{0} must be more than {1}.'],
    [above, limit => value < limit, '{0} must be less than {1}.'],
  ];
  for (const [limit, isKept, problem] of limits) {
    if (typeof limit === 'number' && !isKept(limit)) {
      return wrong(problem, label, String(limit));
    }
  }
  return { value };
}

/** Reads a list with one item in each line. Empty lines are skipped. */
function checkedList(field: FormField, text: string): ReadAnswer {
  const { label, item } = field;
  const lines = text.split(/\r?\n/).filter(line => line !== '');
  const read = lines.flatMap((line, at) =>
    item ? readText({ ...item, label: `${label}[${at}]` }, line) : [],
  );
  return (
    read.find(({ problem }) => problem) ??
    wrongCount(field, read.length, counts.items) ?? { value: read.map(one => one.value) }
  );
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

/**
 * The input for a question so far, valid or not, as JSON that a page can store. A question without
 * input has no draft.
 */
export type Draft =
  /** Typed text: for a text, a number, a list or JSON. */
  | { readonly as: 'text'; readonly text: string }
  /** The chosen value. */
  | { readonly as: 'one'; readonly value: unknown }
  | { readonly as: 'many'; readonly values: readonly unknown[] };

/** The input for a form so far, by question name. JSON for the whole form has the empty name. */
export interface FormDraft {
  readonly isJson: boolean;
  readonly given: readonly (readonly [name: string, draft: Draft])[];
}

/** The draft for a question's value; `undefined` for a list whose items do not fit into lines. */
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
 * Reads the input for all questions, by name. Returns the object with all values, including texts
 * that can't be read, and the problems that must be solved before the answer is sent.
 */
export function readForm(
  fields: readonly FormField[],
  given: ReadonlyMap<string, Draft>,
): { readonly value: JsonObject; readonly problems: readonly FormProblem[] } {
  const read = fields.map(field => {
    const { name } = field;
    const draft = given.get(name);
    // If a text can't be read yet, it stays, in case the form is turned into JSON.
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

/** Reads the input for a question. */
export function readDraft(field: FormField, draft: Draft | undefined): ReadAnswer {
  switch (draft?.as) {
    case undefined:
      return readAbsent(field);
    case 'text':
      return readTyped(field, draft.text);
    case 'one':
      return { value: draft.value };
    case 'many':
      return wrongCount(field, draft.values.length, counts.choices) ?? { value: draft.values };
  }
}

function readTyped(field: FormField, text: string): ReadAnswer {
  // After a text is deleted, the default must not return. A list without lines is an empty list.
  if (text === '' && !(field.isRequired && field.kind === 'list')) {
    return field.isRequired ? missing(field) : {};
  }
  return readText(field, text);
}

/** The value of a question without input. A required question has its default as value. */
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
  return wrong('{0} needs an answer.', label);
}

function wrong(template: string, ...values: readonly string[]): ReadAnswer {
  return { problem: sentence(template, ...values) };
}

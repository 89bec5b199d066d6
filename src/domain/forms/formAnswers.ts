import { isJsonObject, type JsonObject, type KeyPath } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import {
  type FormField,
  formats,
  hasFurtherMembers,
  isValueOf,
  itemOf,
  memberOf,
  variantsOf,
} from './formFields.ts';
import { propertiesOf, requiredOf } from './jsonSchema.ts';

type ReadText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Sentence };

/** Reads what was typed for a text or a number; for any other question, JSON. */
export function readText(field: FormField, text: string): ReadText {
  switch (field.kind) {
    case 'text':
      return checkedText(field, text);
    case 'number':
    case 'integer':
      return checkedNumber(field, text);
    default:
      return readJson(field, text);
  }
}

function checkedText(
  { label, format, least = 0, most = Infinity }: FormField,
  text: string,
): ReadText {
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
    : { ok: true, value: text };
}

function checkedNumber({ label, kind, least, most, schema }: FormField, text: string): ReadText {
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
  return { ok: true, value };
}

/** Fractions are not exact: 0.3 is no whole number of times 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return !(Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times)));
}

function readJson(field: FormField, text: string): ReadText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('{0} must be JSON, such as ["a"] or {"b": 1}.', field.label);
  }
  const problem = kindProblem(field, value);
  return problem ? { ok: false, problem } : { ok: true, value };
}

/** The problem with the type of a value given as JSON; `undefined`: none. */
function kindProblem(field: FormField, value: unknown): Sentence | undefined {
  const { kind, label } = field;
  if (isValueOf(field, value)) {
    return undefined;
  }
  switch (kind) {
    case 'object':
      return sentence('{0} must be an object, such as {"b": 1}.', label);
    case 'list':
    case 'many':
      return sentence('{0} must be a list, such as ["a"].', label);
    default:
      return sentence('{0} does not allow this value.', label);
  }
}

/** The problem with this many choices; `undefined`: none. */
export function countProblem(field: FormField, count: number): Sentence | undefined {
  const { label, least = 0, most = Infinity } = field;
  if (count < least) {
    return sentence('{0}: choose at least {1}.', label, String(least));
  }
  return count > most ? sentence('{0}: choose at most {1}.', label, String(most)) : undefined;
}

/**
 * The input for a question so far, whether it is a value of it or not yet. It is JSON, so that a page can
 * keep it. Where nothing is given there is none.
 */
export type Draft =
  /** Typed for a text or a number. */
  | { readonly as: 'text'; readonly text: string }
  /** The value as JSON, for a question of any kind. */
  | { readonly as: 'json'; readonly text: string }
  /** One of the choices. */
  | { readonly as: 'one'; readonly value: unknown }
  | { readonly as: 'many'; readonly values: readonly unknown[] }
  | {
      readonly as: 'object';
      readonly members: readonly (readonly [name: string, draft: Draft])[];
      /** An object with the properties that the schema does not name, as JSON. */
      readonly further?: string;
    }
  | { readonly as: 'list'; readonly items: readonly (Draft | undefined)[] }
  | { readonly as: 'variant'; readonly at: number; readonly draft: Draft | undefined };

/** Deeper in a value nothing is taken apart: it stays JSON. */
const deepest = 20;

/** As JSON where the value is none of the question. */
export function draftOf(field: FormField, value: unknown, depth = 0): Draft {
  if (depth > deepest || !isValueOf(field, value)) {
    return asJson(value);
  }
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'integer':
      return { as: 'text', text: String(value) };
    case 'one':
      return { as: 'one', value };
    case 'many':
      return { as: 'many', values: value as unknown[] };
    case 'object':
      return objectDraft(field, value as JsonObject, depth);
    case 'list': {
      const item = itemOf(field, 0);
      const items = (value as unknown[]).map(one => draftOf(item, one, depth + 1));
      return { as: 'list', items };
    }
    case 'variants':
      return variantDraft(field, value, depth);
    case 'json':
      return asJson(value);
  }
}

function objectDraft(field: FormField, value: JsonObject, depth: number): Draft {
  const properties = new Map(propertiesOf(field.schema).map(one => [one.name, one]));
  const given = Object.entries(value);
  const members = given.flatMap(([name, one]) => {
    const property = properties.get(name);
    return property ? [[name, draftOf(memberOf(field, property), one, depth + 1)] as const] : [];
  });
  const further = given.filter(([name]) => !properties.has(name));
  if (further.length === 0) {
    return { as: 'object', members };
  }
  const isSayable = hasFurtherMembers(field);
  const text = json(Object.fromEntries(further));
  return isSayable ? { as: 'object', members, further: text } : asJson(value);
}

function variantDraft(field: FormField, value: unknown, depth: number): Draft {
  const variants = variantsOf(field);
  const at = variants.findIndex(variant => isLikely(variant, value));
  const variant = variants[at];
  return variant ? { as: 'variant', at, draft: draftOf(variant, value, depth + 1) } : asJson(value);
}

/** True if a value is of this variant, as far as the constants in it tell. */
function isLikely(field: FormField, value: unknown): boolean {
  if (field.kind !== 'object' || !isJsonObject(value)) {
    return isValueOf(field, value);
  }
  return propertiesOf(field.schema).every(property => {
    const { name, isRequired } = property;
    if (!Object.hasOwn(value, name)) {
      return !isRequired;
    }
    const member = memberOf(field, property);
    return member.kind !== 'one' || isValueOf(member, value[name]);
  });
}

function asJson(value: unknown): Draft {
  return { as: 'json', text: json(value) };
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

export interface FormProblem {
  readonly path: KeyPath;
  readonly problem: Sentence;
}

export interface ReadDraft {
  /** `undefined`: left out, or no value yet. What has problems is not in it. */
  readonly value: unknown;
  /** Problems that keep it from being sent, no more than a person reads. */
  readonly problems: readonly FormProblem[];
}

const mostProblems = 100;

/** Reads what was given for a question, whose value is at this place. */
export function readDraft(
  field: FormField,
  draft: Draft | undefined,
  path: KeyPath = [],
): ReadDraft {
  switch (draft?.as) {
    case undefined:
      return readAbsent(field, path);
    case 'text':
    case 'json':
      return readTyped(field, draft, path);
    case 'one':
      return { value: draft.value, problems: [] };
    case 'many':
      return judged(draft.values, countProblem(field, draft.values.length), path);
    case 'object':
      return readObject(field, draft, path);
    case 'list':
      return readList(field, draft.items, path);
    case 'variant': {
      const variant = variantsOf(field)[draft.at];
      const named = variant && { ...variant, label: field.label };
      return named ? readDraft(named, draft.draft, path) : readAbsent(field, path);
    }
  }
}

function readTyped(
  field: FormField,
  { as, text }: Extract<Draft, { readonly as: 'text' | 'json' }>,
  path: KeyPath,
): ReadDraft {
  // A text that was deleted must not become the default again.
  if (text === '') {
    return judged(undefined, field.isRequired ? missing(field) : undefined, path);
  }
  const read = as === 'json' ? readJson(field, text) : readText(field, text);
  return read.ok ? judged(read.value, undefined, path) : judged(undefined, read.problem, path);
}

/** The value of a question without an answer: its default, where it can't be left out. */
function readAbsent(field: FormField, path: KeyPath): ReadDraft {
  const { kind, isRequired, least = 0 } = field;
  if (!isRequired) {
    return { value: undefined, problems: [] };
  }
  const value = impliedValue(field);
  if (value !== undefined) {
    return { value, problems: [] };
  }
  if ((kind === 'list' || kind === 'many') && least === 0) {
    return { value: [], problems: [] };
  }
  if (kind === 'object') {
    // Only this far: what is required below may be a circle.
    const members = requiredOf(field.schema, mostProblems).map(property => {
      return [property.name, impliedValue(memberOf(field, property))] as const;
    });
    if (members.length < mostProblems && members.every(([, one]) => one !== undefined)) {
      return { value: Object.fromEntries(members), problems: [] };
    }
  }
  return judged(undefined, missing(field), path);
}

/** The value that a question has when nobody says another. */
function impliedValue({ kind, preset, choices }: FormField): unknown {
  return preset ?? (kind === 'one' && choices.length === 1 ? choices[0]?.value : undefined);
}

function readObject(
  field: FormField,
  { members, further = '' }: Extract<Draft, { readonly as: 'object' }>,
  path: KeyPath,
): ReadDraft {
  const given = new Map(members);
  const { value: more = {}, problems } = readFurther(further, path);
  const entries = Object.entries(more as JsonObject);
  const found = [...problems];
  for (const property of propertiesOf(field.schema)) {
    const { name, isRequired } = property;
    if (found.length < mostProblems && (isRequired || given.has(name))) {
      const read = readDraft(memberOf(field, property), given.get(name), [...path, name]);
      found.push(...read.problems);
      entries.push(...(read.value === undefined ? [] : [[name, read.value] as [string, unknown]]));
    }
  }
  return { value: Object.fromEntries(entries), problems: found };
}

function readFurther(text: string, path: KeyPath): ReadDraft {
  if (text.trim() === '') {
    return { value: undefined, problems: [] };
  }
  const problem = sentence('This must be an object, such as {"b": 1}.');
  try {
    const value = JSON.parse(text);
    return isJsonObject(value) ? { value, problems: [] } : judged(undefined, problem, path);
  } catch {
    return judged(undefined, problem, path);
  }
}

function readList(
  field: FormField,
  items: readonly (Draft | undefined)[],
  path: KeyPath,
): ReadDraft {
  const { label, least = 0, most = Infinity, schema } = field;
  const read = items.map((item, at) => readDraft(itemOf(field, at), item, [...path, at]));
  const value = read.map(({ value }) => value);
  const problems = read.flatMap(({ problems }) => problems).slice(0, mostProblems);
  if (items.length < least) {
    const problem =
      least === 1
        ? sentence('{0} must have at least 1 item.', label)
        : sentence('{0} must have at least {1} items.', label, String(least));
    problems.push({ path, problem });
  }
  if (items.length > most) {
    const problem =
      most === 1
        ? sentence('{0} must have at most 1 item.', label)
        : sentence('{0} must have at most {1} items.', label, String(most));
    problems.push({ path, problem });
  }
  if (schema['uniqueItems'] === true && new Set(value.map(json)).size < value.length) {
    problems.push({ path, problem: sentence('{0} may have no item twice.', label) });
  }
  return { value: value.filter(one => one !== undefined), problems };
}

function missing({ label }: FormField): Sentence {
  return sentence('{0} must be given.', label);
}

function judged(value: unknown, problem: Sentence | undefined, path: KeyPath): ReadDraft {
  return problem ? { value: undefined, problems: [{ path, problem }] } : { value, problems: [] };
}

function wrong(template: string, ...values: readonly string[]): ReadText {
  return { ok: false, problem: sentence(template, ...values) };
}

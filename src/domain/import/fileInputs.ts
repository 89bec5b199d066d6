import { printable } from '../printable.ts';
import { hideSecrets } from '../secrets/literalSecrets.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { isJsonObject, type JsonObject } from '../settings/values.ts';
import { freeInput, type KnownInputs } from './inputIds.ts';
import type { InputEntry } from './serverEntry.ts';

/** An input of a file, as it will be in the settings. */
export interface FileInput {
  readonly input: InputEntry;
  /** A default that is a secret: it is kept for each server that uses the input. */
  readonly kept: string | undefined;
  /** Whether its value came from something else than a person. */
  readonly isComputed: boolean;
}

/** The inputs that a file defines, by the ids they have there, and what is to be said of them. */
export interface FileInputs {
  readonly byId: ReadonlyMap<string, FileInput>;
  readonly notes: readonly Sentence[];
}

/**
 * Reads `inputs` of an `mcp.json`. An id under which the settings know another input is changed.
 * Inputs whose value a command makes have no counterpart, so that a person is asked instead.
 */
export function readFileInputs(value: unknown, known: KnownInputs): FileInputs {
  const byId = new Map<string, FileInput>();
  const notes: Sentence[] = [];
  if (value !== undefined && !Array.isArray(value)) {
    notes.push(sentence('"inputs" is not a list, so it is not taken over.'));
  }
  for (const [index, raw] of (Array.isArray(value) ? value : []).entries()) {
    const id = isJsonObject(raw) ? raw['id'] : undefined;
    if (!isJsonObject(raw) || typeof id !== 'string' || !/^[^}]+$/.test(id)) {
      notes.push(
        sentence('Input number {0} has no usable "id", so it is not taken over.', `${index + 1}`),
      );
      continue;
    }
    const { read, lost } = readInput(id, raw);
    if (lost.length > 0) {
      notes.push(
        sentence('Not taken over of input "{0}": {1}.', printable(id), printable(lost.join(', '))),
      );
    }
    if (byId.has(id)) {
      notes.push(sentence('"{0}" is there twice. The last one counts.', printable(id)));
    }
    byId.set(id, { ...read, input: freeInput(read.input, known) });
  }
  return { byId, notes };
}

function readInput(id: string, raw: JsonObject): { read: FileInput; lost: readonly string[] } {
  const { type, description, password, default: initial, options } = raw;
  const values = type === 'pickString' ? optionsIn(options) : undefined;
  const isSecret = password === true || isSecretName(id) || hasSecret(initial);
  const kept = isSecret && typeof initial === 'string' && initial !== '' ? initial : undefined;
  const taken = {
    ...(typeof description === 'string' && !hasSecret(description) && { description }),
    ...(isSecret ? { password: true } : typeof password === 'boolean' && { password }),
    ...(typeof initial === 'string' && initial !== '' && !isSecret && { default: initial }),
    ...(values && { options: values.map(({ value }) => value) }),
  };
  const isComputed = type !== undefined && type !== 'promptString' && type !== 'pickString';
  const done = [
    ...['id', ...Object.keys(taken)],
    ...(isComputed ? [] : ['type']),
    ...(kept === undefined ? [] : ['default']),
  ];
  const lost = [
    ...Object.keys(raw).filter(key => !done.includes(key)),
    ...(values?.some(({ isLabelled }) => isLabelled) ? ['labels of options'] : []),
  ];
  const input: InputEntry = { id, type: values ? 'pickString' : 'promptString', ...taken };
  return { read: { input, kept, isComputed }, lost };
}

/** In `mcp.json` an option is a text, or a value with a label beside it. */
function optionsIn(options: unknown): { value: string; isLabelled: boolean }[] | undefined {
  const items: readonly unknown[] = Array.isArray(options) ? options : [];
  const values = items.flatMap(item => {
    const value = isJsonObject(item) ? item['value'] : item;
    const isUsable = typeof value === 'string' && value !== '' && !hasSecret(value);
    return isUsable ? [{ value, isLabelled: isJsonObject(item) }] : [];
  });
  return values.length > 0 && values.length === items.length ? values : undefined;
}

function hasSecret(text: unknown): boolean {
  let isFound = false;
  const find = () => {
    isFound = true;
    return '';
  };
  hideSecrets(typeof text === 'string' ? text : '', undefined, find);
  return isFound;
}

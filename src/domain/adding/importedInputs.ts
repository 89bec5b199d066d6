import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { printable } from '../printable.ts';
import { hideSecrets } from '../secrets/literalSecrets.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';

/** One element of the setting `mcpRoots.inputs`: a value that a person is asked for. */
export interface InputEntry {
  readonly id: string;
  readonly type: 'promptString' | 'pickString';
  readonly description?: string;
  readonly password?: boolean;
  readonly default?: string;
  readonly options?: readonly string[];
}

/** A value for `${input:id}` that belongs into the secret storage, and nowhere else. */
export interface KeptValue {
  readonly inputId: string;
  readonly value: string;
}

/** The inputs that are in the settings, or will be, by their ids. */
export type KnownInputs = ReadonlyMap<string, unknown>;

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

/** The first of `id`, `id-2`, `id-3`, … under which nothing else is known than this very input. */
function freeInput(input: InputEntry, known: KnownInputs): InputEntry {
  return firstFree(input, 1, candidate => isTaken(candidate, known)).input;
}

function firstFree(
  input: InputEntry,
  start: number,
  isTaken: (candidate: InputEntry) => boolean,
): { readonly input: InputEntry; readonly count: number } {
  for (let count = start; ; count += 1) {
    const candidate = count === 1 ? input : { ...input, id: `${input.id}-${count}` };
    if (!isTaken(candidate)) {
      return { input: candidate, count };
    }
  }
}

function isTaken(input: InputEntry, known: KnownInputs): boolean {
  return known.has(input.id) && !isSameJson(known.get(input.id), input);
}

/** Gives out the inputs that one server needs, and remembers what is to be kept for them. */
export class ServerInputs {
  private readonly serverName: string;
  private readonly known: KnownInputs;
  private readonly byId = new Map<string, InputEntry>();
  private readonly kept: KeptValue[] = [];
  /** The last number given out for an id: counted from 1 each time, a long list takes for ever. */
  private readonly counts = new Map<string, number>();

  constructor(serverName: string, known: KnownInputs) {
    this.serverName = serverName;
    this.known = known;
  }

  get all(): readonly InputEntry[] {
    return [...this.byId.values()];
  }

  /** What goes to the secret storage. */
  get values(): readonly KeptValue[] {
    return this.kept;
  }

  /** The variable for an input that is defined already under this id. */
  use(input: InputEntry): string {
    this.byId.set(input.id, input);
    return variable(input);
  }

  /**
   * The variable for an input of this server alone, asked for like a password.
   *
   * @param value kept, so that nobody is asked; `undefined`: a person is asked at the first start.
   */
  add(hint: string, value: string | undefined): string {
    const wanted: InputEntry = {
      id: `${slug(this.serverName)}-${slug(hint)}`,
      type: 'promptString',
      description: `${slug(hint)} (${slug(this.serverName)})`,
      password: true,
    };
    const { input, count } = firstFree(
      wanted,
      this.counts.get(wanted.id) ?? 1,
      candidate => this.byId.has(candidate.id) || isTaken(candidate, this.known),
    );
    this.counts.set(wanted.id, count);
    this.keep(input.id, value);
    return this.use(input);
  }

  /** Keeps a value for an input that is in use. */
  keep(inputId: string, value: string | undefined): void {
    if (value !== undefined) {
      this.kept.push({ inputId, value });
    }
  }
}

/** Whether an input was made by {@link ServerInputs} for one server, under whichever name. */
export function isMadeForOne(input: unknown): boolean {
  const { id, description } = isJsonObject(input) ? input : {};
  const [, hint = '', server = ''] = /^(.*) \((.*)\)$/.exec(String(description)) ?? [];
  const made = `${server}-${hint}`;
  const rest = String(id).slice(made.length);
  return hint !== '' && String(id).startsWith(made) && /^(?:-\d+)?$/.test(rest);
}

function variable({ id }: InputEntry): string {
  return `\${input:${id}}`;
}

/** A name as part of an id: nothing in it can end the variable it is used in. */
function slug(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '') || 'server';
}

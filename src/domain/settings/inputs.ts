import { isJsonObject } from '../json.ts';
import { sentence } from '../sentence.ts';
import {
  type Mistake,
  Mistakes,
  noteUnknown,
  placedIn,
  plainMistake,
  readSwitch,
} from './mistakes.ts';

/** The question for the value of `${input:id}`. */
export interface InputDefinition {
  readonly id: string;
  readonly description: string | undefined;
  /** True if the value is hidden while it is typed. */
  readonly password: boolean;
  readonly default: string | undefined;
  /** The values to pick from; `undefined`: any text. */
  readonly options: readonly string[] | undefined;
}

/** The inputs that a settings value defines, and the problems of those left out. */
export interface ReadInputs {
  readonly inputs: readonly InputDefinition[];
  /** Each with its place in the value: the number of the input first. */
  readonly problems: readonly Mistake[];
}

const knownKeys = ['id', 'type', 'description', 'password', 'default', 'options'];

/**
 * Reads the value of the setting `mcpRoots.inputs`: a list in the form of `inputs` in `mcp.json`.
 * An input that is used and not defined is no mistake: it is asked for, hidden.
 */
export function readInputSettings(value: unknown): ReadInputs {
  if (!Array.isArray(value)) {
    const text = sentence('The setting mcpRoots.inputs must be a list of inputs.');
    return { inputs: [], problems: [plainMistake([], text)] };
  }
  const inputs: InputDefinition[] = [];
  const problems: Mistake[] = [];
  for (const [index, entry] of value.entries()) {
    const mistakes = new Mistakes('Input "{0}" in mcpRoots.inputs', nameOf(entry, index));
    const input = readInput(entry, mistakes);
    if (input && inputs.some(({ id }) => id === input.id)) {
      mistakes.addAt('id', 'is the id of an input before it. Write another one.');
    }
    if (input && mistakes.all.length === 0) {
      inputs.push(input);
    }
    problems.push(...placedIn([index], mistakes.all));
  }
  return { inputs, problems };
}

/** Its id, or else its place in the list, counted from 1. */
function nameOf(entry: unknown, index: number): string {
  const id = isJsonObject(entry) ? entry['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : `${index + 1}`;
}

function readInput(entry: unknown, mistakes: Mistakes): InputDefinition | undefined {
  if (!isJsonObject(entry)) {
    mistakes.add('It must be an object with an "id".');
    return undefined;
  }
  for (const key of Object.keys(entry).filter(key => !knownKeys.includes(key))) {
    noteUnknown(key, knownKeys, mistakes);
  }
  const isPicked = readType(entry['type'], mistakes) === 'pickString';
  return {
    id: readId(entry['id'], mistakes),
    description: readAnyText(entry['description'], 'description', mistakes),
    password: readSwitch(entry['password'], 'password', mistakes) ?? true,
    default: readAnyText(entry['default'], 'default', mistakes),
    options: isPicked ? readOptions(entry['options'], mistakes) : undefined,
  };
}

function readAnyText(value: unknown, place: string, mistakes: Mistakes): string | undefined {
  if (value === undefined || typeof value === 'string') {
    return value;
  }
  mistakes.addAt(place, 'must be a text. Write it in quotes.');
  return undefined;
}

function readType(value: unknown, mistakes: Mistakes): 'promptString' | 'pickString' {
  if (value === 'pickString') {
    return value;
  }
  if (value !== undefined && value !== 'promptString') {
    mistakes.addAt('type', 'must be "promptString" or "pickString".');
  }
  return 'promptString';
}

function readId(value: unknown, mistakes: Mistakes): string {
  if (typeof value === 'string' && /^[^}]+$/.test(value)) {
    return value;
  }
  mistakes.addAt('id', 'must be the text after "input:" in ${input:…}.');
  return '';
}

/** In `mcp.json` an option is a text, or a value with a label beside it. */
function readOptions(value: unknown, mistakes: Mistakes): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const texts = items.map(item => (isJsonObject(item) ? item['value'] : item));
  const options = texts.filter(text => typeof text === 'string' && text !== '');
  if (options.length === 0 || options.length < items.length) {
    mistakes.addAt('options', 'must be a list of the texts to pick from.');
  }
  return options.map(String);
}

import { isJsonObject } from '../json.ts';
import { sentence } from '../sentence.ts';
import {
  checkKnown,
  type Mistake,
  Mistakes,
  notText,
  placedIn,
  plainMistake,
  readChoice,
  readKeys,
  readSwitch,
  text,
} from './mistakes.ts';

/** The definition of the question for `${input:id}`. */
export interface InputDefinition {
  readonly id: string;
  readonly description: string | undefined;
  /** True if the value is hidden while the user types it. */
  readonly password: boolean;
  readonly default: string | undefined;
  /** The values to choose from; `undefined`: the user may type any text. */
  readonly options: readonly string[] | undefined;
}

const types = ['promptString', 'pickString'] as const;
const labelled = { label: { form: text }, value: { form: text } };

/** The keys of an input. `npm run schemas` turns them into a JSON schema. */
export const inputKeys = {
  id: { form: text, read: readId },
  type: {
    form: { enum: types, default: 'promptString' },
    read: (value: unknown, mistakes: Mistakes) => readChoice(value, mistakes, types),
  },
  description: { form: text, read: readAnyText },
  password: { form: { type: 'boolean', default: true }, read: readSwitch },
  default: { form: text, read: readAnyText },
  options: {
    form: { type: 'array', items: { anyOf: [text, { type: 'object', properties: labelled }] } },
    read: (value: unknown) => value,
  },
};

/**
 * Reads the setting `mcpRoots.inputs`: a list in the form of `inputs` in `mcp.json`. Leaves out
 * inputs with problems. A problem's place begins with the input's index. An input that the list
 * lacks is no problem: the user is asked for its value, with hidden typing.
 */
export function readInputSettings(value: unknown) {
  const inputs: InputDefinition[] = [];
  const problems: Mistake[] = [];
  if (!Array.isArray(value)) {
    const text = sentence('The setting mcpRoots.inputs must be a list of inputs.');
    return { inputs, problems: [plainMistake([], text)] };
  }
  for (const [index, entry] of value.entries()) {
    const mistakes = new Mistakes('Input "{0}" in mcpRoots.inputs', nameOf(entry, index));
    const input = readInput(entry, mistakes);
    if (input && inputs.some(({ id }) => id === input.id)) {
      mistakes.addAt('id', 'is the id of an earlier input. Write another id.');
    }
    if (input && mistakes.all.length === 0) {
      inputs.push(input);
    }
    problems.push(...placedIn([index], mistakes.all));
  }
  return { inputs, problems };
}

/** The input's id. Without an id, its place in the list, counted from 1. */
function nameOf(entry: unknown, index: number): string {
  const id = isJsonObject(entry) ? entry['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : `${index + 1}`;
}

function readInput(entry: unknown, mistakes: Mistakes): InputDefinition | undefined {
  if (!isJsonObject(entry)) {
    mistakes.add('The input must be an object with an "id".');
    return undefined;
  }
  checkKnown(entry, Object.keys(inputKeys), mistakes);
  const { type, password = true, options, ...texts } = readKeys(entry, inputKeys, mistakes);
  const isPicked = type === 'pickString';
  return { ...texts, password, options: isPicked ? readOptions(options, mistakes) : undefined };
}

function readAnyText(value: unknown, mistakes: Mistakes): string | undefined {
  if (value === undefined || typeof value === 'string') {
    return value;
  }
  mistakes.addAt([], notText);
  return undefined;
}

function readId(value: unknown, mistakes: Mistakes): string {
  if (typeof value === 'string' && /^[^}]+$/.test(value)) {
    return value;
  }
  mistakes.addAt([], 'must be the text after "input:" in ${input:…}.');
  return '';
}

/** The options' values. In `mcp.json`, an option is a text, or a value with a label. */
function readOptions(value: unknown, mistakes: Mistakes): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const texts = items.map(item => (isJsonObject(item) ? item['value'] : item));
  const options = texts.filter(text => typeof text === 'string' && text !== '');
  if (options.length === 0 || options.length < items.length) {
    mistakes.addAt('options', 'must be a list of the texts to pick from.');
  }
  return options.map(String);
}

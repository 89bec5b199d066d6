import { isLikeOurs } from '../gateway/clientEntries.ts';
import type { ImportSource } from '../gateway/clientFiles.ts';
import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { printable } from '../printable.ts';
import {
  type Hide,
  hidden,
  hideSecretArguments,
  hideSecrets,
  isSecretIn,
} from '../secrets/literalSecrets.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { launchKeys } from '../servers/launch.ts';
import { meantBy, serverKeys } from '../settings/definitionKeys.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { readInputSettings } from '../settings/inputs.ts';
import { hasText } from '../settings/mistakes.ts';
import { inOurForm, isSwitchedOff } from '../settings/otherForms.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import { variablesIn } from '../variables.ts';
import { foreignVariables, isCode } from './foreignVariables.ts';

/** The part of an entry that makes the system confine a server to its folders. */
export const sandboxed = { sandbox: 'on' } as const;

export interface ConversionTerms {
  /** Where the entry comes from; left out: a person wrote the entry for our settings. */
  readonly source?: ImportSource;
  /** The inputs defined in the same file. */
  readonly inputs?: readonly InputEntry[];
  readonly known: KnownInputs;
  readonly around: Surroundings;
}

/** A server of a file, as an entry of the setting `mcpRoots.servers`, with notes on changes. */
export interface ConvertedServer {
  /** `undefined` if the server can't be imported. The first note then says why. */
  readonly entry: JsonObject | undefined;
  /** The inputs that the entry uses and needs in the settings. */
  readonly inputs: readonly InputEntry[];
  readonly kept: readonly KeptValue[];
  readonly notes: readonly Sentence[];
}

/** The most characters of an entry. No entry that a person writes has more. */
const maxLength = 100_000;

/**
 * Converts the parts of a server that our settings know, and names the other parts in the notes.
 * Never throws. Only `kept` contains literal secrets.
 *
 * @param name the server's future name in the settings: new inputs are named after it.
 */
export function convertServer(
  name: string,
  raw: unknown,
  { source, inputs = [], known, around }: ConversionTerms,
): ConvertedServer {
  if (!isJsonObject(raw)) {
    return refused(sentence('The server must be an object.'));
  }
  if (JSON.stringify(raw).length > maxLength) {
    return refused(sentence('The entry is longer than any server needs.'));
  }
  if (isLikeOurs(raw)) {
    return refused(sentence('The entry seems to lead to MCP Roots itself.'));
  }
  const ids = inputs.map(input => [input.id, input] as const);
  const secrets = new SecretInputs(name, new Map([...ids, ...known]));
  const given = Object.entries(raw).filter(([, value]) => value !== null);
  const written = inOurForm(Object.fromEntries(given));
  const isTaken = (key: string) =>
    (serverKeys().includes(key) || meantBy(key, written) !== undefined) && written[key] !== '';
  const taken = Object.entries(written).filter(([key]) => isTaken(key));
  const left = Object.keys(written).filter(key => !isTaken(key));
  const own = isJsonObject(written['env']) ? written['env'] : {};
  const { ours, folder, isElsewhere, left: braces } = foreignVariables(own, around, source);
  const safe = withoutSecrets(Object.fromEntries(taken), secrets, ours);
  const entry = isElsewhere ? startedIn(folder, safe) : safe;
  const [problem] = readServerSettings({ [name]: entry }, around).problems;
  if (problem) {
    return refused(problem.said);
  }
  const used = inputsIn(entry);
  const defined = inputs.filter(({ id }) => used.includes(id));
  const other = defined.filter(
    input => known.has(input.id) && !isSameJson(known.get(input.id), input),
  );
  return {
    entry,
    inputs: [...secrets.inputs, ...defined],
    kept: secrets.kept,
    notes: [
      ...(isSwitchedOff(raw) ? [sentence(conversionNotes.off)] : []),
      ...secrets.notes,
      ...noteOn(conversionNotes.defined, new Set(other.map(({ id }) => id))),
      ...noteOn(conversionNotes.dropped, new Set(left)),
      ...noteOn(conversionNotes.noDefault, secrets.noDefault),
      ...noteOn(conversionNotes.braces, braces),
    ],
  };
}

function refused(why: Sentence): ConvertedServer {
  return { entry: undefined, inputs: [], kept: [], notes: [why] };
}

/** Makes the entry start in its file's folder, not in the window's first folder. */
function startedIn(folder: string, entry: JsonObject): JsonObject {
  const { command, cwd = '.', envFile } = entry;
  const placed = (path: unknown) =>
    typeof path === 'string' && !/^(?:[/\\~$]|[a-z]:)/i.test(path)
      ? `${folder}/${path}`.replace(/\/\.$/, '')
      : path;
  return command === undefined
    ? entry
    : { ...entry, cwd: placed(cwd), ...(envFile !== undefined && { envFile: placed(envFile) }) };
}

const forms: Readonly<Record<string, unknown>> = { ...launchKeys.stdio, ...launchKeys.http };

/** The notes on a server that can be imported. */
export const conversionNotes = {
  off: 'The file switches the server off, so the server does not start with the window.',
  kept: 'The value of {0} is kept in the secret storage, not in the settings.',
  asked: 'At the first start, you are asked for {0}.',
  defined: 'You are asked for {0} in the way that your settings already define.',
  dropped: 'Not imported: {0}.',
  noDefault: 'The default of {0} is not imported, because it may be a secret.',
  braces: 'The program gets {0} as written.',
};

function noteOn(template: string, names: ReadonlySet<string>): Sentence[] {
  return names.size > 0 ? [sentence(template, [...names].map(printable).join(', '))] : [];
}

function withoutSecrets(
  entry: JsonObject,
  secrets: SecretInputs,
  ours: ReturnType<typeof foreignVariables>['ours'],
): JsonObject {
  const textOf = (value: unknown, name?: string) =>
    typeof value === 'string' ? secrets.text(ours(value), name) : value;
  const command = typeof entry['command'] === 'string' ? entry['command'] : '';
  const convert = (key: string, value: unknown) => {
    const form = forms[key];
    if (form === 'list' && Array.isArray(value) && value.every(hasText)) {
      const words = value.map(String);
      const args = words.map((arg, at) => ours(arg, isCode(command, words, at) ? 'code' : 'text'));
      return secrets.args(command, args);
    }
    if (form === 'named' && isJsonObject(value)) {
      const texts = Object.entries(value).map(([name, text]) => [
        name,
        textOf(hasText(text) ? String(text) : text, name),
      ]);
      return Object.fromEntries(texts);
    }
    return form === 'text' || form === 'path' ? textOf(value) : value;
  };
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, convert(key, value)]),
  );
}

/** One element of the setting `mcpRoots.inputs`: a value that a person is asked for. */
export type InputEntry = JsonObject & { readonly id: string };

/** The value of an input, which nothing but the secret storage may store. */
export interface KeptValue {
  readonly inputId: string;
  readonly value: string;
}

/** The inputs that the settings have or will have, by id. */
export type KnownInputs = ReadonlyMap<string, unknown>;

export function inputsById(inputs: readonly unknown[]): Map<string, unknown> {
  return new Map(inputs.filter(isJsonObject).map(input => [String(input['id']), input]));
}

/** Replaces each secret in the texts of one server with an input. */
export class SecretInputs {
  /** The secrets that were replaced. */
  readonly kept: KeptValue[] = [];
  readonly noDefault = new Set<string>();
  private readonly serverName: string;
  private readonly known: KnownInputs;
  private readonly byId = new Map<string, InputEntry>();
  private readonly keptNames = new Set<string>();
  private readonly askedNames = new Set<string>();

  constructor(serverName: string, known: KnownInputs) {
    this.serverName = serverName;
    this.known = known;
  }

  /** The inputs that replace secrets. */
  get inputs(): readonly InputEntry[] {
    return [...this.byId.values()];
  }

  /** @param name the name of the variable or header with this text, if any. */
  text(text: string, name?: string): string {
    return hideSecrets(text, name, this.hide);
  }

  args(command: string, args: readonly string[]): string[] {
    return hideSecretArguments(command, args, this.hide);
  }

  get notes(): Sentence[] {
    return [
      ...noteOn(conversionNotes.kept, this.keptNames),
      ...noteOn(conversionNotes.asked, this.askedNames),
    ];
  }

  /** Returns the variable for a value that the user enters at the first start. */
  asked(name: string): string {
    this.askedNames.add(name);
    return this.variable(name, undefined);
  }

  private readonly hide: Hide = (name, secret, variable) => {
    if (variable !== undefined) {
      this.noDefault.add(variable);
      return hidden;
    }
    const isOnlyName = /^[A-Z]+(?:_[A-Z]+)+$/.test(secret) && isSecretName(secret);
    if (isOnlyName || placeholder.test(secret)) {
      return this.asked(name);
    }
    this.keptNames.add(name);
    return this.variable(name, secret);
  };

  private variable(name: string, value: string | undefined): string {
    const input = this.freeInput(name);
    this.byId.set(input.id, input);
    if (value !== undefined) {
      this.kept.push({ inputId: input.id, value });
    }
    return `\${input:${input.id}}`;
  }

  /** Makes the id from `name` and the server's name. So a second import makes an equal entry. */
  private freeInput(name: string): InputEntry {
    const [hint, server] = [slug(name), slug(this.serverName)];
    const description = `${hint} (${server})`;
    const withId = (id: string) => ({ id, type: 'promptString', description, password: true });
    let input = withId(`${server}-${hint}`);
    for (let count = Math.max(2, this.byId.size + 1); this.isTaken(input); count += 1) {
      input = withId(`${server}-${hint}-${count}`);
    }
    return input;
  }

  private isTaken(input: InputEntry): boolean {
    const { id } = input;
    return this.byId.has(id) || (this.known.has(id) && !isSameJson(this.known.get(id), input));
  }
}

/** The ids of the inputs that the texts of a value name. */
export function inputsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return variablesIn(value).flatMap(({ variable }) =>
      variable?.kind === 'input' ? [variable.name] : [],
    );
  }
  return typeof value === 'object' && value ? Object.values(value).flatMap(inputsIn) : [];
}

/**
 * The inputs of a file that the settings can take unchanged. An input whose default is a secret is
 * left out, because the user is asked for the value anyway.
 */
export function usableInputs(value: unknown): InputEntry[] {
  return (Array.isArray(value) ? value : []).filter(isUsable);
}

function isUsable(input: unknown): input is InputEntry {
  if (!isJsonObject(input) || readInputSettings([input]).problems.length > 0) {
    return false;
  }
  const { id, password, default: initial = '' } = input;
  const isSecret = password === true || isSecretName(String(id)) || isSecretIn(String(initial));
  return initial === '' || !isSecret;
}

/**
 * Texts that published examples have in place of a secret, alone or behind the start of a key:
 * `<token>`, `{secret}`, `YOUR_KEY`, `API_KEY_HERE`, `xoxb-your-token`, `sk-xxx`, `change-me`.
 */
const placeholder = new RegExp(
  [
    '^(?:[[{<%]+[^[\\]{}<>%]*[\\]}>%]+|\\*{3,}|placeholder|todo|tbd)$|<[\\w -]+>|(?:\\.{3}|\u2026)$',
    // Seed phrases (lists of words that are a secret) have such words, too, but more than five.
    '^(?:insert|enter|paste|put|add|fill|my)(?:[-_ ]\\w+){1,4}$',
    '[-_ .]here$|(?:^|[-_ .])x{3,}$|x{8}|(?:^|[-_ .])your(?![a-z\\d])',
    '(?:^|[-_ .])(?:replace|change)[-_ ]?(?:me|this|it|with)(?![a-z\\d])',
  ].join('|'),
  'i',
);

/** Replaces every character that could end an `${input:…}` variable. */
function slug(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '') || 'server';
}

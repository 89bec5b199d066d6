import { isLikeOurs } from '../gateway/clientEntries.ts';
import type { ImportSource } from '../gateway/clientFiles.ts';
import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { printable } from '../printable.ts';
import { type Hide, hideSecretArguments, hideSecrets } from '../secrets/literalSecrets.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { launchKeys } from '../servers/launch.ts';
import { httpTypes, meantBy, serverKeys } from '../settings/definitionKeys.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { readInputSettings } from '../settings/inputs.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import { replaceVariables, variablesIn } from '../settings/variables.ts';

/** The part of an entry that has the system keep a server in its folders. */
export const sandboxed = { sandbox: 'on' } as const;

export interface ConversionTerms {
  /** Left out: a person wrote it for our settings. */
  readonly source?: ImportSource;
  /** The inputs that are defined beside it. */
  readonly inputs?: readonly InputEntry[];
  readonly known: KnownInputs;
  readonly around: Surroundings;
}

/** A server of a file as an entry of the setting `mcpRoots.servers`, with all there is to say about it. */
export interface ConvertedServer {
  /** `undefined`: it can't be taken over, and the first note says why. */
  readonly entry: JsonObject | undefined;
  /** The inputs that the entry uses, to be defined with it. */
  readonly inputs: readonly InputEntry[];
  readonly kept: readonly KeptValue[];
  readonly notes: readonly Sentence[];
}

/** A server with more text than this is none that a person wrote. */
const maxLength = 100_000;

/**
 * Takes over of a server what our settings know, and names the rest in the notes. It never throws, and
 * holds no literal secret but in `kept`.
 *
 * @param name under which it will be in the settings: its own inputs are called after it.
 */
export function convertServer(
  name: string,
  raw: unknown,
  { source, inputs = [], known, around }: ConversionTerms,
): ConvertedServer {
  if (!isJsonObject(raw)) {
    return refused(sentence('It is not an object.'));
  }
  if (JSON.stringify(raw).length > maxLength) {
    return refused(sentence('It is too long to be a server.'));
  }
  if (isLikeOurs(raw)) {
    return refused(sentence('It looks like an entry that leads to MCP Roots.'));
  }
  const ids = inputs.map(input => [input.id, input] as const);
  const secrets = new SecretInputs(name, new Map([...ids, ...known]));
  const isTaken = (key: string) =>
    (serverKeys().includes(key) || meantBy(key, raw) !== undefined) &&
    !isElsewhere(key, raw[key], source);
  const taken = Object.entries(raw).filter(([key]) => isTaken(key));
  const left = Object.keys(raw).filter(key => !isTaken(key));
  const entry = withoutSecrets(Object.fromEntries(taken), secrets, text =>
    withFolder(text, source?.folder),
  );
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
      ...secrets.notes,
      ...noteOn(
        other.map(({ id }) => id),
        'You are asked as the settings say already: {0}.',
      ),
      ...noteOn(left, 'Not taken over: {0}.'),
    ],
  };
}

function refused(why: Sentence): ConvertedServer {
  return { entry: undefined, inputs: [], kept: [], notes: [why] };
}

/** True for a path from the folder of its file, which here would count from the first folder. */
function isElsewhere(key: string, value: unknown, source: ImportSource | undefined): boolean {
  const isRelative = typeof value === 'string' && !/^(?:[/\\~$]|[a-z]:)/i.test(value);
  return source?.folder !== undefined && forms[key] === 'path' && isRelative;
}

const forms: Readonly<Record<string, unknown>> = { ...launchKeys.stdio, ...launchKeys.http };

function noteOn(names: readonly string[], template: string): Sentence[] {
  return names.length > 0 ? [sentence(template, names.map(printable).join(', '))] : [];
}

function withoutSecrets(
  entry: JsonObject,
  secrets: SecretInputs,
  translate: (text: string) => string,
): JsonObject {
  const textOf = (value: unknown, name?: string) =>
    typeof value === 'string' ? secrets.text(translate(value), name) : value;
  const { command } = entry;
  const convert = (key: string, value: unknown) => {
    if (key === 'type') {
      return httpTypes.includes(value) ? 'http' : value;
    }
    const form = forms[key];
    if (form === 'list' && isTexts(value)) {
      return secrets.args(typeof command === 'string' ? command : '', value.map(translate));
    }
    if (form === 'named' && isJsonObject(value)) {
      const texts = Object.entries(value).map(([name, text]) => [
        name,
        textOf(typeof text === 'number' ? String(text) : text, name),
      ]);
      return Object.fromEntries(texts);
    }
    return form === 'text' || form === 'path' ? textOf(value) : value;
  };
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, convert(key, value)]),
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

/** The text, whose folder is named: it is the one that the file is in, and not the window's first. */
function withFolder(text: string, folder: string | undefined): string {
  return replaceVariables(text, ({ asWritten, variable }) =>
    variable?.kind === 'workspaceFolder' && variable.name === undefined && folder !== undefined
      ? `\${workspaceFolder:${folder}}`
      : asWritten,
  );
}

/** One element of the setting `mcpRoots.inputs`: a value that a person is asked for. */
export type InputEntry = JsonObject & { readonly id: string };

/** A value for `${input:id}` that belongs into the secret storage, and nowhere else. */
export interface KeptValue {
  readonly inputId: string;
  readonly value: string;
}

/** The inputs that are in the settings, or will be, by their ids. */
export type KnownInputs = ReadonlyMap<string, unknown>;

export function inputsById(inputs: readonly unknown[]): Map<string, unknown> {
  return new Map(inputs.filter(isJsonObject).map(input => [String(input['id']), input]));
}

/** Takes the secrets out of the texts of one server, and puts an input in the place of each. */
export class SecretInputs {
  /** The values that were taken out. */
  readonly kept: KeptValue[] = [];
  private readonly serverName: string;
  private readonly known: KnownInputs;
  private readonly byId = new Map<string, InputEntry>();
  private readonly keptNames = new Set<string>();
  private readonly askedNames = new Set<string>();

  constructor(serverName: string, known: KnownInputs) {
    this.serverName = serverName;
    this.known = known;
  }

  /** The inputs in the places of secrets. */
  get inputs(): readonly InputEntry[] {
    return [...this.byId.values()];
  }

  /** @param name what the text is the value of, if it has a name. */
  text(text: string, name?: string): string {
    return hideSecrets(text, name, this.hide);
  }

  args(command: string, args: readonly string[]): string[] {
    return hideSecretArguments(command, args, this.hide);
  }

  get notes(): Sentence[] {
    const kept = [...this.keptNames].join(', ');
    const asked = [...this.askedNames].join(', ');
    return [
      ...(kept ? [sentence('Kept in the secret storage, not in the settings: {0}.', kept)] : []),
      ...(asked ? [sentence('You are asked for it at the first start: {0}.', asked)] : []),
    ];
  }

  /** The variable for a value that a person is asked for at the first start. */
  asked(name: string): string {
    this.askedNames.add(printable(name));
    return this.variable(name, undefined);
  }

  private readonly hide: Hide = (name, secret) => {
    if (placeholder.test(secret)) {
      return this.asked(name);
    }
    this.keptNames.add(printable(name));
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

  /** The same each time the same server is read, so that one that was imported is known again. */
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
 * The inputs of a file that the settings take as they are. One whose default is a secret is left out: a
 * person is asked for its value all the same.
 */
export function usableInputs(value: unknown): InputEntry[] {
  return (Array.isArray(value) ? value : []).filter(isUsable);
}

function isUsable(input: unknown): input is InputEntry {
  if (!isJsonObject(input) || readInputSettings([input]).problems.length > 0) {
    return false;
  }
  const { id, password, default: initial = '' } = input;
  const isSecret = password === true || isSecretName(String(id)) || hasSecret(String(initial));
  return initial === '' || !isSecret;
}

function hasSecret(text: string): boolean {
  return hideSecrets(text, undefined, () => '\0') !== text;
}

/** Placeholders that authors of examples write for a secret. */
const placeholder =
  /^(?:<[^<>]*>|\[[^[\]]*\]|(?:your|my|insert|enter)[-_ ].*|x{3,}|\*{3,}|\.{3}|\u2026)$/i;

/** Nothing in it can end the variable it is used in. */
function slug(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^-+|(?<!-)-+$/g, '') || 'server';
}
